"""A table of the deliveries of one webhook."""

from collections.abc import Mapping, Sequence
from datetime import UTC, tzinfo

import streamlit as st

from app.contract.webhooks import WebhookEvent
from components.elements.table import Row, draw_table
from components.webhooks.fixtures import make_deliveries
from components.webhooks.response_advice import STATUS_STYLES, format_status


def draw_delivery_table(records: Sequence[WebhookEvent], *, key: str, zone: tzinfo) -> str | None:
    """Draw the deliveries and return the id of the one whose button was just pressed."""
    opened = f"{key}-opened"
    draw_table(
        [_make_row(record, zone) for record in records],
        key=key,
        alt=f"{len(records)} deliveries, newest first",
        columns={
            "Open": st.column_config.ButtonColumn("", type="tertiary", width="small", key=opened),
            "State": st.column_config.TextColumn(width="small"),
            "Response": st.column_config.TextColumn(),
            "Attempts": st.column_config.NumberColumn(width="small", format="%d"),
            "Created": st.column_config.DatetimeColumn(format="YYYY-MM-DD HH:mm:ss"),
            "Last attempt": st.column_config.DatetimeColumn(format="YYYY-MM-DD HH:mm:ss"),
            "Next attempt": st.column_config.DatetimeColumn(format="YYYY-MM-DD HH:mm:ss"),
            "Id": st.column_config.TextColumn(),
        },
    )
    click: Mapping[str, int] | None = st.session_state.get(opened)
    row = click["row"] if click else len(records)
    return records[row].id if row < len(records) else None


def _make_row(record: WebhookEvent, zone: tzinfo) -> Row:
    word = STATUS_STYLES.get(record.status, (record.status, "", ""))[0]
    code = int(record.response_status)
    return {
        "Open": ":material/open_in_full: Open",
        "State": word,
        "Response": format_status(code) if code or record.attempts else "",
        "Attempts": int(record.attempts),
        "Created": record.created_at and record.created_at.astimezone(zone),
        "Last attempt": record.last_attempt_at and record.last_attempt_at.astimezone(zone),
        "Next attempt": record.next_attempt_at and record.next_attempt_at.astimezone(zone),
        "Id": record.id,
    }


def example() -> None:
    draw_delivery_table(make_deliveries(), key="example-deliveries", zone=UTC)
