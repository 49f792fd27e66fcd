"""The form of who negotiates a renewal, where no owner of the agreement has an e-mail address."""

from collections.abc import Mapping

import streamlit as st

from components.elements.form_fields import draw_fault, read_fields

FIELDS = ("contactName", "contactEmail")


def draw_contact_form(*, key: str, faults: Mapping[str, str] | None = None) -> None:
    """Draw name and address of the person who negotiates."""
    wrong = faults or {}
    if wrong.get(""):
        draw_fault(wrong[""])
    st.caption("No owner has an e-mail address: who negotiates the renewal?")
    with st.grid(2, min_column_width=200):
        with st.container():
            st.text_input("Name", key=f"{key}/contactName", max_chars=500, persist_state="page")
            draw_fault(wrong.get("contactName"))
        with st.container():
            st.text_input("E-mail address", key=f"{key}/contactEmail", max_chars=320, persist_state="page")
            draw_fault(wrong.get("contactEmail"))


def read_contact_form(*, key: str) -> dict[str, object]:
    """Return what the form under `key` holds at this moment."""
    return read_fields(key, FIELDS)


def example() -> None:
    draw_contact_form(key="example-contact", faults={"contactEmail": "Enter the address."})
