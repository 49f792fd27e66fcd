"""Summaries of a negotiation, newest first, ready for an e-mail."""

from collections.abc import Sequence
from datetime import tzinfo

import streamlit as st

from app.contract.negotiation import ExecutiveSummary
from components.formatting.counts import format_count
from components.formatting.datetimes import format_local_time, format_utc
from components.formatting.escape_markdown import escape_markdown

_SHOWN = 3


def draw_executive_summaries(summaries: Sequence[ExecutiveSummary], zone: tzinfo, *, key: str) -> None:
    """Draw the newest three summaries, with the older ones folded away."""
    if not summaries:
        st.caption("No summaries yet.")
        return
    for at, summary in enumerate(summaries[:_SHOWN]):
        _draw(summary, zone, f"{key}-{at}")
    if len(summaries) > _SHOWN:
        with st.expander(format_count(len(summaries) - _SHOWN, "earlier summary", "earlier summaries")):
            for at, summary in enumerate(summaries[_SHOWN:], _SHOWN):
                _draw(summary, zone, f"{key}-{at}")


def format_for_mail(summary: ExecutiveSummary, zone: tzinfo) -> str:
    """Return the summary as plain text: subject, date, body."""
    return f"{summary.title}\n{format_local_time(summary.created_at, zone)}\n\n{summary.text.strip()}\n"


def _draw(summary: ExecutiveSummary, zone: tzinfo, key: str) -> None:
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{escape_markdown(summary.title)}**", width="content")
            st.caption(
                format_local_time(summary.created_at, zone),
                help=format_utc(summary.created_at) or None,
                width="content",
            )
            with st.popover("Copy for an email", icon=":material/mail:", type="tertiary", key=key):
                st.code(format_for_mail(summary, zone), language=None, wrap_lines=True)
        for paragraph in summary.text.split("\n"):
            if paragraph.strip():
                st.markdown(escape_markdown(paragraph))
