"""A secret that is shown only once."""

from collections.abc import Callable

import streamlit as st

from components.formatting.escape_markdown import escape_markdown


def draw_one_time_secret(secret: str, owner: str, *, key: str, on_stored: Callable[[], None]) -> None:
    """Draw `secret` with a button to copy it, until the reader confirms that it is stored."""
    with st.container(border=True, key=key):
        st.markdown(f":material/key: **The secret of {escape_markdown(owner)}**")
        st.code(secret, language=None)
        st.caption("It signs every delivery and is shown only once. Store it where the receiver can read it.")
        st.button("I have stored it", key=f"{key}-stored", on_click=on_stored, icon=":material/check:")
