"""What one unit is expected to cost at other quantities, as a curve between those that were bought."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import streamlit as st

from app.contract.money import format_money, format_quantity
from components.elements.figure import (
    ACCENT,
    HOVER_TEXT,
    MUTED,
    Figure,
    draw_figure,
    make_money_axis,
    make_number_axis,
    to_rgba,
)
from components.formatting.counts import describe_unit
from components.formatting.texts import escape_markdown

_SAME_SHARE = Decimal("0.01")
"""Medians that differ by less are told as the same."""


@dataclass(frozen=True)
class QuantityPoint:
    """The price of one unit when so many are bought: percentile 25, the median and percentile 75."""

    quantity: Decimal
    low: Decimal
    median: Decimal
    high: Decimal


@dataclass(frozen=True)
class QuantityCurve:
    """Points of rising quantity, with the `present` one among them. `unit` is what is counted, None where
    that is not known; prices are a month's where `recurring`."""

    points: Sequence[QuantityPoint]
    present: QuantityPoint
    unit: str | None
    recurring: bool
    currency: str


def draw_quantity_curve(curve: QuantityCurve, *, key: str) -> None:
    """Draw the curve below what it says."""
    told = " ".join(describe_quantity_curve(curve))
    st.markdown(escape_markdown(told))
    draw_figure(make_quantity_figure(curve), key=key, alt=told, height=280)
    st.caption(
        "The line is the median, the band the middle half. Each quantity is estimated by itself, between the "
        "smallest and the largest of the similar purchases; beyond them nothing is known."
    )


def describe_quantity_curve(curve: QuantityCurve) -> list[str]:
    """Return a sentence for the smallest and the largest quantity beside the present one."""
    per = describe_unit(curve.unit, recurring=curve.recurring)
    now = curve.present
    sentences = [f"At {format_quantity(now.quantity)}: {format_money(now.median, curve.currency)} {per}."]
    for point in dict.fromkeys((curve.points[0], curve.points[-1])):
        if point.quantity != now.quantity:
            price = format_money(point.median, curve.currency)
            change = _describe_change(now.median, point.median)
            sentences.append(f"At {format_quantity(point.quantity)}: {price}, {change}.")
    return sentences


def _describe_change(before: Decimal, after: Decimal) -> str:
    if not before:
        return "where the present price is zero"
    change = after / before - 1
    if abs(change) < _SAME_SHARE:
        return "the same within 1 %"
    return f"{abs(change) * 100:.0f} % {'more' if change > 0 else 'less'}"


def make_quantity_figure(curve: QuantityCurve) -> Figure:
    """Return the chart: the band, the median, and the present quantity as a vertical line."""
    quantities = [float(point.quantity) for point in curve.points]
    band = [*(point.high for point in curve.points), *(point.low for point in reversed(curve.points))]
    per = describe_unit(curve.unit, recurring=curve.recurring)
    return {
        "data": [
            {
                "type": "scatter",
                "mode": "lines",
                "x": [*quantities, *reversed(quantities)],
                "y": [float(price) for price in band],
                "fill": "toself",
                "fillcolor": to_rgba(ACCENT, 0.18),
                "line": {"width": 0},
                "hoverinfo": "skip",
            },
            {
                "type": "scatter",
                "mode": "lines+markers",
                "x": quantities,
                "y": [float(point.median) for point in curve.points],
                "text": [_describe_point(point, curve.currency) for point in curve.points],
                "hovertemplate": HOVER_TEXT,
                "line": {"color": ACCENT, "width": 2},
                "marker": {"size": 8, "color": ACCENT},
            },
        ],
        "layout": {
            "xaxis": {"title": {"text": "Quantity"}, **make_number_axis(quantities)},
            "yaxis": make_money_axis(curve.currency, f"Price {per}") | {"rangemode": "tozero"},
            "shapes": [
                {
                    "type": "line",
                    "x0": float(curve.present.quantity),
                    "x1": float(curve.present.quantity),
                    "y0": 0,
                    "y1": 1,
                    "yref": "paper",
                    "line": {"color": MUTED, "width": 1, "dash": "dot"},
                }
            ],
        },
    }


def _describe_point(point: QuantityPoint, currency: str) -> str:
    low, median, high = (format_money(price, currency) for price in (point.low, point.median, point.high))
    return f"{format_quantity(point.quantity)}: {median}<br>middle half from {low} to {high}"
