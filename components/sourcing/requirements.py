"""Requirements: the list, the facts of one, its quotes with their tables to fill in, and how lines match."""

from collections.abc import Mapping, Sequence
from datetime import date

import streamlit as st

from app.contract.money import format_exact_money, format_exact_quantity, format_money
from app.contract.price_steps import PriceBreak
from app.contract.sourcing import Requirement, RequirementLine, SourcingQuote, SourcingQuoteLine
from components.elements.form_fields import read_fields, set_default
from components.elements.record_table import Column, draw_record_table
from components.elements.table import Columns, Row, edit_rows
from components.formatting.counts import format_count, format_date, format_months
from components.formatting.texts import escape_markdown, shorten_file_name, shorten_text


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


def draw_quotes_being_read(names: Sequence[str]) -> None:
    """Draw a line for each, by the name of its file."""
    for name in names:
        st.markdown(f":material/hourglass_top: {escape_markdown(shorten_file_name(name))} is being read…")


STATES = {
    "reading": "being read",
    "needs_review": "to be reviewed",
    "ready": None,
    "failed": "no quote read",
}
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
            "Valid until": Column(lambda one: format_date(one.valid_until), optional=True),
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
    periods = {word: label for label, word in PERIOD_WORDS.items()}
    price = (
        f"{format_money(line.unit_price, quote.shown_currency)} {periods.get(line.recurring, line.recurring)}"
    )
    decided = "" if line.alignment_reason is None else f"  \n{escape_markdown(line.alignment_reason)}"
    alike = "" if line.confidence is None else f", {line.confidence * 100:.0f} % alike"
    with st.container(border=True), st.grid(2, min_column_width=280):
        st.markdown(
            f"**{escape_markdown(shorten_text(line.description, _LONGEST_TEXT))}**  \n"
            f"{escape_markdown(quote.supplier_name)}: {format_exact_quantity(line.quantity)} at"
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


def read_alignment_row(*, key: str) -> tuple[str | None, bool]:
    """Return the line that was chosen, and whether it is an alternate."""
    fields = read_fields(key, FIELDS)
    return str(fields["line"] or "") or None, fields["alternate"] is True


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
