"""What can be changed of a requirement: its name, the day by which it is needed, and the discount rate."""

from collections.abc import Mapping

import streamlit as st

from app.contract.sourcing import Requirement
from components.elements.form_fields import mark_required, read_fields, set_defaults
from components.elements.form_inputs import draw_amount_field, draw_day_field, draw_text_field
from components.sourcing.requirement_form import DISCOUNT_HELP

FIELDS = ("name", "neededBy", "discountRate")


def draw_requirement_change_form(requirement: Requirement, *, key: str, faults: Mapping[str, str]) -> None:
    """Draw the form with what is on record; `faults` are those of the last attempt."""
    set_defaults(key, read_values(requirement))
    with st.grid(3, min_column_width=240):
        draw_text_field(mark_required("Name"), "name", key, faults)
        draw_day_field("Needed by", "neededBy", key, faults)
        draw_amount_field("Discount rate", "discountRate", key, faults, help=DISCOUNT_HELP)
    st.caption("Lines, currency and term stay as they are: quotes were matched with them.")


def read_requirement_change_form(*, key: str) -> dict[str, object]:
    """Return what the form holds at this moment."""
    return read_fields(key, FIELDS)


def read_values(requirement: Requirement) -> dict[str, object]:
    """Return what is on record of a requirement, by the fields of the form."""
    rate = requirement.discount_rate
    return {
        "name": requirement.name,
        "neededBy": requirement.needed_by,
        "discountRate": None if rate is None else float(rate),
    }
