"""A table of the deliveries of one webhook."""

from collections.abc import Sequence
from datetime import datetime, tzinfo

from app.contract.webhooks import WebhookEvent
from components.elements.record_table import LEFT, RIGHT, Cell, RecordRow, draw_record_table
from components.formatting.datetimes import format_local_seconds
from components.webhooks.response_advice import STATUS_STYLES, format_status


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
            "State": LEFT,
            "Response": LEFT,
            "Attempts": RIGHT,
            "Last attempt": LEFT,
            "Next attempt": LEFT,
            "Id": LEFT,
        },
        optional=("Next attempt",),
    )


def _make_cells(record: WebhookEvent, zone: tzinfo) -> dict[str, Cell]:
    word = STATUS_STYLES.get(record.status, (record.status, "", ""))[0]
    code = int(record.response_status)
    return {
        "Created": format_local_seconds(record.created_at, zone) if record.created_at else "unknown",
        "State": word,
        "Response": format_status(code) if code or record.attempts else None,
        "Attempts": int(record.attempts),
        "Last attempt": _format_seconds(record.last_attempt_at, zone),
        "Next attempt": _format_seconds(record.next_attempt_at, zone),
        "Id": record.id,
    }


def _format_seconds(at: datetime | None, zone: tzinfo) -> str | None:
    return None if at is None else format_local_seconds(at, zone)
