"""Requirements: the list, the facts of one, its quotes, and how lines match."""

from collections.abc import Mapping, Sequence
from datetime import date

import streamlit as st

from app.contract.money import format_exact_money, format_exact_quantity, format_unit_price
from app.contract.sourcing import Requirement, RequirementLine, SourcingQuote, SourcingQuoteLine
from components.elements.form_fields import set_default
from components.elements.record_table import Column, draw_record_table
from components.formatting import (
    escape_markdown,
    format_count,
    format_date,
    format_months,
    format_units,
    shorten_text,
)


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
        requirements,
        {
            "What is needed": Column(lambda one: one.name),
            "Quotes": Column(lambda one: one.quote_count, "right"),
            "Lines": Column(lambda one: len(one.lines), "right"),
            "Term": Column(lambda one: format_months(one.term_months)),
            "Currency": Column(lambda one: one.currency),
            "Needed by": Column(lambda one: format_date(one.needed_by), "right", optional=True),
            "Stated on": Column(
                lambda one: format_date(one.created_at.date() if one.created_at else None),
                "right",
                varying=True,
            ),
        },
        link=lambda one: ("comparison", {"id": one.id}),
        alt=f"{format_count(len(requirements), 'requirement')}, the newest first",
    )


STATES = {"reading": "being read", "needs_review": "to be reviewed", "ready": None, "failed": "no quote read"}
"""What the states of quotes are called; one that can be compared needs no word."""


def draw_quote_list(quotes: Sequence[SourcingQuote], today: date) -> None:
    """Draw the quotes in their order."""
    draw_record_table(
        quotes,
        {
            "Supplier": Column(lambda one: one.supplier_name),
            "Lines": Column(lambda one: len(one.lines), "right"),
            "Currency": Column(lambda one: one.shown_currency),
            "From": Column(lambda one: "a file" if one.file_id else "a quote" if one.scope_id else "by hand"),
            "Valid until": Column(lambda one: format_date(one.valid_until), "right", optional=True),
            "State": Column(lambda one: _describe_state(one, today), optional=True),
            "Why": Column(
                lambda one: " ".join(dict.fromkeys(filter(None, (one.reason, *one.warnings)))) or None,
                help="What is to be reviewed, what failed, or what is not in its lines.",
                optional=True,
            ),
            "Days until delivery": Column(lambda one: one.lead_time_days, "right", optional=True),
            "Days to pay": Column(lambda one: one.payment_terms_days, "right", optional=True),
            "Smallest order": Column(
                lambda one: (
                    format_exact_money(one.minimum_order, one.shown_currency) if one.minimum_order else None
                ),
                "right",
                optional=True,
            ),
            "Discounts": Column(_describe_discounts, optional=True),
        },
        alt=format_count(len(quotes), "quote"),
    )


def _describe_discounts(quote: SourcingQuote) -> str | None:
    discounts = (
        f"{one.percent:f} % from {format_exact_money(one.from_amount, quote.shown_currency)}"
        for one in quote.discounts or ()
    )
    return ", ".join(discounts) or None


def _describe_state(quote: SourcingQuote, today: date) -> str | None:
    if quote.valid_until is not None and quote.valid_until < today:
        return "expired"
    return STATES.get(quote.status, quote.status)


FIELDS = ("line", "alternate")
NOTHING = ""
"""The choice for a line that answers nothing which is needed."""
_STATES = {
    "doubtful": ":orange-badge[in doubt]",
    "none": ":orange-badge[unmatched]",
    "proposed": ":blue-badge[found by its text]",
    "confirmed": ":green-badge[stated]",
}
_LONGEST_TEXT = 300


def draw_alignment_row(
    quote: SourcingQuote, line: SourcingQuoteLine, labels: Mapping[str, str], *, key: str, disabled: bool
) -> None:
    """Draw the line and the choice; `labels` are those of the lines of the requirement by their ids."""
    set_default(f"{key}/line", line.requirement_line_id or NOTHING)
    set_default(f"{key}/alternate", line.alternate)
    period = PERIOD_WORDS.get(line.recurring, line.recurring)
    price = f"{format_unit_price(line.unit_price, quote.shown_currency)} {period}"
    decided = "" if line.alignment_reason is None else f"  \n{escape_markdown(line.alignment_reason)}"
    alike = "" if line.confidence is None else f" {line.confidence * 100:.0f} % alike"
    with st.container(border=True), st.grid(2, min_column_width=280):
        st.markdown(
            f"**{escape_markdown(shorten_text(line.description, _LONGEST_TEXT))}**  \n"
            f"{escape_markdown(quote.supplier_name)}: {format_units(line.quantity, line.unit)} at"
            f" {escape_markdown(price)}  \n{_STATES.get(line.alignment, '')}{alike}{decided}"
        )
        with st.container(gap="xsmall"):
            st.selectbox(
                f"Answers, line {shorten_text(' '.join(line.description.split()), 60)}",
                [NOTHING, *labels],
                format_func=lambda ident: labels.get(ident, "Nothing that is needed"),
                key=f"{key}/line",
                disabled=disabled,
                label_visibility="collapsed",
            )
            st.checkbox("Alternative offer", key=f"{key}/alternate", disabled=disabled)


PERIOD_WORDS: Mapping[str, str] = {
    "month": "each month",
    "year": "each year",
    "term": "for the term",
    "once": "once",
}
_LONGEST_LABEL = 80


def label_lines(lines: Sequence[RequirementLine]) -> dict[str, str]:
    """Return what the forms call each line, by its id: `2. Support desk (5)`."""
    return {
        line.id: f"{number}. {shorten_text(' '.join(line.description.split()), _LONGEST_LABEL)}"
        f" ({format_exact_quantity(line.quantity)})"
        for number, line in enumerate(lines, 1)
    }
