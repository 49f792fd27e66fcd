"""The head of a page: where one is, what it is called, and what marks it."""

from collections.abc import Iterable
from typing import Literal

import streamlit as st

Colour = Literal["red", "orange", "yellow", "blue", "green", "violet", "gray", "primary"]


def page_header(title: str, *, caption: str | None = None, badges: Iterable[tuple[str, Colour]] = ()) -> None:
    """A title with its badges in one row, and a caption under it."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.title(title, width="content", anchor=False)
        for label, colour in badges:
            st.badge(label, color=colour)
    if caption:
        st.caption(caption)


def example() -> None:
    page_header("Acme Cloud", caption="acme.example", badges=[("discontinued", "orange")])
