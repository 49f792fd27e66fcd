"""How sure an estimate is: how right such estimates were, in all and on the latest purchases."""

from decimal import Decimal

import streamlit as st

from app.contract.dates import format_day
from app.contract.deal_accuracy import DealAccuracy
from app.contract.money import format_money
from app.contract.pricing import (
    MIN_PURCHASES,
    CalibrationVerdicts,
    PriceCalibration,
)
from components.elements.figure import ACCENT, MUTED, Figure, draw_figure
from components.elements.table import draw_table
from components.formatting.counts import format_count
from components.formatting.texts import escape_markdown

FEW_ORDERS = 30
"""Figures of fewer orders are said to rest on little."""
_LEVEL_NAMES = {
    "repeat": "Same product and supplier",
    "product": "Same product, other suppliers",
    "similar": "Similar products",
    "related": "Related products",
    "coarse": "Products of the same kind only",
    "none": "Nothing comparable",
}
_NEWNESS_NAMES = {
    "new_supplier": "New: the supplier",
    "new_product": "New: the product",
    "one_order": "New: all but one order",
    "known": "Not new: several orders of the product",
}


def draw_calibration(calibration: PriceCalibration, *, key: str) -> None:
    """Draw the chart and a sentence for each figure."""
    if calibration.sample:
        st.warning(
            "Measured on sample data: this says nothing about real products.",
            icon=":material/science:",
        )
    st.markdown(describe_calibration(calibration))
    if basis := describe_basis(calibration):
        st.markdown(basis)
    if calibration.verdicts is not None:
        st.markdown(describe_verdicts(calibration.verdicts))
    draw_figure(
        make_calibration_figure(calibration), key=key, alt=describe_calibration(calibration), height=300
    )
    if calibration.orders is not None:
        _draw_classes(calibration, key=key)
    st.caption(
        f"Learned from {calibration.learnt_on:,} purchases up to {format_day(calibration.learnt_until)}. "
        "Each price was estimated from earlier purchases only. Points on the diagonal are exactly right."
    )


def describe_calibration(calibration: PriceCalibration) -> str:
    """Return a sentence on the median error and the coverage of the 80 % range."""
    return (
        f"Compared with **{calibration.n:,} past prices**, the median error was "
        f"**{_format_percent(calibration.mdape)}**, and our 80 % range contained "
        f"**{_format_percent(calibration.coverage80)}** of actual prices."
    )


def describe_basis(calibration: PriceCalibration) -> str:
    """Return how many orders the figures rest on and how uncertain the coverage is; "" where that was not
    measured."""
    if calibration.orders is None:
        return ""
    rests = (
        f"These prices are of **{format_count(calibration.orders, 'order')}**; prices of one order are alike"
    )
    if calibration.coverage80_error is None:
        return f"{rests}, so that one order says little about other orders."
    points = 200 * calibration.coverage80_error
    few = " That is little: ranges may miss more often." if calibration.orders < FEW_ORDERS else ""
    return f"{rests}, so the coverage may be off by {points:.0f} percentage points.{few}"


def _draw_classes(calibration: PriceCalibration, *, key: str) -> None:
    st.markdown(
        "How often the 80 % range contained the price, by what the estimate rested on and what was new:"
    )
    rows = [
        {
            "Estimates": words,
            "Prices": one.n,
            "Orders": one.orders,
            "In the range": format_coverage(one.coverage80, one.coverage80_error),
            "High ÷ low": f"{one.width:.2f}",
        }
        for words, one in [
            *((_LEVEL_NAMES.get(one.level, one.level), one) for one in calibration.by_similarity),
            *((_NEWNESS_NAMES.get(one.newness, one.newness), one) for one in calibration.by_newness),
        ]
    ]
    draw_table(
        rows,
        key=f"{key}-classes",
        alt=f"Coverage by similarity and newness: {len(rows)}",
        columns={
            "Estimates": st.column_config.TextColumn(),
            "Prices": st.column_config.NumberColumn(format="%,d"),
            "Orders": st.column_config.NumberColumn(format="%,d"),
            "In the range": st.column_config.TextColumn(),
            "High ÷ low": st.column_config.TextColumn(),
        },
    )
    st.caption(
        "± is twice the standard error, counted by orders. New are queries whose supplier, product or order "
        "the purchases do not show; their ranges are made wider by as much as such ranges missed."
    )


def format_coverage(coverage: Decimal, error: Decimal | None) -> str:
    """Return `81 % ± 4`; without the error where there is one order only."""
    return _format_percent(coverage) + ("" if error is None else f" ± {200 * error:.0f}")


def describe_verdicts(verdicts: CalibrationVerdicts) -> str:
    """Return a sentence on how often a verdict was given, and how often it was wrong."""
    quotes = format_count(verdicts.n, "quote")
    if not verdicts.given:
        return f"None of {quotes} derived from past purchases had enough evidence for a verdict."
    given, wrong = Decimal(verdicts.given) / verdicts.n, Decimal(verdicts.wrong) / verdicts.given
    return (
        f"Of **{quotes}** set at half, one, two and ten times a past price, **{_format_percent(given)}** got "
        f"a verdict, and **{_format_percent(wrong)}** of the verdicts were wrong: “low” above 1.25 times the "
        "price paid, “very high” at or below it, or “high” below it. The others had too little "
        "evidence, or an amount too far from it."
    )


def make_calibration_figure(calibration: PriceCalibration) -> Figure:
    """Return the chart."""
    expected = [float(point.told) for point in calibration.percentiles]
    return {
        "data": [
            {
                "type": "scatter",
                "mode": "lines",
                "x": [0, 1],
                "y": [0, 1],
                "line": {"color": MUTED, "dash": "dot"},
                "hoverinfo": "skip",
            },
            {
                "type": "scatter",
                "mode": "lines+markers",
                "x": expected,
                "y": [float(point.below) for point in calibration.percentiles],
                "line": {"color": ACCENT},
                "hovertemplate": "stated %{x:.0%}, actual %{y:.0%}<extra></extra>",
            },
        ],
        "layout": {
            "xaxis": {
                "title": {"text": "Stated percentile"},
                "tickformat": ".0%",
                "range": [0, 1],
                "fixedrange": True,
            },
            "yaxis": {
                "title": {"text": "Actual share below"},
                "tickformat": ".0%",
                "range": [0, 1],
                "fixedrange": True,
                "automargin": True,
            },
        },
    }


def _format_percent(share: Decimal) -> str:
    return f"{share * 100:.0f} %" if share >= Decimal("0.095") else f"{share * 100:.1f} %"


_COLUMNS = ("Supplier", "Estimated", "Paid", "Error", "In the 80 % range")


def draw_deal_accuracy(accuracy: DealAccuracy, *, key: str) -> None:
    """Draw the figures where there are enough deals, else why there are none; below them, each deal."""
    st.markdown("**Your own deals: estimated before, and paid**")
    st.markdown(escape_markdown(accuracy.statement))
    if accuracy.deals >= MIN_PURCHASES and accuracy.mdape is not None:
        st.markdown(escape_markdown(_describe_figures(accuracy)))
    if accuracy.compared:
        rows = [
            {
                "Supplier": one.supplier,
                "Estimated": format_money(one.median, one.currency),
                "Paid": format_money(one.paid, one.currency),
                "Error": f"{one.error:+.0%}",
                "In the 80 % range": "" if one.within80 is None else "yes" if one.within80 else "no",
            }
            for one in accuracy.compared
        ]
        columns = {name: st.column_config.TextColumn() for name in _COLUMNS}
        draw_table(rows, key=key, alt="Estimates made before deals, and what was paid", columns=columns)
    for one in accuracy.uncounted:
        st.caption(f"Not counted: {one.total:,}. {escape_markdown(one.reason)}")


def _describe_figures(accuracy: DealAccuracy) -> str:
    side = ""
    if accuracy.bias:
        side = f" Most estimates were too {'high' if accuracy.bias > 0 else 'low'}."
    covered = ""
    if accuracy.coverage80 is not None:
        covered = f" The 80 % range contained {accuracy.coverage80:.0%} of the prices."
    return f"The median error was {accuracy.mdape:.0%}.{covered}{side}"
