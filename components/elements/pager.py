"""Buttons to newer and older pages of a list whose length is not known."""

import streamlit as st

from components.elements.page_number import go_to_first_page


def draw_pager(key: str, *, page: int, limit: int, shown: int, has_more: bool, nouns: str) -> None:
    """Draw "51 to 100 deliveries, newest first" and a button for each neighbouring page that exists."""
    first = (page - 1) * limit
    range_text = f"{first + 1:,} to {first + shown:,}" if page > 1 or has_more else f"{shown:,}"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"{range_text} {nouns}, newest first", width="content")
        if page > 1:
            st.button(
                "Newer",
                key=f"{key}-newer",
                on_click=_open_page,
                args=(key, page - 1),
                icon=":material/arrow_back:",
            )
        if has_more:
            st.button(
                "Older",
                key=f"{key}-older",
                on_click=_open_page,
                args=(key, page + 1),
                icon=":material/arrow_forward:",
            )


def _open_page(key: str, page: int) -> None:
    if page == 1:
        go_to_first_page(key)
    else:
        st.query_params[key] = str(page)
