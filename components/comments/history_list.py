"""What was done to a scope, a negotiation or an agreement, newest first."""

from collections.abc import Sequence
from datetime import tzinfo

import streamlit as st

from app.contract.comments import CommentedKind, HistoryEntry
from components.comments.kinds import name_kind
from components.elements.empty_state import draw_empty_state
from components.formatting.datetimes import format_local_time, format_utc
from components.formatting.escape_markdown import escape_markdown

_ICONS = {"person": "person", "key": "key", "background": "settings"}


def draw_history(entries: Sequence[HistoryEntry], zone: tzinfo, *, kind: CommentedKind) -> None:
    """Draw a line for each entry: when, by whom and what."""
    if not entries:
        draw_empty_state(
            "Nothing on record", f"Nothing was recorded about this {name_kind(kind)} yet.", icon="history"
        )
    for entry in entries:
        icon = "chat_bubble" if entry.comment_id else _ICONS.get(entry.actor_kind, "circle")
        time = escape_markdown(format_local_time(entry.at, zone))
        st.markdown(
            f":material/{icon}: {escape_markdown(entry.text)}  \n:small[:gray[{time}]]",
            help=format_utc(entry.at) or None,
        )
