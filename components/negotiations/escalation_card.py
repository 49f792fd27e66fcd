"""A decision that a person must take: the options and the consequence of each."""

from collections.abc import Callable
from datetime import datetime, tzinfo

import streamlit as st

from app.contract.negotiation import Escalation, EscalationOption
from components.formatting.datetimes import format_deadline, format_local_time, format_utc
from components.formatting.escape_markdown import escape_markdown

DrawButton = Callable[[EscalationOption, str], None]
"""Draws the button that takes an option, with the given key."""

_REASON_LABELS = {
    "quote_above_walk_away": "above the walk-away",
    "quote_above_target": "above the target",
    "quote_within_target": "within the target",
    "evidence_thin": "little evidence",
    "scope_mismatch": "differs from what is asked",
    "supplier_silent": "no reply",
    "quote_expiring": "quote expires",
    "no_estimate": "no estimate",
    "scope_needed": "request needed",
    "contract_clause": "contract clause",
}


def draw_escalation_card(
    escalation: Escalation, *, now: datetime, zone: tzinfo, draw_button: DrawButton
) -> None:
    """Draw an open escalation with its options, whose buttons the caller draws, or a closed one with its
    outcome."""
    with st.container(border=True, key=f"escalation-{escalation.id}"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{escape_markdown(escalation.title)}**", width="content")
            st.badge(
                _REASON_LABELS.get(escalation.reason, escalation.reason.replace("_", " ")), color="orange"
            )
            if escalation.due_at and escalation.status == "open":
                st.caption(
                    format_deadline(escalation.due_at, now, zone),
                    help=format_utc(escalation.due_at),
                    width="content",
                )
        if escalation.description:
            st.markdown(escape_markdown(escalation.description))
        if escalation.status != "open":
            _draw_resolution(escalation, zone)
            return
        grid = st.grid(max(1, len(escalation.options)), min_column_width=190)
        for option in escalation.options:
            with grid.cell():
                _draw_option(escalation, option, draw_button)


def _draw_option(escalation: Escalation, option: EscalationOption, draw_button: DrawButton) -> None:
    """Draw the button of the option with its consequence below."""
    draw_button(option, f"decide-{escalation.id}-{option.decision}")
    recommended = "**Recommended.** " if is_recommended(escalation, option) else ""
    st.caption(f"{recommended}{escape_markdown(option.consequence)}")


def is_recommended(escalation: Escalation, option: EscalationOption) -> bool:
    """Return whether the service recommends this option."""
    return escalation.recommended == option.decision


def _draw_resolution(escalation: Escalation, zone: tzinfo) -> None:
    when = format_local_time(escalation.resolved_at or escalation.updated_at, zone)
    if escalation.status == "expired":
        st.caption(f"No longer needed since {when}.")
    else:
        what = (escalation.resolution or "decided").replace("_", " ")
        st.caption(f"Decided: {escape_markdown(what)}, {when}.")
