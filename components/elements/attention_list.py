"""What waits for somebody: one line each, the most urgent first."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import streamlit as st

from components.formatting.escape_markdown import escape_markdown

Urgency = Literal["red", "orange", "blue"]

_ICONS: dict[Urgency, str] = {"red": "error", "orange": "pending_actions", "blue": "info"}


@dataclass(frozen=True)
class AttentionItem:
    """`what` waits, and `why`; `where` names the page that it is dealt with on, `query` its address there."""

    title: str
    reason: str
    page: str
    query: tuple[tuple[str, str], ...] = ()
    urgency: Urgency = "orange"


def draw_attention_list(items: Sequence[AttentionItem], *, key: str) -> AttentionItem | None:
    """Draw them; the one that was opened."""
    order: list[Urgency] = ["red", "orange", "blue"]
    opened: AttentionItem | None = None
    for number, matter in enumerate(sorted(items, key=lambda m: order.index(m.urgency))):
        with st.container(border=True, horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(
                f":{matter.urgency}[:material/{_ICONS[matter.urgency]}:] **"
                f"{escape_markdown(matter.title)}**  \n"
                f"{escape_markdown(matter.reason)}",
                width="stretch",
            )
            if st.button("Open", key=f"{key}-{number}", help=escape_markdown(matter.title)):
                opened = matter
    return opened


def example() -> None:
    draw_attention_list(
        [
            AttentionItem("Acme Cloud", "A counter-offer waits for your decision.", "negotiation"),
            AttentionItem("https://example.com/hook", "3 deliveries failed.", "webhooks", urgency="red"),
        ],
        key="example-attention",
    )
