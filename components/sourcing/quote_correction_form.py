"""The form that corrects a quote: its terms, and what its lines ask."""

from collections.abc import Mapping

import streamlit as st

from app.contract.price_steps import PriceBreak
from app.contract.sourcing import SourcingQuote
from components.elements.form_fields import draw_fault, read_fields, set_defaults
from components.elements.table import Row, edit_rows, read_edited_rows
from components.sourcing.quote_form import (
    BREAKS,
    BUNDLE,
    FIELDS,
    FROM_THERE_ON,
    PAID,
    PERIOD_WORDS,
    PRICE,
    QUANTITY,
    TAX,
    TEXT,
    UNIT,
    draw_terms_fields,
    make_extra_columns,
    make_price_columns,
)


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
