"""What negotiations saved, against each measure."""

import re
from collections.abc import Callable, Sequence
from datetime import UTC, date
from decimal import Decimal

import streamlit as st

from app.contract.money import format_money, format_signed_money
from app.contract.savings import AgreedNegotiation, SavingsMeasure, SavingsSum
from components.elements.figure import (
    ACCENT,
    GOOD,
    LEGEND_ABOVE,
    Figure,
    PlotlyObject,
    draw_figure,
    make_money_axis,
    make_trace,
)
from components.elements.metric_row import Metric, draw_metric_row
from components.elements.record_table import Column, draw_record_table
from components.formatting import (
    escape_markdown,
    format_count,
    format_date,
    format_known_money,
    format_percent,
)

BASELINE_NAMES = {
    "first_offer": "first offer",
    "target": "target",
    "previous_price": "previous price",
    "median_estimate": "median estimate",
}


def draw_savings_measures(measures: Sequence[SavingsMeasure], currency: str) -> None:
    """Draw a line for each baseline: how much was saved, and what the baseline is."""
    st.markdown("\n".join(f"- {describe_measure(one, currency)}" for one in measures))


def describe_measure(measure: SavingsMeasure, currency: str) -> str:
    """Return the line of one baseline."""
    against = BASELINE_NAMES.get(measure.against, measure.against.replace("_", " "))
    rate = f" ({format_percent(measure.rate)})" if measure.rate is not None else ""
    saved = f"**{escape_markdown(format_signed_money(measure.saved, currency))}**{rate}"
    basis = f" {escape_markdown(measure.basis)}" if measure.basis else ""
    return (
        f"{saved} against the {against} of "
        f"{escape_markdown(format_money(measure.baseline, currency))}.{basis}"
    )


def draw_savings_total(total: SavingsSum) -> None:
    """Draw the starting prices, what was aimed at, agreed and saved, in one currency."""
    amounts = (
        ("Saved", total.savings, "Starting price minus agreed."),
        ("Starting price", total.baseline, "The first offers; the median estimate where there was no offer."),
        ("Target", total.target, "Of those that had a target."),
        ("Agreed", total.agreed, "What was signed."),
    )
    rate = "" if total.savings_rate is None else format_percent(total.savings_rate)
    metrics = [
        Metric(name, format_money(amount, total.currency), explanation, rate if name == "Saved" else "")
        for name, amount, explanation in amounts
        if amount is not None
    ]
    draw_metric_row([*metrics, Metric("Agreed prices", f"{total.negotiations:,}")])
    draw_savings_measures(total.measures, total.currency)


def draw_savings_sums(sums: Sequence[SavingsSum], group: str) -> None:
    """Draw a row for each supplier, month or category, in one currency."""
    currency = sums[0].currency
    draw_record_table(
        sums,
        {
            group: Column(_name_group),
            "Agreed prices": Column(lambda one: one.negotiations, "right"),
            "Starting price": Column(lambda one: format_known_money(one.baseline, currency), "right"),
            "Target": Column(lambda one: format_known_money(one.target, currency), "right"),
            "Agreed": Column(lambda one: format_known_money(one.agreed, currency), "right"),
            "Saved": Column(lambda one: format_known_money(one.savings, currency), "right"),
            "Saved in %": Column(
                lambda one: None if one.savings_rate is None else format_percent(one.savings_rate), "right"
            ),
        },
        alt=f"Savings by {group.lower()}: {format_count(len(sums), 'row')}",
    )


def _name_group(one: SavingsSum) -> str:
    """Return the supplier, the category, or a month as `Apr 2026`."""
    return f"{date.fromisoformat(f'{one.name}-01'):%b %Y}" if _MONTH.fullmatch(one.name) else one.name


_MONTH = re.compile(r"\d{4}-\d{2}")


def draw_agreed_prices(negotiations: Sequence[AgreedNegotiation]) -> None:
    """Draw each agreed price with its savings."""

    def of_amount(read: Callable[[AgreedNegotiation], Decimal | None]) -> Column[AgreedNegotiation]:
        return Column(lambda one: format_known_money(read(one), one.currency), "right")

    draw_record_table(
        negotiations,
        {
            "Supplier": Column(lambda one: one.supplier),
            "Category": Column(lambda one: one.category),
            # A day of signing has no zone; the months of the report are those of UTC as well.
            "Agreed on": Column(
                lambda one: format_date(one.agreed_at.astimezone(UTC).date() if one.agreed_at else None)
            ),
            "Starting price": of_amount(lambda one: one.baseline),
            "Target": of_amount(lambda one: one.target),
            "Agreed": of_amount(lambda one: one.agreed),
            "Saved": of_amount(lambda one: one.savings),
            "Saved in %": Column(
                lambda one: None if one.savings_rate is None else format_percent(one.savings_rate), "right"
            ),
            "Measured against": Column(_name_baseline),
            "Purchases": Column(
                lambda one: one.purchases, "right", "Purchases on record behind the estimate."
            ),
        },
        link=lambda one: ("negotiation", {"id": one.negotiation_id}),
        alt=format_count(len(negotiations), "agreed price"),
    )


def _name_baseline(one: AgreedNegotiation) -> str:
    if one.against is None:
        return "nothing for this term" if one.unmeasured else "no baseline"
    return BASELINE_NAMES.get(one.against, one.against)


def draw_savings_by_month(months: Sequence[SavingsSum], *, key: str) -> None:
    """Draw bars for what was agreed and saved in each month, in one currency."""
    currency = months[0].currency
    listing = ", ".join(f"{one.name} {format_money(one.savings, currency)}" for one in months)
    draw_figure(make_savings_figure(months), key=key, alt=f"Saved by month: {listing}.", height=240)


def make_savings_figure(months: Sequence[SavingsSum]) -> Figure:
    """Return the chart."""
    currency = months[0].currency
    return {
        "data": [
            _make_bars("Agreed", months, [one.agreed for one in months], ACCENT, currency),
            _make_bars("Saved", months, [one.savings for one in months], GOOD, currency),
        ],
        "layout": {
            # Months are names and not instants: an axis of dates would draw a bar between two of them.
            "xaxis": {"type": "category"},
            "yaxis": make_money_axis(currency),
            "barmode": "stack" if all(one.savings >= 0 for one in months) else "group",
            "bargap": 0.5,
            **LEGEND_ABOVE,
        },
    }


def _make_bars(
    name: str, months: Sequence[SavingsSum], values: Sequence[Decimal], colour: str, currency: str
) -> PlotlyObject:
    texts = [f"{name}: {format_money(value, currency)}" for value in values]
    look = {"marker": {"color": colour}, "textposition": "none"}
    return make_trace([_name_group(one) for one in months], values, texts, type="bar", name=name, **look)
