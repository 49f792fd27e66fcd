"""The form of what a renewal needs and the agreement does not say: who negotiates, and with whom."""

from collections.abc import Mapping

import streamlit as st

from components.elements.form_fields import draw_fault, read_fields, set_defaults

FIELDS = ("contactName", "contactEmail", "supplierName")


def draw_contact_form(
    *,
    key: str,
    faults: Mapping[str, str] | None = None,
    contact: tuple[str, str] = ("", ""),
    asks_supplier: bool = False,
) -> None:
    """Draw name and address of the person who negotiates, which begin with those of `contact`."""
    wrong = faults or {}
    if wrong.get(""):
        draw_fault(wrong[""])
    labels = {"contactName": "Who negotiates", "contactEmail": "Their email", "supplierName": "Supplier"}
    set_defaults(key, dict(zip(FIELDS, contact, strict=False)))
    for name in FIELDS if asks_supplier else FIELDS[:2]:
        st.text_input(labels[name], key=f"{key}/{name}", max_chars=320, persist_state="page")
        draw_fault(wrong.get(name))


def read_contact_form(*, key: str) -> dict[str, object]:
    """Return what the form under `key` holds at this moment."""
    return read_fields(key, FIELDS)
