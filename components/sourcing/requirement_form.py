"""The form of a requirement: what is needed, line by line, and how quotes for it are compared."""

from collections.abc import Mapping, Sequence

import streamlit as st

from components.elements.form_fields import draw_fault, mark_required, read_fields
from components.elements.form_inputs import (
    draw_amount_field,
    draw_day_field,
    draw_number_field,
    draw_text_field,
)
from components.elements.table import Row, edit_rows, read_edited_rows

FIELDS = ("name", "currency", "termMonths", "neededBy", "discountRate")
DESCRIPTION, QUANTITY, UNIT, MUST_HAVE = "Description", "Quantity", "Unit", "Must have"
BLANK_ROWS: Sequence[Row] = [{DESCRIPTION: "", QUANTITY: None, UNIT: "", MUST_HAVE: True}] * 3
DISCOUNT_HELP = "Per cent a year, for what later payments are worth today. Without it, amounts alone count."


def draw_requirement_form(*, key: str, faults: Mapping[str, str], rows: Sequence[Row]) -> None:
    """Draw the form with `rows` as its first lines; `faults` are those of the last attempt."""
    with st.grid(2, min_column_width=240):
        draw_text_field(mark_required("Name"), "name", key, faults)
        draw_text_field(
            mark_required("Currency to compare in"), "currency", key, faults, placeholder="USD", most=3
        )
        draw_number_field(mark_required("Months of the term"), "termMonths", key, faults, most=1200)
        draw_day_field("Needed by", "neededBy", key, faults)
        draw_amount_field("Discount rate", "discountRate", key, faults, help=DISCOUNT_HELP)
    st.markdown("**What is needed** *")
    edit_rows(
        rows,
        key=f"{key}/lines",
        alt="What is needed, line by line",
        columns={
            DESCRIPTION: st.column_config.TextColumn(width="large", max_chars=2_000),
            QUANTITY: st.column_config.NumberColumn(min_value=0, format="localized"),
            UNIT: st.column_config.TextColumn(max_chars=100, help="Such as seats, months or kg."),
            MUST_HAVE: st.column_config.CheckboxColumn(
                default=True, help="A line without it may stay open in an award."
            ),
        },
    )
    draw_fault(faults.get("lines"))
    st.caption("Rows are added at the end, and pasted from a spreadsheet.")


def read_requirement_form(*, key: str, rows: Sequence[Row]) -> tuple[dict[str, object], list[Row]]:
    """Return the fields and the lines as they are at this moment."""
    return read_fields(key, FIELDS), read_edited_rows(rows, key=f"{key}/lines")
