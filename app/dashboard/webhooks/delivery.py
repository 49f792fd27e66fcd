"""One delivery of a webhook in full: its state, its content and its attempts."""

from datetime import UTC, datetime

import streamlit as st

from app.client import ScopedClient
from app.contract.webhooks import DeliveryAttempt, Webhook, WebhookEvent
from app.dashboard import navigation
from app.dashboard.api import extension_queries, queries
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from components.elements.identifier import draw_identifier, shorten_identifier
from components.elements.page_header import draw_page_header
from components.formatting.datetimes import get_reader_zone
from components.formatting.escape_markdown import escape_markdown
from components.webhooks.attempt_timeline import draw_attempt_timeline, draw_next_attempt
from components.webhooks.curl_command import redact_url
from components.webhooks.delivery_detail import draw_delivery_detail, draw_delivery_state

FINAL_STATES = frozenset({"succeeded", "failed"})
REFRESH_SECONDS = 1.0


def draw_delivery(deployment: Deployment, webhook: Webhook, event_id: str) -> None:
    navigation.draw_link(
        "webhook",
        f"Deliveries to {escape_markdown(redact_url(webhook.url))}",
        icon=":material/arrow_back:",
        id=webhook.id,
    )
    record = queries.load_webhook_event(deployment, webhook.id, event_id)
    draw_page_header(
        f"Delivery {shorten_identifier(event_id)}", caption=str(record.data.body.get("eventType", "")) or None
    )
    run_every = None if record.status in FINAL_STATES else REFRESH_SECONDS
    st.fragment(_follow, run_every=run_every)(deployment, webhook.id, record)
    if queries.has_operation(deployment, "POST /v1/webhooks/{}/events/{}/redeliver"):
        _draw_redelivery_button(deployment, webhook.id, event_id)
    zone = get_reader_zone()
    attempts: list[DeliveryAttempt] = []
    if queries.has_operation(deployment, "GET /v1/webhooks/{}/events/{}/attempts"):
        with failure_panel("The list of attempts"):
            attempts = extension_queries.load_attempts(deployment, webhook.id, event_id)
    latest = attempts[-1] if attempts else None
    draw_delivery_detail(record, webhook.url, key="delivery", now=datetime.now(UTC), zone=zone, latest=latest)
    if attempts:
        st.subheader("Attempts", anchor=False)
        st.fragment(_draw_countdown, run_every=run_every)(record)
        draw_attempt_timeline(attempts, zone)
    draw_identifier("Delivery", event_id)


def _draw_redelivery_button(deployment: Deployment, webhook_id: str, event_id: str) -> None:
    def redeliver(client: ScopedClient, idempotency_key: str) -> object:
        return client.webhooks.redeliver(webhook_id, event_id, idempotency_key=idempotency_key)

    write_button(
        deployment,
        "Send again",
        name=f"redeliver-{event_id}",
        operation="POST /v1/webhooks/{}/events/{}/redeliver",
        what="Sending again",
        write=redeliver,
        icon=":material/replay:",
    )


def _draw_countdown(record: WebhookEvent) -> None:
    draw_next_attempt(record, datetime.now(UTC), get_reader_zone())


def _follow(deployment: Deployment, webhook_id: str, known: WebhookEvent) -> None:
    """Draw the state with its countdown, and the whole page anew once the delivery changes."""
    draw_delivery_state(known, datetime.now(UTC), get_reader_zone())
    changed = False
    with failure_panel("Following the delivery"):
        current = queries.load_webhook_event(deployment, webhook_id, known.id)
        changed = current.updated_at != known.updated_at
    if changed:
        extension_queries.clear_webhook_reads()
        st.rerun()
