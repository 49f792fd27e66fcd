"""The head of a page: where one is, what it is called, and what marks it."""

from collections.abc import Iterable
from typing import Literal

import streamlit as st

from components.elements.avatar import avatar
from components.formatting.escape_markdown import plain

Colour = Literal["red", "orange", "yellow", "blue", "green", "violet", "gray", "primary"]


def page_header(
    title: str,
    *,
    caption: str | None = None,
    badges: Iterable[tuple[str, Colour]] = (),
    picture: tuple[str, str | None] | None = None,
) -> None:
    """A title with its badges in one row, and a caption under it. Foreign text stands as it is written.
    `picture` is a name and its icon, if it has one: `avatar` draws it before the title."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if picture is not None:
            avatar(*picture)
        st.title(plain(title), width="content", anchor=False)
        for label, colour in badges:
            st.badge(plain(label), color=colour)
    if caption:
        st.caption(plain(caption))


def example() -> None:
    page_header("Acme Cloud", caption="acme.example", badges=[("discontinued", "orange")])
