"""The page of a list that the address asks for (`?key=3`), counted from 1.

Each list has a key of its own: the browser session keeps what is bound to the address, and would open the
next list at the page of the one before.
"""

import streamlit as st

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
