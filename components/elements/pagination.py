"""The pages of a list: the number that the address asks for, and the buttons of the pages.

The page is counted from 1 (`?key=3`). Each list has a key of its own: the browser session keeps what is
bound to the address, and would open the next list at the page of the one before.
"""

import streamlit as st

from app.contract.page import Pagination
from components.formatting import format_count

_MAX_PAGE = 10_000_000


def read_page_number(key: str) -> int:
    """Return the page that was clicked or is in the address; 1 for anything that is not a number."""
    page = st.session_state.get(key)
    if page is None:
        text = st.query_params.get(key, "1")
        page = int(text) if text.isascii() and text.isdigit() else 1
    return max(1, min(int(page), _MAX_PAGE))


def go_to_first_page(key: str) -> None:
    """Go back to the first page in the next run: another filter makes another list. To be called from a
    callback, before the buttons of the pages are drawn."""
    if key in st.session_state:  # a widget is bound to the parameter, which is then not to be changed itself
        st.session_state[key] = 1
    else:
        st.query_params.pop(key, None)


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
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"{first:,} to {last:,} of {total}", width="content")
        st.pagination(pages, key=key, bind="query-params", width="stretch")


def draw_pager(key: str, *, page: int, limit: int, shown: int, has_more: bool, nouns: str, note: str) -> None:
    """Draw "51 to 100 deliveries, newest first" with the note, and a button for each neighbouring page that
    exists."""
    first = (page - 1) * limit
    range_text = f"{first + 1:,} to {first + shown:,}" if page > 1 or has_more else f"{shown:,}"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"{range_text} {nouns}, newest first. {note}", width="content")
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
