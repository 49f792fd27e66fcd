"""The fields of a form, each with what is wrong with it below: that of `name` in the form `key`."""

from collections.abc import Mapping

import streamlit as st

from app.contract.agreements import EARLIEST_DAY, LATEST_DAY
from components.elements.form_fields import draw_amount_input, draw_fault


def draw_text_field(
    label: str, name: str, key: str, faults: Mapping[str, str], *, placeholder: str = "", most: int = 500
) -> None:
    """Draw a field for a line of text, with its fault."""
    with st.container(gap="xsmall"):
        st.text_input(
            label, key=f"{key}/{name}", max_chars=most, placeholder=placeholder, persist_state="page"
        )
        draw_fault(faults.get(name))


def draw_day_field(label: str, name: str, key: str, faults: Mapping[str, str]) -> None:
    """Draw a field for a day, with its fault."""
    with st.container(gap="xsmall"):
        st.date_input(
            label,
            value=None,
            min_value=EARLIEST_DAY,
            max_value=LATEST_DAY,
            key=f"{key}/{name}",
            format="YYYY-MM-DD",
            persist_state="page",
        )
        draw_fault(faults.get(name))


def draw_number_field(
    label: str, name: str, key: str, faults: Mapping[str, str], *, least: int = 1, most: int
) -> None:
    """Draw a field for a whole number, with its fault."""
    with st.container(gap="xsmall"):
        st.number_input(
            label,
            value=None,
            min_value=least,
            max_value=most,
            step=1,
            key=f"{key}/{name}",
            persist_state="page",
        )
        draw_fault(faults.get(name))


def draw_choice_field(
    choices: Mapping[str, str], label: str, name: str, key: str, faults: Mapping[str, str]
) -> None:
    """Draw a field for a choice of words by their labels, with its fault."""
    with st.container(gap="xsmall"):
        st.selectbox(
            label,
            list(choices),
            index=None,
            format_func=lambda each: choices.get(each, each),
            key=f"{key}/{name}",
            placeholder="Not known",
            persist_state="page",
        )
        draw_fault(faults.get(name))


def draw_amount_field(
    label: str, name: str, key: str, faults: Mapping[str, str], *, help: str | None = None
) -> None:
    """Draw a field for an amount of money, with its fault."""
    with st.container(gap="xsmall"):
        draw_amount_input(label, key=f"{key}/{name}", help=help)
        draw_fault(faults.get(name))
