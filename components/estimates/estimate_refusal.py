"""A scope that could not be estimated. That is no failure: the text says what it means and what would
help."""

import streamlit as st

from components.formatting.escape_markdown import escape_markdown


def draw_estimate_refusal(reason: str, request_id: str | None) -> None:
    """Draw the refusal; `reason` comes from the deployment and says what would help."""
    st.info(escape_markdown(reason), icon=":material/help:")
    if request_id:
        st.caption(f"request `{request_id}`")
