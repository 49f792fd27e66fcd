"""Tabs of a page, of which only the open one is drawn."""

from collections.abc import Callable, Mapping

import streamlit as st


def draw_tabs(bodies: Mapping[str, Callable[[], object]], *, key: str, default: str | None = None) -> None:
    """Draw a tab for each name and call the body of the open one. The open tab is in the address (`?key=`).

    Each page has a `key` of its own: the browser remembers the open tab by its key across pages, and would
    write the tab of one page into the address of another.
    """
    tabs = st.tabs(list(bodies), default=default, key=key, bind="query-params")
    for tab, draw_body in zip(tabs, bodies.values(), strict=True):
        with tab:
            if tab.open:
                draw_body()


def open_tab(name: str, *, key: str) -> None:
    """Open a tab in the next run. To be called from a callback, before the tabs are drawn."""
    st.session_state[key] = name
