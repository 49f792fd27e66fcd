"""Requirements: the list, the facts of one, and its forms."""

from collections.abc import Mapping, Sequence

import streamlit as st

from app.contract.sourcing import Requirement
from components.elements.form_fields import draw_fault, mark_required, read_fields, set_defaults
from components.elements.form_inputs import (
    draw_amount_field,
    draw_day_field,
    draw_number_field,
    draw_text_field,
)
from components.elements.record_table import LEFT, RIGHT, Cell, RecordRow, draw_record_table
from components.elements.table import Row, edit_rows, read_edited_rows
from components.formatting.counts import format_count, format_date, format_months


def describe_requirement(one: Requirement) -> str:
    """Return `2 lines, 3 quotes, in USD for 24 months, present values at 8 % a year`."""
    parts = [
        format_count(len(one.lines), "line"),
        format_count(one.quote_count, "quote"),
        f"in {one.currency} for {format_months(one.term_months)}",
    ]
    if one.needed_by is not None:
        parts.append(f"needed by {format_date(one.needed_by)}")
    if one.discount_rate is not None:
        parts.append(f"present values at {one.discount_rate.normalize():f} % a year")
    return ", ".join(parts)


def draw_requirement_table(requirements: Sequence[Requirement]) -> None:
    """Draw the requirements in their order."""
    draw_record_table(
        [RecordRow("comparison", {"id": one.id}, _make_cells(one)) for one in requirements],
        alt=f"{format_count(len(requirements), 'requirement')}, the newest first",
        columns={
            "Requirement": LEFT,
            "Quotes": RIGHT,
            "Lines": RIGHT,
            "Term": LEFT,
            "Currency": LEFT,
            "Needed by": RIGHT,
            "Stated on": RIGHT,
        },
        optional=("Needed by",),
    )


def _make_cells(one: Requirement) -> dict[str, Cell]:
    return {
        "Requirement": one.name,
        "Quotes": one.quote_count,
        "Lines": len(one.lines),
        "Term": format_months(one.term_months),
        "Currency": one.currency,
        "Needed by": format_date(one.needed_by) if one.needed_by else None,
        "Stated on": format_date(one.created_at.date()) if one.created_at else None,
    }


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


CHANGE_FIELDS = ("name", "neededBy", "discountRate")


def draw_requirement_change_form(requirement: Requirement, *, key: str, faults: Mapping[str, str]) -> None:
    """Draw the form with what is on record; `faults` are those of the last attempt."""
    set_defaults(key, read_requirement(requirement))
    with st.grid(3, min_column_width=240):
        draw_text_field(mark_required("Name"), "name", key, faults)
        draw_day_field("Needed by", "neededBy", key, faults)
        draw_amount_field("Discount rate", "discountRate", key, faults, help=DISCOUNT_HELP)
    st.caption("Lines, currency and term stay as they are: quotes were matched with them.")


def read_requirement_change_form(*, key: str) -> dict[str, object]:
    """Return what the form holds at this moment."""
    return read_fields(key, CHANGE_FIELDS)


def read_requirement(requirement: Requirement) -> dict[str, object]:
    """Return what is on record of a requirement, by the fields of the form."""
    rate = requirement.discount_rate
    return {
        "name": requirement.name,
        "neededBy": requirement.needed_by,
        "discountRate": None if rate is None else float(rate),
    }
