"""The form that registers a webhook, the buttons that act on one, its deliveries, and one of them in full."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import streamlit as st

from app.contract.events import EVENT_NAMES, EVENTS
from app.contract.webhooks import DeliveryAttempt, NewWebhook, Webhook, WebhookEvent
from app.dashboard import navigation
from app.dashboard.api import queries
from app.dashboard.api.write_button import confirmed_write, write_button
from app.dashboard.deployment import Deployment
from app.dashboard.failure_panel import failure_panel
from app.dashboard.kit.filtered_list import ChoiceFilter, Empty, FilterBar
from app.dashboard.kit.form import Form
from app.dashboard.session_values import WEBHOOK_SECRET
from components.elements.form_fields import Field, Fields
from components.elements.page_header import (
    draw_heading,
    draw_identifier,
    draw_page_header,
    shorten_identifier,
)
from components.elements.pagination import draw_pager, go_to_first_page, read_page_number
from components.formatting import escape_markdown, format_local_seconds
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
LIVE = "live"
"""Of the address: `false` where the list stands still."""
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
    is_live = st.query_params.get(LIVE) != "false"
    st.button(
        "Stop updating" if is_live else "Update by itself",
        key="live-button",
        icon=":material/pause:" if is_live else ":material/play_arrow:",
        on_click=partial(_set_live, not is_live),
    )
    draw = st.fragment(_draw_deliveries, run_every=REFRESH_SECONDS if is_live else None)
    draw(deployment, webhook.id, bar, has_filters)


def _set_live(is_live: bool) -> None:
    if is_live:
        st.query_params.pop(LIVE, None)
    else:
        st.query_params[LIVE] = "false"


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
                note=f"Checked at {format_local_seconds(now)}",
            )
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
        draw_heading("Attempts")
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


def make_webhook_form(deployment: Deployment) -> Form[NewWebhook]:
    """Return the form with the address and a tick box for each event."""
    return Form(
        deployment,
        "webhook",
        NewWebhook,
        (
            Field(
                "url", "Address", kind="address", most=2000, placeholder="https://example.com/hooks/parley"
            ),
            *(
                Field(one.event_name, f"`{one.event_name}`", kind="flag", default=True, help=one.explanation)
                for one in EVENTS
            ),
        ),
        shape=_shape,
        check_fields=_check,
        places={"events": "events"},
    )


def _shape(values: Fields) -> dict[str, Any]:
    return {"url": values.get("url"), "events": [name for name in EVENT_NAMES if values.get(name)]}


def _check(values: Fields) -> dict[str, str]:
    """Only the service decides whether the address may be called."""
    faults: dict[str, str] = {}
    try:
        parts = urlsplit(str(values.get("url") or ""))
        is_complete = parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:
        is_complete = False
    if not is_complete:
        faults["url"] = "Enter a full address that starts with https:// or http://."
    if not any(values.get(name) for name in EVENT_NAMES):
        faults["events"] = "Choose at least one event."
    return faults


def draw_webhook_actions(deployment: Deployment, webhook: Webhook, *, is_enabled: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        write_button(
            deployment,
            "Send a test",
            name=f"test-{webhook.id}",
            operation="POST /v1/webhooks/{}/test",
            what="Sending a test",
            write=lambda client, key: client.webhooks.test(webhook.id, idempotency_key=key),
            icon="send",
            disabled=not is_enabled,
        )
        write_button(
            deployment,
            "Turn off" if is_enabled else "Turn on",
            # A click on what another person has switched meanwhile must not switch it back.
            name=f"turn-{'off' if is_enabled else 'on'}-{webhook.id}",
            operation="PATCH /v1/webhooks/{}",
            what="Changing the webhook",
            write=lambda client, _: client.webhooks.update(webhook.id, enabled=not is_enabled),
            icon="pause" if is_enabled else "play_arrow",
        )
        write_button(
            deployment,
            "Resend failures of the last day",
            name=f"again-{webhook.id}",
            operation="POST /v1/webhooks/{}/events/redeliver",
            what="Sending again",
            # The body differs from try to try, so the key of an earlier one would be refused.
            write=lambda client, _: client.webhooks.redeliver_since(
                webhook.id, datetime.now(UTC) - timedelta(days=1)
            ),
            icon="replay",
            disabled=not is_enabled,
        )
        write_button(
            deployment,
            "Create a new secret",
            name=f"rotate-{webhook.id}",
            operation="POST /v1/webhooks/{}/secret",
            what="Creating a new secret",
            write=lambda client, key: client.webhooks.rotate_secret(webhook.id, idempotency_key=key),
            on_success=lambda rotated: WEBHOOK_SECRET.set((webhook.id, rotated.secret)),
            icon="key",
            help="The previous secret stays valid for 24 hours",
        )
        confirmed_write(
            deployment,
            "Delete",
            "It will receive nothing more, and its deliveries can no longer be seen. This cannot be undone.",
            confirm="Delete this webhook",
            name=f"delete-{webhook.id}",
            operation="DELETE /v1/webhooks/{}",
            what="Deleting the webhook",
            write=lambda client, _: client.webhooks.delete(webhook.id),
            on_success=lambda _: navigation.open_page("webhooks"),
            icon="delete",
        )
