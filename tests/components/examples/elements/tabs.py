import streamlit as st

from components.elements.tabs import draw_tabs


def example() -> None:
    draw_tabs(
        {"Products": lambda: st.markdown("Two products."), "Questions": lambda: st.markdown("None.")},
        key="example-tabs",
    )
