"""What waits for somebody: one line each, the most urgent first."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import streamlit as st

from components.formatting.escape_markdown import plain

Urgency = Literal["red", "orange", "blue"]

_ICONS: dict[Urgency, str] = {"red": "error", "orange": "pending_actions", "blue": "info"}


@dataclass(frozen=True)
class Matter:
    """`what` waits, and `why`; `where` names the page that it is dealt with on, `query` its address there."""

    what: str
    why: str
    where: str
    query: tuple[tuple[str, str], ...] = ()
    urgency: Urgency = "orange"


def attention_list(matters: Sequence[Matter], *, key: str) -> Matter | None:
    """Draw them; the one that was opened."""
    order: list[Urgency] = ["red", "orange", "blue"]
    opened: Matter | None = None
    for number, matter in enumerate(sorted(matters, key=lambda m: order.index(m.urgency))):
        with st.container(border=True, horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(
                f":{matter.urgency}[:material/{_ICONS[matter.urgency]}:] **{plain(matter.what)}**  \n"
                f"{plain(matter.why)}",
                width="stretch",
            )
            if st.button("Open", key=f"{key}-{number}", help=plain(matter.what)):
                opened = matter
    return opened


def example() -> None:
    attention_list(
        [
            Matter("Acme Cloud", "A counter-offer waits for your decision.", "negotiation"),
            Matter("https://example.com/hook", "3 deliveries failed.", "webhooks", urgency="red"),
        ],
        key="example-attention",
    )
