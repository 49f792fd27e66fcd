"""A secret that is shown only once."""

from collections.abc import Callable

import streamlit as st

from components.formatting.texts import escape_markdown


def draw_one_time_secret(
    secret: str, title: str, advice: str, *, key: str, on_stored: Callable[[], None]
) -> None:
    """Draw `secret` with a button to copy it, until the reader confirms that it is stored. `advice` says
    where that is."""
    with st.container(border=True, key=key):
        st.markdown(f":material/key: **{escape_markdown(title)}**")
        st.code(secret, language=None)
        st.caption(advice)
        st.button("I have stored it", key=f"{key}-stored", on_click=on_stored, icon=":material/check:")
