"""The head of a page: where one is, what it is called, and what marks it."""

from collections.abc import Iterable
from typing import Literal

import streamlit as st

from components.plain import plain

Colour = Literal["red", "orange", "yellow", "blue", "green", "violet", "gray", "primary"]


def page_header(title: str, *, caption: str | None = None, badges: Iterable[tuple[str, Colour]] = ()) -> None:
    """A title with its badges in one row, and a caption under it. Foreign text stands as it is written."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.title(plain(title), width="content", anchor=False)
        for label, colour in badges:
            st.badge(plain(label), color=colour)
    if caption:
        st.caption(plain(caption))


def example() -> None:
    page_header("Acme Cloud", caption="acme.example", badges=[("discontinued", "orange")])
