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
        help="One unit of it is worth what each rate says",
    )
    return entered.strip().upper()


def draw_base_note(base: str | None) -> None:
    """Draw what the rates are rates of, which the file does not say."""
    st.caption(
        f"One {base or DEFAULT_BASE} is worth what each rate says: the file has no column for the base "
        "currency. Change it below the columns."
    )
