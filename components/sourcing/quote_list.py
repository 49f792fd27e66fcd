"""The quotes of a requirement with their terms."""

from collections.abc import Sequence
from datetime import date

import streamlit as st

from app.contract.money import format_exact_money
from app.contract.sourcing import SourcingQuote
from components.elements.table import draw_table, drop_empty_columns
from components.formatting.counts import format_count

STATES = {
    "reading": "being read",
    "needs_review": "to be reviewed",
    "ready": None,
    "failed": "could not be read",
}
"""What the states of quotes are called; one that can be compared needs no word."""


def draw_quote_list(quotes: Sequence[SourcingQuote], today: date, *, key: str) -> None:
    """Draw the quotes in their order."""
    rows = [_make_row(quote, today) for quote in quotes]
    texts = st.column_config.TextColumn
    columns = {
        "Supplier": texts(width="medium"),
        "Lines": st.column_config.NumberColumn(format="%d"),
        "Currency": texts(),
        "From": texts(),
        "Valid until": st.column_config.DateColumn(format="D MMM YYYY"),
        "State": texts(),
        "Why": texts(
            width="medium", help="What is to be reviewed, what failed, or what is not in its lines."
        ),
        "Days until delivery": st.column_config.NumberColumn(format="%d"),
        "Days to pay": st.column_config.NumberColumn(format="%d"),
        "Smallest order": texts(),
        "Discounts": texts(width="medium"),
    }
    draw_table(
        rows,
        key=key,
        alt=format_count(len(quotes), "quote"),
        columns=drop_empty_columns(columns, rows),
    )


def _make_row(quote: SourcingQuote, today: date) -> dict[str, object]:
    discounts = [
        f"{one.percent:f} % from {format_exact_money(one.from_amount, quote.currency)}"
        for one in quote.discounts or ()
    ]
    minimum = quote.minimum_order
    return {
        "Supplier": quote.supplier_name,
        "Lines": len(quote.lines),
        "Currency": quote.currency,
        "From": "a file" if quote.file_id else "a quote" if quote.scope_id else "by hand",
        "Valid until": quote.valid_until,
        "State": _describe_state(quote, today),
        "Why": " ".join(why for why in (quote.reason, *quote.warnings) if why) or None,
        "Days until delivery": quote.lead_time_days,
        "Days to pay": quote.payment_terms_days,
        "Smallest order": format_exact_money(minimum, quote.currency) if minimum else None,
        "Discounts": ", ".join(discounts) or None,
    }


def _describe_state(quote: SourcingQuote, today: date) -> str | None:
    if quote.valid_until is not None and quote.valid_until < today:
        return "expired"
    return STATES.get(quote.status, quote.status)
