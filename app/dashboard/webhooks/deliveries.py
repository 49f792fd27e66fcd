"""The deliveries of a webhook, and one of them in full."""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Any

import streamlit as st

from app.contract.webhooks import DeliveryAttempt, Webhook, WebhookEvent
from app.dashboard import navigation
from app.dashboard.api import queries
from app.dashboard.api.write_button import write_button
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from app.dashboard.kit.filtered_list import ChoiceFilter, Empty, FilterBar
from components.elements.page_header import draw_identifier, draw_page_header, shorten_identifier
from components.elements.pagination import draw_pager, go_to_first_page, read_page_number
from components.formatting.datetimes import format_local_seconds
from components.formatting.texts import escape_markdown
from components.webhooks.delivery_detail import (
    AGES,
    STATES,
    STATUS_CLASSES,
    draw_attempt_timeline,
    draw_delivery_detail,
    draw_delivery_state,
    draw_delivery_table,
    draw_next_attempt,
)
from components.webhooks.signature_steps import redact_url

PAGE = "page"
REFRESH_SECONDS = 5.0
ROWS = 50


def draw_delivery_list(deployment: Deployment, webhook: Webhook, *, has_filters: bool) -> None:
    """Draw the filters and the deliveries; both are in the address. `has_filters`: the deployment filters and
    pages by itself."""
    filters = [
        ChoiceFilter("State", "state", STATES, "status"),
        ChoiceFilter("Response", "answer", STATUS_CLASSES, "response_class"),
        ChoiceFilter("Created", "since", AGES, "since"),
    ]
    if has_filters and len(webhook.events) > 1:
        events = {"Any event": None, **{event: event for event in webhook.events}}
        filters.append(ChoiceFilter("Event", "type", events, "event_type"))
    bar = FilterBar(filters, partial(go_to_first_page, PAGE))
    bar.draw()
    is_live = st.toggle("Live", value=True, key="live", bind="query-params", help="Refreshes automatically")
    draw = st.fragment(_draw_deliveries, run_every=REFRESH_SECONDS if is_live else None)
    draw(deployment, webhook.id, bar, has_filters)


def _draw_deliveries(deployment: Deployment, webhook_id: str, bar: FilterBar, has_filters: bool) -> None:
    with failure_panel("The list of deliveries"):
        page = read_page_number(PAGE)
        now = datetime.now(UTC)
        records, has_more = _load_page(deployment, webhook_id, bar.read(), has_filters, page, now)
        if records:
            draw_delivery_table(records, webhook_id=webhook_id)
            draw_pager(
                PAGE,
                page=page,
                limit=ROWS,
                shown=len(records),
                has_more=has_more,
                nouns="deliveries" if len(records) > 1 or page > 1 else "delivery",
            )
            st.caption(f"Checked at {format_local_seconds(now)}")
        elif page > 1:
            Empty(
                "No deliveries on this page",
                "The list has become shorter.",
                "first_page",
                "Show the newest deliveries",
                partial(go_to_first_page, PAGE),
            ).draw("newest")
        elif bar.is_set:
            Empty(
                "No match",
                "No delivery matches these filters.",
                "filter_alt_off",
                "Show all deliveries",
                bar.clear,
            ).draw("show-all")
        else:
            Empty(
                "No deliveries yet",
                "None of the events that this webhook receives has happened yet.",
                "outbox",
            ).draw("none-yet")


def _load_page(
    deployment: Deployment,
    webhook_id: str,
    wanted: Mapping[str, Any],
    has_filters: bool,
    page: int,
    now: datetime,
) -> tuple[list[WebhookEvent], bool]:
    """Return the deliveries of the page, and whether there are more. A deployment that gives its newest
    deliveries only has them filtered here, where records do not state their event."""
    # Cut to the minute, so that reads within it are cached.
    since = (now - wanted["since"]).replace(second=0, microsecond=0) if wanted["since"] else None
    offset = (page - 1) * ROWS
    if has_filters:
        answer = queries.load_webhook_events(
            deployment, webhook_id, **{**wanted, "since": since}, limit=ROWS, offset=offset
        )
        return answer.data, answer.more
    status, response_class = wanted["status"], wanted["response_class"]
    matching = [
        one
        for one in queries.load_webhook_events(deployment, webhook_id).data
        if status in (None, one.status)
        and (response_class is None or (one.attempts and int(one.response_status) // 100 == response_class))
        and (since is None or (one.created_at is not None and one.created_at >= since))
    ]
    return matching[offset : offset + ROWS], len(matching) > offset + ROWS


FINAL_STATES = frozenset({"succeeded", "failed"})
FOLLOW_SECONDS = 1.0


def draw_delivery(deployment: Deployment, webhook: Webhook, event_id: str) -> None:
    navigation.draw_link(
        "webhook",
        f"Deliveries to {escape_markdown(redact_url(webhook.url))}",
        icon="arrow_back",
        id=webhook.id,
    )
    record = queries.load_webhook_event(deployment, webhook.id, event_id)
    draw_page_header(
        f"Delivery {shorten_identifier(event_id)}", caption=str(record.data.body.get("eventType", "")) or None
    )
    run_every = None if record.status in FINAL_STATES else FOLLOW_SECONDS
    st.fragment(_follow, run_every=run_every)(deployment, webhook.id, record)
    write_button(
        deployment,
        "Send again",
        name=f"redeliver-{event_id}",
        operation="POST /v1/webhooks/{}/events/{}/redeliver",
        what="Sending again",
        write=lambda client, key: client.webhooks.redeliver(webhook.id, event_id, idempotency_key=key),
        icon="replay",
    )
    attempts: list[DeliveryAttempt] = []
    if queries.has_operation(deployment, "GET /v1/webhooks/{}/events/{}/attempts"):
        with failure_panel("The list of attempts"):
            attempts = queries.load_attempts(deployment, webhook.id, event_id)
    latest = attempts[-1] if attempts else None
    draw_delivery_detail(record, webhook.url, key="delivery", now=datetime.now(UTC), latest=latest)
    if attempts:
        st.subheader("Attempts", anchor=False)
        st.fragment(_draw_countdown, run_every=run_every)(record)
        draw_attempt_timeline(attempts)
    draw_identifier("Delivery", event_id)


def _draw_countdown(record: WebhookEvent) -> None:
    draw_next_attempt(record, datetime.now(UTC))


def _follow(deployment: Deployment, webhook_id: str, known: WebhookEvent) -> None:
    """Draw the state with its countdown, and the whole page anew once the delivery changes."""
    draw_delivery_state(known, datetime.now(UTC))
    with failure_panel("Following the delivery"):
        current = queries.load_webhook_event(deployment, webhook_id, known.id)
        if current.updated_at != known.updated_at:
            for read in (queries.load_webhook_detail, queries.load_attempts, queries.load_inbox):
                read.clear()
            st.rerun()
