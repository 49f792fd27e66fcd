"""An id with a button that copies it."""

import streamlit as st


def draw_identifier(label: str, value: str) -> None:
    """Draw the id in a code block, whose copy button appears on hover and on focus."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(label, width="content")
        st.code(value, language=None, width="content", wrap_lines=True)


def shorten_identifier(value: str) -> str:
    """Return the last eight characters of an id: ids that sort by time begin alike."""
    return f"…{value[-8:]}" if len(value) > 12 else value
