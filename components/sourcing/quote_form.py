"""The form of a quote that is entered by hand: whose it is, its terms, and a price for each line."""

from collections.abc import Mapping, Sequence

import streamlit as st

from app.contract.money import format_exact_quantity
from app.contract.sourcing import RequirementLine
from components.elements.form_fields import draw_fault, mark_required, read_fields, set_default
from components.elements.form_inputs import (
    draw_amount_field,
    draw_day_field,
    draw_number_field,
    draw_text_field,
)
from components.elements.table import Columns, Row, edit_rows, read_edited_rows
from components.formatting.shortening import shorten_text

FIELDS = (
    *("supplierName", "currency", "validUntil", "leadTimeDays", "paymentTermsDays", "minimumOrder"),
    *("discountFrom", "discountPercent"),
)
LINE, TEXT, QUANTITY, PRICE, PAID = "Line", "Quoted as", "Quantity", "Unit price", "Paid"
UNIT, TAX = "Unit", "Tax in the price, %"
BREAKS, BUNDLE, ALTERNATE = "Price breaks", "Bundle", "Alternate"
PERIOD_WORDS = {"each month": "month", "each year": "year", "for the term": "term", "once": "once"}
FROM_THERE_ON = "from there on"
"""Written behind a price break that holds for the units beyond its quantity, not for all."""
_LONGEST_LABEL = 80


def label_lines(lines: Sequence[RequirementLine]) -> dict[str, str]:
    """Return the id of each line by what the form calls it: `2. Support desk (5)`."""
    return {
        f"{number}. {shorten_text(' '.join(line.description.split()), _LONGEST_LABEL)}"
        f" ({format_exact_quantity(line.quantity)})": line.id
        for number, line in enumerate(lines, 1)
    }


def make_quote_rows(lines: Sequence[RequirementLine]) -> list[Row]:
    """Return a row for each line of the requirement, without a price."""
    return [
        {
            LINE: label,
            TEXT: None,
            QUANTITY: float(line.quantity),
            PRICE: None,
            PAID: None,
            UNIT: line.unit,
            TAX: None,
            BREAKS: None,
            BUNDLE: None,
            ALTERNATE: False,
        }
        for label, line in zip(label_lines(lines), lines, strict=True)
    ]


def draw_quote_form(
    lines: Sequence[RequirementLine], currency: str, *, key: str, faults: Mapping[str, str]
) -> None:
    """Draw the form; `faults` are those of the last attempt."""
    set_default(f"{key}/currency", currency)
    draw_terms_fields(key=key, faults=faults)
    st.markdown("**What it asks** *")
    edit_rows(
        make_quote_rows(lines),
        key=f"{key}/lines",
        alt="What the quote asks, line by line",
        columns={
            LINE: st.column_config.SelectboxColumn(
                options=list(label_lines(lines)),
                width="medium",
                help="Which line it answers. Without it, it is found by what was quoted.",
            ),
            **make_price_columns("Rows without a price are not quoted."),
            TEXT: st.column_config.TextColumn(
                max_chars=2_000, help="The supplier's own words; those of the line where it is left out."
            ),
            **make_extra_columns(),
            ALTERNATE: st.column_config.CheckboxColumn(
                default=False, help="Another way to answer the line, which is not compared with the others."
            ),
        },
    )
    draw_fault(faults.get("lines"))


def draw_terms_fields(*, key: str, faults: Mapping[str, str]) -> None:
    """Draw the fields of whose the quote is and of its terms."""
    with st.grid(4, min_column_width=200):
        draw_text_field(mark_required("Supplier"), "supplierName", key, faults)
        draw_text_field(mark_required("Currency"), "currency", key, faults, most=3)
        draw_day_field("Valid until", "validUntil", key, faults)
        draw_number_field("Days until delivery", "leadTimeDays", key, faults, least=0, most=3650)
        draw_number_field("Days to pay", "paymentTermsDays", key, faults, least=0, most=3650)
        draw_amount_field("Smallest order", "minimumOrder", key, faults)
        draw_amount_field(
            "Discount from an order of", "discountFrom", key, faults, help="Before the discount is taken off."
        )
        draw_amount_field(
            "Discount in %", "discountPercent", key, faults, help="On everything it is awarded."
        )


def make_price_columns(help: str | None = None) -> Columns:
    """Return the columns of what a line asks; `help` is about its price."""
    return {
        PRICE: st.column_config.NumberColumn(min_value=0, format="localized", help=help),
        PAID: st.column_config.SelectboxColumn(options=list(PERIOD_WORDS)),
        QUANTITY: st.column_config.NumberColumn(min_value=0, format="localized"),
        UNIT: st.column_config.TextColumn(
            max_chars=100, help="What the quantity counts, such as pcs, kg or bag of 100."
        ),
    }


def make_extra_columns() -> Columns:
    """Return the columns of taxes, price breaks and bundles."""
    return {
        TAX: st.column_config.NumberColumn(
            min_value=0,
            max_value=100,
            format="localized",
            help="The rate of the tax that the price includes, which is taken out. Empty where the price is"
            " before tax.",
        ),
        BREAKS: st.column_config.TextColumn(
            help="Prices of all units from a quantity on: `50: 90; 100: 85.50`. Prices of the units beyond it"
            f" alone: `50: 90 {FROM_THERE_ON}`."
        ),
        BUNDLE: st.column_config.TextColumn(
            max_chars=100, help="Lines of one bundle have the same word here."
        ),
    }


def read_quote_form(lines: Sequence[RequirementLine], *, key: str) -> tuple[dict[str, object], list[Row]]:
    """Return the fields and the rows as they are at this moment."""
    return read_fields(key, FIELDS), read_edited_rows(make_quote_rows(lines), key=f"{key}/lines")
