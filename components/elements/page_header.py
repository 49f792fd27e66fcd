"""The header of a page: picture, title, badges and caption, and the title of the browser's tab."""

from collections.abc import Iterable
from typing import Literal

import streamlit as st

from components.elements.avatar import draw_avatar
from components.formatting.texts import escape_markdown

Colour = Literal["red", "orange", "yellow", "blue", "green", "violet", "gray", "primary"]


def draw_page_header(
    title: str,
    *,
    caption: str | None = None,
    badges: Iterable[tuple[str, Colour]] = (),
    picture: tuple[str, str | None] | None = None,
) -> None:
    """Draw the title with its badges in one row and the caption below. All texts are escaped. `picture` is a
    name and its icon, if it has one: the avatar before the title."""
    st.set_page_config(page_title=f"{title} · Parley")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if picture is not None:
            draw_avatar(*picture)
        st.title(escape_markdown(title), width="content", anchor=False)
        for label, colour in badges:
            st.badge(escape_markdown(label), color=colour)
    if caption:
        st.caption(escape_markdown(caption))
