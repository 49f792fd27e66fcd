"""The deliveries of a webhook: filters and table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from functools import partial
from typing import cast

import streamlit as st

from app.contract.events import EventName
from app.contract.webhooks import DeliveryQuery, DeliveryStatus, WebhookEvent
from components.elements.pagination import go_to_first_page
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
ANY_EVENT = "Any event"
_DEFAULTS = {"state": "Any state", "answer": "Any response", "since": "Any time", "type": ANY_EVENT}


@dataclass(frozen=True)
class DeliveryFilter:
    """The filter; None leaves a condition out. `status_class` is 2 for 2xx, 0 for no response."""

    state: DeliveryStatus | None = None
    status_class: int | None = None
    age: timedelta | None = None
    event: EventName | None = None

    def __bool__(self) -> bool:
        return self != DeliveryFilter()

    def get_start(self, now: datetime) -> datetime | None:
        """Return the earliest creation time, cut to the minute so that reads within it are cached."""
        return None if self.age is None else (now - self.age).replace(second=0, microsecond=0)

    def as_query(self, now: datetime) -> DeliveryQuery:
        return {
            "status": self.state,
            "event_type": self.event,
            "response_class": self.status_class,
            "since": self.get_start(now),
        }

    def matches(self, record: WebhookEvent, now: datetime) -> bool:
        """Return whether a record passes, where the deployment does not filter. Records do not state their
        event."""
        if self.state is not None and record.status != self.state:
            return False
        if self.status_class is not None and (
            int(record.response_status) // 100 != self.status_class or not record.attempts
        ):
            return False
        since = self.get_start(now)
        return since is None or (record.created_at is not None and record.created_at >= since)


def draw_delivery_filters(events: Sequence[str], *, page_key: str) -> DeliveryFilter:
    """Draw the filters; `events` are the choices, empty for a deployment that does not filter by event.
    Another choice goes back to the first page of the list, whose number is under `page_key`."""
    with st.container(horizontal=True, vertical_alignment="bottom"):

        def choose(label: str, options: Sequence[str], key: str, width: int = 150) -> str:
            return st.selectbox(
                label,
                options,
                key=key,
                bind="query-params",
                width=width,
                on_change=partial(go_to_first_page, page_key),
            )

        state = choose("State", [*STATES], "state")
        answer = choose("Response", [*STATUS_CLASSES], "answer")
        age = choose("Created", [*AGES], "since")
        event = choose("Event", [ANY_EVENT, *events], "type", 270) if len(events) > 1 else ANY_EVENT
    # The deployment may have words of its own: it judges them, not the type.
    return DeliveryFilter(
        cast(DeliveryStatus | None, STATES.get(state)),
        STATUS_CLASSES.get(answer),
        AGES.get(age),
        None if event == ANY_EVENT else cast(EventName, event),
    )


def clear_filters() -> None:
    """Reset all filters, for a callback."""
    for key, everything in _DEFAULTS.items():
        st.session_state[key] = everything


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
