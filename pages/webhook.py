"""One webhook: its health, its deliveries, and one delivery in full. The address names the webhook (`?id=`)
and the delivery (`&event=`)."""

from datetime import UTC, datetime
from functools import partial

import streamlit as st

from app.contract.webhooks import Webhook
from app.dashboard import navigation
from app.dashboard.api import queries
from app.dashboard.failure_panel import failure_panel
from app.dashboard.kit.record_page import draw_record_page
from app.dashboard.sample_data import draw_sample_notice
from app.dashboard.session_values import WEBHOOK_SECRET
from app.dashboard.signing_in import identity
from app.dashboard.webhooks import REFRESH_SECONDS, draw_delivery, draw_delivery_list, draw_webhook_actions
from components.elements.empty_state import draw_one_time_secret
from components.elements.page_header import Colour, draw_heading, draw_page_header
from components.elements.tabs import draw_tabs
from components.webhooks.signature_steps import redact_url
from components.webhooks.webhooks import draw_inbox_messages, draw_webhook_health, is_inbox

deployment = identity.require_deployment()


def find_webhook(webhook_id: str) -> Webhook | None:
    """Return the webhook out of the list of all, as the interface has no read of one. The list is read a
    second time, since the webhook may be newer than the cached list. Raises NotFound with the request's id,
    as the service has no deliveries of an unknown webhook."""
    for _ in range(2):
        for webhook in queries.load_webhooks(deployment):
            if webhook.id == webhook_id:
                return webhook
        queries.load_webhooks.clear(deployment)
    queries.load_webhook_events(deployment, webhook_id)
    return None


def draw_header(webhook: Webhook) -> None:
    navigation.draw_link("webhooks", "All webhooks", icon="arrow_back")
    events: list[tuple[str, Colour]] = [(event, "blue") for event in webhook.events]
    if is_inbox(webhook):
        about = "A receiver in this workspace, for trying webhooks out."
        draw_page_header("Built-in inbox", badges=events, caption=about)
    else:
        # Without its scheme the address is no link: nobody wants to open an endpoint in a browser.
        scheme, _, address = redact_url(webhook.url).partition("://")
        draw_page_header(address, badges=[(scheme, "green" if scheme == "https" else "orange"), *events])
    latest = WEBHOOK_SECRET.get()
    if latest is not None and latest[0] == webhook.id:
        draw_one_time_secret(
            latest[1],
            f"The secret of {redact_url(webhook.url)}",
            "It signs every delivery and is shown only once. Store it where the receiver can read it.",
            key="secret",
            on_stored=partial(WEBHOOK_SECRET.set, None),
        )


def draw_inbox(webhook_id: str) -> None:
    with failure_panel("The inbox"):
        draw_inbox_messages(queries.load_inbox(deployment, webhook_id))


def draw_webhook(webhook: Webhook) -> None:
    draw_header(webhook)
    draw_sample_notice(deployment, [webhook.id])
    has_detail = queries.has_operation(deployment, "GET /v1/webhooks/{}")
    is_enabled = True
    if has_detail:
        with failure_panel("The health of this webhook"):
            detail = queries.load_webhook_detail(deployment, webhook.id)
            is_enabled = detail.enabled
            draw_webhook_health(detail, datetime.now(UTC))
    draw_webhook_actions(deployment, webhook, is_enabled=is_enabled)
    # A deployment that describes a webhook also filters its deliveries.
    draw_deliveries = partial(draw_delivery_list, deployment, webhook, has_filters=has_detail)
    if is_inbox(webhook) and queries.has_operation(deployment, "GET /v1/webhooks/{}/inbox"):
        inbox = st.fragment(draw_inbox, run_every=REFRESH_SECONDS)
        draw_tabs({"Deliveries": draw_deliveries, "Inbox": partial(inbox, webhook.id)}, key="view")
    else:
        draw_heading("Deliveries")
        draw_deliveries()


def draw_webhook_or_delivery(webhook: Webhook) -> None:
    event_id = st.query_params.get("event")
    if event_id:
        with failure_panel("This delivery"):
            draw_delivery(deployment, webhook, event_id)
    else:
        draw_webhook(webhook)


draw_record_page(
    "webhook",
    icon="webhook",
    list_page="webhooks",
    load=find_webhook,
    draw=draw_webhook_or_delivery,
    shows_id="event" not in st.query_params,
)
