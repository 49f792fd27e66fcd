"""The page of a list whose length is known, as the address asks for it."""

from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st

from app.contract.page import ListPage
from components.elements.page_number import go_to_first_page
from components.elements.pagination_bar import read_page_offset

Page = TypeVar("Page", bound=ListPage[Any])


def load_list_page(key: str, rows: int, load: Callable[[int], Page]) -> Page:
    """Load the page of `rows` records that the address names (`?key=3`), and the last one where the list has
    become shorter than that; the address then names that one. `load` takes the offset."""
    page = load(read_page_offset(key, rows))
    if page.data or not page.pagination.total:
        return page
    last = (page.pagination.total - 1) // rows
    if last:
        st.session_state[key] = last + 1  # where the page buttons, which are drawn later, begin
    else:
        go_to_first_page(key)
    return load(last * rows)
