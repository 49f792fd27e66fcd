"""An id, for those who ask for it."""

import streamlit as st


def draw_identifier(label: str, value: str) -> None:
    """Draw a button that opens the id of the record that `label` names, in a block whose button copies it."""
    with st.popover("Copy id", icon=":material/tag:", type="tertiary", key=f"id-{value}"):
        st.caption(label)
        st.code(value, language=None, width="content")


def shorten_identifier(value: str) -> str:
    """Return the last eight characters of an id: ids that sort by time begin alike."""
    return f"…{value[-8:]}" if len(value) > 12 else value
