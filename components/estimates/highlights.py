"""The badges of a scope that is the best of several side by side."""

from collections.abc import Sequence

import streamlit as st


def draw_highlights(highlights: Sequence[str]) -> None:
    """Draw a badge for each highlight."""
    if highlights:
        with st.container(horizontal=True):
            for mark in highlights:
                st.badge(mark, icon=":material/star:", color="green")
