"""The tables of what a quote asks: entered by hand, and corrected."""

from collections.abc import Sequence

import streamlit as st

from app.contract.money import format_exact_quantity
from app.contract.price_steps import PriceBreak
from app.contract.sourcing import RequirementLine, SourcingQuote
from components.elements.table import Columns, Row, edit_rows
from components.formatting.texts import shorten_text

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


def draw_quote_table(rows: Sequence[Row], lines: Sequence[RequirementLine], *, key: str) -> None:
    """Draw the table of what a quote asks, with its first `rows`."""
    st.markdown("**What it asks** *")
    edit_rows(
        rows,
        key=key,
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


def draw_correction_table(rows: Sequence[Row], *, key: str) -> None:
    """Draw the table of what a quote asks, with what is on record in its `rows`."""
    edit_rows(
        rows,
        key=key,
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
