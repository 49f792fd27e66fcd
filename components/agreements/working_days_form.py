"""The form of the days on which an organisation does not work, and the deadlines that it moves."""

from collections.abc import Mapping, Sequence
from typing import get_args

import streamlit as st

from app.contract.agreements import Holiday, MovedDeadlines, Weekday, WorkingDays
from components.elements.form_fields import draw_fault, read_fields, set_defaults
from components.elements.record_table import LEFT, RIGHT, RecordRow, draw_record_table
from components.formatting.counts import format_count, format_date

WEEKDAYS = get_args(Weekday)
FIELDS = (*WEEKDAYS, "holidays")


def draw_working_days_form(
    current: WorkingDays, *, key: str, faults: Mapping[str, str] | None = None
) -> None:
    """Draw the days of the week and the holidays, as they are stated now."""
    wrong = faults or {}
    set_defaults(key, read_values(current))
    st.markdown("No work on")
    with st.container(horizontal=True):
        for day in WEEKDAYS:
            st.checkbox(day.capitalize(), key=f"{key}/{day}", width="content", persist_state="page")
    draw_fault(wrong.get("weekend"))
    st.text_area(
        "Holidays, one a line",
        key=f"{key}/holidays",
        height=220,
        placeholder="2026-12-25 Christmas Day",
        help="The day as year, month and day, then its name. A list from a spreadsheet can be pasted.",
        persist_state="page",
    )
    draw_fault(wrong.get("holidays"))


def read_working_days_form(*, key: str) -> dict[str, object]:
    """Return what the form under `key` holds at this moment."""
    return read_fields(key, FIELDS)


def read_values(current: WorkingDays) -> dict[str, object]:
    """Return the days as they are stated, by the fields of the form."""
    return {"holidays": write_holidays(current.holidays), **{day: day in current.weekend for day in WEEKDAYS}}


def write_holidays(holidays: Sequence[Holiday]) -> str:
    """Return the holidays as the form shows them."""
    ordered = sorted(holidays, key=lambda one: one.date)
    return "\n".join(f"{one.date.isoformat()} {one.name or ''}".strip() for one in ordered)


def draw_moved_deadlines(moved: MovedDeadlines) -> None:
    """Draw which deadlines would move, each a link to its agreement."""
    if not moved.total:
        st.caption("No deadline moves.")
        return
    st.markdown(f"**{format_count(moved.total, 'deadline')} would move**")
    draw_record_table(
        [
            RecordRow(
                "contract",
                {"id": one.agreement_id},
                {
                    "Contract": one.name,
                    "Deadline now": format_date(one.current_deadline),
                    "Deadline then": format_date(one.moved_deadline),
                },
            )
            for one in moved.data
        ],
        alt=f"{format_count(len(moved.data), 'deadline')} that would move",
        columns={"Contract": LEFT, "Deadline now": RIGHT, "Deadline then": RIGHT},
    )
    if moved.total > len(moved.data):
        st.caption(f"The first {len(moved.data)} of {moved.total:,}.")
