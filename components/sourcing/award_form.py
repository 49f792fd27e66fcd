"""The form that awards a requirement by a scenario: what is made of it, why, and who decides."""

from collections.abc import Mapping
from datetime import date

import streamlit as st

from components.elements.form_fields import draw_fault, mark_required, read_fields, set_default
from components.elements.form_inputs import draw_day_field, draw_text_field

FIELDS = ("make", "reason", "decidedBy", "contactName", "contactEmail", "termStart")
MAKES: Mapping[str, str] = {"negotiations": "Negotiations", "agreements": "Contracts"}
_CAPTIONS = ("One starts from each quote that gets something.", "The price of each quote is put on record.")


def draw_award_form(*, key: str, faults: Mapping[str, str], first_day: date | None) -> None:
    """Draw the form; `faults` are those of the last attempt, `first_day` is the likely one of agreements."""
    set_default(f"{key}/make", "negotiations")
    set_default(f"{key}/termStart", first_day)
    make = st.radio(
        "What is made of it",
        list(MAKES),
        format_func=lambda one: MAKES[one],
        captions=_CAPTIONS,
        horizontal=True,
        key=f"{key}/make",
    )
    st.text_area(mark_required("Why it is decided so"), key=f"{key}/reason", max_chars=5_000)
    draw_fault(faults.get("reason"))
    with st.grid(3, min_column_width=200):
        draw_text_field("Who decides", "decidedBy", key, faults)
        if make == "negotiations":
            draw_text_field(mark_required("Who negotiates"), "contactName", key, faults)
            draw_text_field(mark_required("Their email"), "contactEmail", key, faults, most=254)
        else:
            draw_day_field("First day of the term", "termStart", key, faults)


def read_award_form(*, key: str) -> dict[str, object]:
    """Return what the form holds at this moment."""
    return read_fields(key, FIELDS)
