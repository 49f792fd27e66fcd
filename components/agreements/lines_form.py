"""The lines of an agreement, to be changed, added to and removed."""

from collections.abc import Mapping, Sequence

import streamlit as st

from app.contract.agreements import AgreementLine, LinePricePer
from components.elements.form_fields import draw_fault
from components.elements.table import Columns, Row, edit_rows, read_edited_rows, to_number

TEXT, PRODUCT, QUANTITY, UNIT = "What is bought", "Product", "Quantity", "Unit"
PRICE, PER, AMOUNT, PAID = "Price of a unit", "Is for", "For the term, or its part", "Paid"
FROM, MONTHS = "From month", "Months"
PER_WORDS: Mapping[str, LinePricePer] = {
    "a month": "month",
    "a quarter": "quarter",
    "half a year": "half_year",
    "a year": "year",
    "the term": "term",
    "all time": "once",
}
PAID_WORDS = {"again in the next term": True, "once": False}


def make_line_rows(lines: Sequence[AgreementLine], labels: Mapping[str, str]) -> list[Row]:
    """Return a row for each line; `labels` are the names of products by their ids."""
    paid = {recurring: word for word, recurring in PAID_WORDS.items()}
    per = {value: word for word, value in PER_WORDS.items()}
    return [
        {
            TEXT: line.description,
            PRODUCT: labels.get(line.product_id) if line.product_id is not None else None,
            QUANTITY: to_number(line.quantity),
            UNIT: line.unit,
            PRICE: to_number(line.unit_price),
            PER: None if line.price_per is None else per[line.price_per],
            AMOUNT: to_number(line.amount),
            PAID: None if line.recurring is None else paid[line.recurring],
            FROM: None if line.first_month is None else line.first_month + 1,
            MONTHS: line.months,
        }
        for line in lines
    ]


def draw_lines_form(
    lines: Sequence[AgreementLine], labels: Mapping[str, str], *, key: str, faults: Mapping[str, str]
) -> None:
    """Draw the form with the lines on record; `labels` are the names of the products that a line may have, by
    their ids, and `faults` those of the last attempt."""
    st.caption(
        "A line with a product, a quantity and what it costs for the term is a purchase of yours, which the"
        " next estimate knows and a renewal asks for. Prices are before tax. Leave out what is not known."
    )
    columns: Columns = {
        TEXT: st.column_config.TextColumn(width="medium", max_chars=2_000),
        PRODUCT: st.column_config.SelectboxColumn(options=list(labels.values()), width="medium"),
        QUANTITY: st.column_config.NumberColumn(min_value=0, format="localized"),
        UNIT: st.column_config.TextColumn(max_chars=100, help="What the quantity counts, such as user."),
        PRICE: st.column_config.NumberColumn(min_value=0, format="localized"),
        PER: st.column_config.SelectboxColumn(options=list(PER_WORDS)),
        AMOUNT: st.column_config.NumberColumn(min_value=0, format="localized"),
        PAID: st.column_config.SelectboxColumn(options=list(PAID_WORDS)),
        FROM: st.column_config.NumberColumn(
            min_value=1, max_value=1200, step=1, help="Of the first term, where it is for a part of it."
        ),
        MONTHS: st.column_config.NumberColumn(min_value=1, max_value=1200, step=1),
    }
    edit_rows(
        make_line_rows(lines, labels), key=f"{key}/lines", alt="What is bought, line by line", columns=columns
    )
    draw_fault(faults.get("lines"))


def read_lines_form(lines: Sequence[AgreementLine], labels: Mapping[str, str], *, key: str) -> list[Row]:
    """Return the rows as they are at this moment."""
    return read_edited_rows(make_line_rows(lines, labels), key=f"{key}/lines")
