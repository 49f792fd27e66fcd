"""A table of the registered webhooks, with their health where the deployment reports it."""

from collections.abc import Mapping, Sequence
from datetime import datetime

import streamlit as st

from app.contract.events import EVENT_NAMES
from app.contract.webhooks import Webhook, WebhookDetail
from components.elements.clickable_table import draw_clickable_table
from components.elements.table import Columns, Row
from components.fixtures import NOON, make_id
from components.formatting.datetimes import format_relative_time
from components.webhooks.curl_command import redact_url
from components.webhooks.fixtures import make_webhook_detail
from components.webhooks.inbox_messages import is_inbox

_HEALTH_COLUMNS: Columns = {
    "State": st.column_config.TextColumn(width="small"),
    "Succeeded": st.column_config.NumberColumn(width="small", format="%.1f %%"),
    "Last failure": st.column_config.TextColumn(),
    "Median": st.column_config.NumberColumn(width="small", format="%d ms"),
    "95th percentile": st.column_config.NumberColumn(
        width="small", format="%d ms", help="95 % of the attempts took no longer"
    ),
    "24 hours": st.column_config.BarChartColumn(width="small", help="Attempts by the hour"),
}
_BASIC_COLUMNS: Columns = {"Events": st.column_config.TextColumn(width="medium")}


def draw_webhook_table(
    webhooks: Sequence[Webhook],
    *,
    key: str,
    now: datetime,
    details: Mapping[str, WebhookDetail] | None = None,
) -> str | None:
    """Draw the webhooks and return the id of the one that was chosen. `details` are by id, of those that are
    known."""
    known = details or {}
    chosen = draw_clickable_table(
        [_make_row(webhook, known.get(webhook.id), now) for webhook in webhooks],
        key=key,
        alt=f"{len(webhooks)} webhooks, newest first",
        button_column="Address",
        columns={**(_HEALTH_COLUMNS if known else {}), **_BASIC_COLUMNS},
    )
    return None if chosen is None else webhooks[chosen].id


def _make_row(webhook: Webhook, detail: WebhookDetail | None, now: datetime) -> Row:
    address = "Built-in inbox" if is_inbox(webhook) else redact_url(webhook.url)
    row: dict[str, object] = {"Address": address, "Events": _format_events(webhook)}
    if detail is None:
        return row
    health = detail.health
    failure = (health.last_failure or "failed").replace("_", " ")
    return row | {
        "State": "on" if detail.enabled else "off",
        "Succeeded": None if health.success_rate is None else health.success_rate * 100,
        "Median": health.median_ms,
        "95th percentile": health.p95_ms,
        "24 hours": [hour.succeeded + hour.failed for hour in health.hours],
        "Last failure": f"{failure}, {format_relative_time(health.last_failure_at, now)}"
        if health.last_failure_at
        else None,
    }


def _format_events(webhook: Webhook) -> str:
    return "all events" if set(webhook.events) == set(EVENT_NAMES) else ", ".join(webhook.events)


def example() -> None:
    webhook = Webhook(id=make_id(1), url="https://user:pass@example.com/hooks", events=["scope.extracted"])
    draw_webhook_table([webhook], key="example-webhooks", now=NOON)
    draw_webhook_table(
        [webhook],
        key="example-webhooks-health",
        now=NOON,
        details={webhook.id: make_webhook_detail()},
    )
