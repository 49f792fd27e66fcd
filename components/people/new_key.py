"""A new API key, which is shown only once."""

from collections.abc import Callable

import streamlit as st

from components.formatting.escape_markdown import escape_markdown


def draw_new_key(api_key: str, name: str, *, key: str, on_stored: Callable[[], None]) -> None:
    """Draw the key with a button to copy it, until the reader confirms that it is stored."""
    with st.container(border=True, key=key):
        st.markdown(f":material/key: **The new key “{escape_markdown(name)}”**")
        st.code(api_key, language=None)
        st.caption("It is shown only once. Copy it now and store it where only its program can read it.")
        st.button("I have stored it", key=f"{key}-stored", on_click=on_stored, icon=":material/check:")
