"""The forms of a quote: entered by hand, and corrected."""

from collections.abc import Mapping, Sequence

import streamlit as st

from app.contract.money import format_exact_quantity
from app.contract.price_steps import PriceBreak
from app.contract.sourcing import RequirementLine, SourcingQuote
from components.elements.form_fields import draw_fault, mark_required, read_fields, set_default, set_defaults
from components.elements.form_inputs import (
    draw_amount_field,
    draw_day_field,
    draw_number_field,
    draw_text_field,
)
from components.elements.table import Columns, Row, edit_rows, read_edited_rows
from components.formatting.texts import shorten_text

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


def make_correction_rows(quote: SourcingQuote) -> list[Row]:
    """Return a row for each line of the quote, in their order."""
    labels = {word: label for label, word in PERIOD_WORDS.items()}
    return [
        {
            TEXT: line.description,
            PRICE: float(line.unit_price),
            PAID: labels.get(line.recurring, line.recurring),
            QUANTITY: float(line.quantity),
            UNIT: line.unit,
            TAX: None if line.tax_percent is None else float(line.tax_percent),
            BREAKS: "; ".join(_write_break(one) for one in line.breaks or ()) or None,
            BUNDLE: line.bundle_id,
        }
        for line in quote.lines
    ]


def _write_break(one: PriceBreak) -> str:
    kind = "" if one.kind == "all_units" else f" {FROM_THERE_ON}"
    return f"{one.from_quantity.normalize():f}: {one.unit_price.normalize():f}{kind}"


def read_values(quote: SourcingQuote) -> dict[str, object]:
    """Return what the fields hold of the terms of the quote on record; of several discounts none."""
    discounts = quote.discounts or []
    discount = discounts[0] if len(discounts) == 1 else None
    return {
        "supplierName": quote.supplier_name,
        "currency": quote.currency,
        "validUntil": quote.valid_until,
        "leadTimeDays": quote.lead_time_days,
        "paymentTermsDays": quote.payment_terms_days,
        "minimumOrder": None if quote.minimum_order is None else float(quote.minimum_order),
        "discountFrom": float(discount.from_amount) if discount else None,
        "discountPercent": float(discount.percent) if discount else None,
    }


def draw_correction_form(quote: SourcingQuote, *, key: str, faults: Mapping[str, str]) -> None:
    """Draw the form with what is on record; `faults` are those of the last attempt."""
    set_defaults(key, read_values(quote))
    draw_terms_fields(key=key, faults=faults)
    if quote.discounts and len(quote.discounts) > 1:
        st.caption(f"It has {len(quote.discounts)} discounts, which stay unless another one is entered.")
    edit_rows(
        make_correction_rows(quote),
        key=f"{key}/lines",
        alt="What the quote asks, line by line",
        columns={
            TEXT: st.column_config.TextColumn(
                width="medium", help="What the line says stays: it was matched by that."
            ),
            **make_price_columns(),
            **make_extra_columns(),
        },
        fixed=(TEXT,),
        grows=False,
    )
    draw_fault(faults.get("lines"))


def read_correction_form(quote: SourcingQuote, *, key: str) -> tuple[dict[str, object], list[Row]]:
    """Return the fields and the rows as they are at this moment."""
    return read_fields(key, FIELDS), read_edited_rows(make_correction_rows(quote), key=f"{key}/lines")
