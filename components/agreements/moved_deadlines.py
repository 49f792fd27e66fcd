"""The deadlines that other working days would move."""

import streamlit as st

from app.contract.agreements import MovedDeadlines
from components.elements.record_table import LEFT, RIGHT, RecordRow, draw_record_table
from components.formatting.counts import format_count, format_date


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
