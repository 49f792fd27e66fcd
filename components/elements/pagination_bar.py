"""Page numbers of a list whose length is known."""

import streamlit as st

from app.contract.page import Pagination
from components.elements.page_number import read_page_number
from components.formatting.counts import format_count


def read_page_offset(key: str, limit: int) -> int:
    """Return the offset of the page that was clicked or is in the address (`?key=3`)."""
    return (read_page_number(key) - 1) * limit


def draw_pagination_bar(pagination: Pagination, key: str, noun: str, nouns: str | None = None) -> None:
    """Draw "11 to 20 of 80 companies" and the page buttons, which set `?key=` in the address."""
    pages = max(1, -(-pagination.total // max(1, pagination.limit)))
    first = min(pagination.offset + 1, pagination.total)
    last = min(pagination.offset + pagination.limit, pagination.total)
    total = format_count(pagination.total, noun, nouns)
    if pages == 1:
        st.caption(total)
        return
    # In columns, because a horizontal container leaves too little room for the buttons.
    left, right = st.columns([1, 2], vertical_alignment="center")
    left.caption(f"{first:,} to {last:,} of {total}")
    with right.container(horizontal_alignment="right"):
        st.pagination(pages, key=key, bind="query-params")
