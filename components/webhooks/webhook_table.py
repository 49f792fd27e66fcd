"""A table of the registered webhooks, with their health where the deployment reports it."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from app.contract.events import EVENT_NAMES
from app.contract.webhooks import Webhook, WebhookDetail
from components.elements.record_table import (
    LEFT,
    RIGHT,
    Bars,
    Cell,
    RecordColumn,
    RecordRow,
    draw_record_table,
)
from components.formatting.datetimes import format_relative_time
from components.webhooks.curl_command import redact_url
from components.webhooks.inbox_messages import is_inbox

_HEALTH_COLUMNS = {
    "State": LEFT,
    "Succeeded": RIGHT,
    "Last failure": LEFT,
    "Median": RIGHT,
    "95th percentile": RecordColumn("right", "95 % of the attempts took no longer"),
    "24 hours": RecordColumn(help="Attempts by the hour"),
}


def draw_webhook_table(
    webhooks: Sequence[Webhook], *, now: datetime, details: Mapping[str, WebhookDetail] | None = None
) -> None:
    """Draw the webhooks. `details` are by id, of those that are known."""
    known = details or {}
    draw_record_table(
        [
            RecordRow("webhook", {"id": webhook.id}, _make_cells(webhook, known.get(webhook.id), now))
            for webhook in webhooks
        ],
        alt=f"{len(webhooks)} webhooks, newest first",
        columns={"Address": LEFT, **(_HEALTH_COLUMNS if known else {}), "Events": LEFT},
    )


def _make_cells(webhook: Webhook, detail: WebhookDetail | None, now: datetime) -> dict[str, Cell]:
    address = "Built-in inbox" if is_inbox(webhook) else redact_url(webhook.url)
    cells: dict[str, Cell] = {"Address": address, "Events": _format_events(webhook)}
    if detail is None:
        return cells
    health = detail.health
    failure = (health.last_failure or "failed").replace("_", " ")
    return cells | {
        "State": "on" if detail.enabled else "off",
        "Succeeded": None if health.success_rate is None else f"{health.success_rate * 100:.1f} %",
        "Median": _format_milliseconds(health.median_ms),
        "95th percentile": _format_milliseconds(health.p95_ms),
        "24 hours": Bars([hour.succeeded + hour.failed for hour in health.hours]),
        "Last failure": f"{failure}, {format_relative_time(health.last_failure_at, now)}"
        if health.last_failure_at
        else None,
    }


def _format_milliseconds(duration: float | None) -> str | None:
    return None if duration is None else f"{duration:,.0f} ms"


def _format_events(webhook: Webhook) -> str:
    return "all events" if set(webhook.events) == set(EVENT_NAMES) else ", ".join(webhook.events)
