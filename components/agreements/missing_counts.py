"""How many deadlines cannot be computed because something is not known."""

from collections.abc import Sequence

import streamlit as st

from app.contract.missing_details import MissingField
from components.agreements.agreement_words import label_field
from components.formatting.counts import format_count


def draw_missing_counts(fields: Sequence[MissingField], without_deadline: int) -> None:
    """Draw how many deadlines cannot be computed, and because of what."""
    if not without_deadline:
        st.caption("Every deadline can be computed; what is missing here is for reminders and comparisons.")
        return
    causes = ", ".join(
        f"{label_field(one.field).lower()} ({one.deadlines:,})" for one in fields if one.deadlines
    )
    st.warning(
        f"**{format_count(without_deadline, 'deadline')} cannot be computed.** Not known: {causes}.",
        icon=":material/event_busy:",
    )
