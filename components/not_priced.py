"""A scope of which no price can be said. A refusal is no fault: say what it means and what helps."""

import streamlit as st

from components.plain import plain


def draw_not_priced(reason: str, request_id: str | None) -> None:
    """`reason` is the deployment's own."""
    st.info(
        f"**No price can be said.** {plain(reason)}  \n"
        "An estimate needs purchases that are alike: of these products, in this currency. Import purchases, "
        "or try a scope with fewer products.",
        icon=":material/help:",
    )
    if request_id:
        st.caption(f"request `{request_id}`")


def example() -> None:
    draw_not_priced("No comparable purchase in USD.", "018df229")
