"""The deliveries of a webhook as a table, and what they are found by."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta, tzinfo

from app.contract.webhooks import WebhookEvent
from components.elements.record_table import Column, draw_record_table
from components.formatting.datetimes import format_local_seconds
from components.webhooks.response_advice import STATUS_STYLES, format_status

STATES: Mapping[str, str | None] = {
    "Any state": None,
    **{word.capitalize(): state for state, (word, _, _) in STATUS_STYLES.items()},
}
STATUS_CLASSES = {"Any response": None, "2xx": 2, "3xx": 3, "4xx": 4, "5xx": 5, "No response": 0}
AGES = {
    "Any time": None,
    "Last hour": timedelta(hours=1),
    "Last day": timedelta(days=1),
    "Last week": timedelta(days=7),
}


def draw_delivery_table(records: Sequence[WebhookEvent], *, webhook_id: str, zone: tzinfo) -> None:
    """Draw the deliveries of the webhook."""
    draw_record_table(
        records,
        {
            "Created": Column(lambda one: _format_seconds(one.created_at, zone) or "unknown"),
            "Event": Column(lambda one: one.event_type, optional=True),
            "State": Column(lambda one: STATUS_STYLES.get(one.status, (one.status, "", ""))[0]),
            "Response": Column(
                lambda one: (
                    format_status(int(one.response_status))
                    if int(one.response_status) or one.attempts
                    else None
                )
            ),
            "Attempts": Column(lambda one: int(one.attempts), "right"),
            "Last attempt": Column(lambda one: _format_seconds(one.last_attempt_at, zone)),
            "Next attempt": Column(lambda one: _format_seconds(one.next_attempt_at, zone), optional=True),
        },
        link=lambda one: ("webhook", {"id": webhook_id, "event": one.id}),
        alt=f"{len(records)} deliveries, newest first",
    )


def _format_seconds(at: datetime | None, zone: tzinfo) -> str | None:
    return None if at is None else format_local_seconds(at, zone)
