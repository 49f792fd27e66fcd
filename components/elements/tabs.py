"""Tabs of a page, of which only the open one is drawn."""

from collections.abc import Callable, Mapping

import streamlit as st


def draw_tabs(
    bodies: Mapping[str, Callable[[], object]], *, key: str = "tab", default: str | None = None
) -> None:
    """Draw a tab for each name and call the body of the open one. The open tab is in the address (`?key=`).

    A page that gives a `default` needs a `key` of its own: the browser remembers tabs by their key across
    pages, and would write a tab that is not open by default into the address, which costs a step Back.
    """
    tabs = st.tabs(list(bodies), default=default, key=key, bind="query-params")
    for tab, draw_body in zip(tabs, bodies.values(), strict=True):
        with tab:
            if tab.open:
                draw_body()


def open_tab(name: str, *, key: str = "tab") -> None:
    """Open a tab in the next run. To be called from a callback, before the tabs are drawn."""
    st.session_state[key] = name


def example() -> None:
    draw_tabs(
        {"Products": lambda: st.markdown("Two products."), "Questions": lambda: st.markdown("None.")},
        key="example-tabs",
    )
