"""A list of what needs somebody's attention, the most urgent first."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import streamlit as st

from components.formatting.texts import escape_markdown

Urgency = Literal["red", "orange", "blue"]

_ICONS: dict[Urgency, str] = {"red": "error", "orange": "pending_actions", "blue": "info"}


@dataclass(frozen=True)
class AttentionItem:
    """One thing that needs attention; `page` and `query` are the address where it is dealt with."""

    title: str
    reason: str
    page: str
    query: tuple[tuple[str, str], ...] = ()
    urgency: Urgency = "orange"


def draw_attention_list(items: Sequence[AttentionItem], *, key: str) -> AttentionItem | None:
    """Draw the items and return the one that was opened."""
    order: list[Urgency] = ["red", "orange", "blue"]
    opened: AttentionItem | None = None
    for number, item in enumerate(sorted(items, key=lambda item: order.index(item.urgency))):
        with st.container(border=True, horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(
                f":{item.urgency}[:material/{_ICONS[item.urgency]}:] **"
                f"{escape_markdown(item.title)}**  \n"
                f"{escape_markdown(item.reason)}",
                width="stretch",
            )
            if st.button("Open", key=f"{key}-{number}", help=escape_markdown(item.title)):
                opened = item
    return opened
