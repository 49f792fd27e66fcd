"""The parts of a page, of which only the open ones are drawn.

A choice among buttons and no `st.tabs`, which takes the browser twenty times as long at every run.
"""

from collections.abc import Callable, Mapping

import streamlit as st

_HELD, _BEHIND = "tabs-held", "tabs-behind"


def draw_tabs(bodies: Mapping[str, Callable[[], object]], *, key: str, default: str | None = None) -> None:
    """Draw a button for each name, where there are several, and call the body of the open tab, which is in
    the address (`?key=`).

    Each page has a `key` of its own: the browser remembers the open tab by its key across pages, and would
    write the tab of one page into the address of another. While tabs are held, the body that was called last
    is called again, whichever tab is open.
    """
    names = list(bodies)
    opened = names[0]
    if len(names) > 1:
        opened = st.segmented_control(
            "View",
            names,
            key=key,
            default=default or opened,
            bind="query-params",
            required=True,
            label_visibility="collapsed",
        )
    drawn = f"{key}-drawn"
    before: str | None = st.session_state.get(drawn) if st.session_state.get(_HELD) else None
    called = before if before is not None and before in bodies else opened
    st.session_state[drawn] = called
    st.session_state[_BEHIND] = called != opened
    bodies[called]()


def draw_folds(bodies: Mapping[str, Callable[[], object]], *, key: str) -> None:
    """Draw a panel for each name, one below the other, and call the bodies of those that are open, which
    are in the address (`?key-name=true`)."""
    for name, body in bodies.items():
        fold = st.expander(name, key=f"{key}-{name}", bind="query-params")
        if fold.open:
            with fold:
                body()


def open_tab(name: str, *, key: str) -> None:
    """Open a tab in the next run. To be called from a callback, before the tabs are drawn."""
    st.session_state[key] = name


def hold_tabs() -> None:
    """Hold the tabs until `release_tabs`: what was clicked in one is finished there, though another one is
    opened before that."""
    st.session_state[_HELD] = True


def release_tabs() -> bool:
    """Let the open tab be drawn again. Return whether this run drew another one instead."""
    st.session_state.pop(_HELD, None)
    return bool(st.session_state.pop(_BEHIND, False))
