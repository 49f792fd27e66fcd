"""The deliveries of a webhook as a table, and what they are found by."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta, tzinfo

from app.contract.webhooks import WebhookEvent
from components.elements.record_table import LEFT, RIGHT, Cell, RecordRow, draw_record_table
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
        [
            RecordRow("webhook", {"id": webhook_id, "event": record.id}, _make_cells(record, zone))
            for record in records
        ],
        alt=f"{len(records)} deliveries, newest first",
        columns={
            "Created": LEFT,
            "Event": LEFT,
            "State": LEFT,
            "Response": LEFT,
            "Attempts": RIGHT,
            "Last attempt": LEFT,
            "Next attempt": LEFT,
        },
        optional=("Event", "Next attempt"),
    )


def _make_cells(record: WebhookEvent, zone: tzinfo) -> dict[str, Cell]:
    word = STATUS_STYLES.get(record.status, (record.status, "", ""))[0]
    code = int(record.response_status)
    return {
        "Created": format_local_seconds(record.created_at, zone) if record.created_at else "unknown",
        "Event": record.event_type,
        "State": word,
        "Response": format_status(code) if code or record.attempts else None,
        "Attempts": int(record.attempts),
        "Last attempt": _format_seconds(record.last_attempt_at, zone),
        "Next attempt": _format_seconds(record.next_attempt_at, zone),
    }


def _format_seconds(at: datetime | None, zone: tzinfo) -> str | None:
    return None if at is None else format_local_seconds(at, zone)
