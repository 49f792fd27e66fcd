"""The base of exchange rates in a file that names none."""

import streamlit as st

DEFAULT_BASE = "EUR"


def draw_base_currency(base: str | None, *, key: str) -> str:
    """Draw the field and return the code that is entered now, in capitals."""
    entered = st.text_input(
        "Base currency",
        value=base or DEFAULT_BASE,
        max_chars=3,
        key=key,
        width=160,
        help="One unit of it is worth what each rate says. The file has no column for it.",
    )
    return entered.strip().upper()


def example() -> None:
    draw_base_currency(None, key="example-base")
