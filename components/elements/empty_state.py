"""A panel in place of an empty list: why it is empty, and the next step."""

from collections.abc import Callable

import streamlit as st


def draw_empty_state(
    title: str,
    reason: str,
    *,
    icon: str = "inbox",
    action: str | None = None,
    on_action: Callable[[], None] | None = None,
    key: str | None = None,
) -> bool:
    """Draw the panel and return whether the `action` button was pressed. For a list without any entries the
    action creates one; where filters match nothing it clears them."""
    with st.container(border=True, horizontal_alignment="center", key=key and f"{key}-panel"):
        st.markdown(f":material/{icon}: **{title}**", width="content", text_alignment="center")
        st.caption(reason, width="content", text_alignment="center")
        if action is None:
            return False
        return st.button(action, key=key, on_click=on_action)
