"""The price to expect as a curve, with the middle half shaded and the quote marked where it falls."""

import math
from decimal import Decimal
from itertools import pairwise
from typing import Any

import streamlit as st

from app.contract.pricing import PERCENTILES, Percentiles
from components import specimens
from components.figure import ACCENT, BAD, Figure, draw_figure, money_axis, tint
from components.money import money
from components.standing import standing

_POINTS = 160
_SAMPLES = 240
_NEAR = 0.12
"""Share of the chart's width below which two names would run into each other."""
_FAR = 2.0
"""Widths of the curve beyond which a quote is not drawn in its place."""


def draw_price_distribution(
    estimate: Percentiles, currency: str, *, key: str, quote: Decimal | None = None, height: int = 260
) -> None:
    """Draw the whole distribution; `quote` is the supplier's total in `currency`."""
    draw_figure(
        figure(estimate, currency, quote), key=key, alt=in_words(estimate, currency, quote), height=height
    )


def draw_quartiles(estimate: Percentiles, currency: str) -> None:
    """P25, P50 and P75 as figures."""
    with st.container(horizontal=True):
        for percent, name in ((25, "A quarter pay less"), (50, "Median"), (75, "A quarter pay more")):
            st.metric(name, money(estimate.at(percent), currency), help=f"Percentile {percent}")


def in_words(estimate: Percentiles, currency: str, quote: Decimal | None) -> str:
    """What the chart shows, for those who cannot see it."""
    low, middle, high = (money(estimate.at(percent), currency) for percent in (10, 50, 90))
    said = f"Expected price: median {middle}, eight in ten between {low} and {high}."
    if quote is None:
        return said
    return f"{said} The quote of {money(quote, currency)} is at {standing(estimate, quote)}."


def density(estimate: Percentiles) -> tuple[list[float], list[float]]:
    """Prices and how dense purchases lie at each, from the quantile function smoothed by a Gaussian kernel
    in the logarithm of price. Prices that many percentiles share make a peak and not a division by zero."""
    probabilities, logs = zip(
        *((percent / 100, math.log(max(float(estimate.at(percent)), 1e-9))) for percent in PERCENTILES),
        strict=True,
    )
    samples = [_quantile((at + 0.5) / _SAMPLES, probabilities, logs) for at in range(_SAMPLES)]
    bandwidth = max((logs[-1] - logs[0]) / 9, 0.01)
    start, stop = samples[0] - 2 * bandwidth, samples[-1] + 2 * bandwidth
    places = [start + (stop - start) * at / (_POINTS - 1) for at in range(_POINTS)]
    heights = [
        sum(math.exp(-0.5 * ((place - sample) / bandwidth) ** 2) for sample in samples) for place in places
    ]
    return [math.exp(place) for place in places], [height / max(heights) for height in heights]


def _quantile(probability: float, probabilities: tuple[float, ...], logs: tuple[float, ...]) -> float:
    """Linear between the known percentiles; beyond them the outermost slope, eased, goes on."""
    if probability < probabilities[0]:
        slope = (logs[2] - logs[0]) / (probabilities[2] - probabilities[0])
        return logs[0] - slope * (probabilities[0] - probability) * 1.5
    if probability > probabilities[-1]:
        slope = (logs[-1] - logs[-3]) / (probabilities[-1] - probabilities[-3])
        return logs[-1] + slope * (probability - probabilities[-1]) * 1.5
    for (low, below), (high, above) in pairwise(zip(probabilities, logs, strict=True)):
        if probability <= high:
            return below + (above - below) * (probability - low) / (high - low)
    return logs[-1]


def figure(estimate: Percentiles, currency: str, quote: Decimal | None) -> Figure:
    """The chart as a Plotly figure."""
    prices, heights = density(estimate)
    low, high = float(estimate.percentile25), float(estimate.percentile75)
    middle = [(price, tall) for price, tall in zip(prices, heights, strict=True) if low <= price <= high]
    data: list[dict[str, Any]] = [
        _area(prices, heights, tint(ACCENT, 0.18), ACCENT, currency),
        _area(
            [price for price, _ in middle], [tall for _, tall in middle], tint(ACCENT, 0.35), None, currency
        ),
    ]
    marks = [(25, "P25"), (50, "Median"), (75, "P75")]
    shapes = [_line(float(estimate.at(percent)), ACCENT, "dot", 0.92) for percent, _ in marks]
    left, right = _reach(prices, quote)
    notes = _notes([(float(estimate.at(percent)), name) for percent, name in marks], right - left)
    if quote is not None:
        place = min(max(float(quote), left), right)
        shapes.append(_line(place, BAD, "solid", 1.0))
        before, behind = "← " if place > quote else "", " →" if place < quote else ""
        notes.append(_note(place, f"{before}Quote {money(quote, currency)}{behind}", 1.0, BAD))
    for note in notes:
        note["xanchor"] = _side(note["x"], left, right)
    return {
        "data": data,
        "layout": {
            "xaxis": money_axis(currency) | {"showgrid": False, "range": [left, right]},
            "yaxis": {"visible": False, "range": [0, 1.18], "fixedrange": True},
            "shapes": shapes,
            "annotations": notes,
        },
    }


def _area(
    prices: list[float], heights: list[float], fill: str, outline: str | None, currency: str
) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "x": prices,
        "y": heights,
        "fill": "tozeroy",
        "fillcolor": fill,
        "line": {"color": outline or fill, "width": 2 if outline else 0},
        "hovertemplate": f"{currency} %{{x:,.0f}}<extra></extra>",
    }


def _line(price: float, colour: str, dash: str, height: float) -> dict[str, Any]:
    return {
        "type": "line",
        "x0": price,
        "x1": price,
        "y0": 0,
        "y1": height,
        "yref": "paper",
        "line": {"color": colour, "width": 2, "dash": dash},
    }


def _reach(prices: list[float], quote: Decimal | None) -> tuple[float, float]:
    """From where to where the chart runs: the curve, and the quote with room beside it. One that is far off
    stands at the edge, or nothing could be seen of the curve."""
    left, right = prices[0], prices[-1]
    if quote is not None:
        far = _FAR * (right - left)
        place = min(max(float(quote), left - far), right + far)
        room = 0.06 * (max(right, place) - min(left, place))
        left, right = min(left, place - room), max(right, place + room)
    return left, right


def _side(price: float, left: float, right: float) -> str:
    """Where a text at that price is anchored, so that the edges do not cut it."""
    part = (price - left) / (right - left)
    return "left" if part < 0.2 else "right" if part > 0.8 else "center"


def _notes(marks: list[tuple[float, str]], width: float) -> list[dict[str, Any]]:
    """The names of the marks; those too near to each other to be read share one place."""
    groups: list[list[tuple[float, str]]] = []
    for mark in marks:
        if groups and mark[0] - groups[-1][-1][0] < _NEAR * width:
            groups[-1].append(mark)
        else:
            groups.append([mark])
    return [
        _note(
            sum(price for price, _ in group) / len(group), ", ".join(name for _, name in group), 0.86, ACCENT
        )
        for group in groups
    ]


def _note(price: float, text: str, height: float, colour: str) -> dict[str, Any]:
    return {
        "x": price,
        "y": height,
        "yref": "paper",
        "yanchor": "bottom",
        "text": text,
        "showarrow": False,
        "font": {"color": colour, "size": 13},
    }


def example() -> None:
    estimate = specimens.percentiles()
    draw_quartiles(estimate, "USD")
    draw_price_distribution(estimate, "USD", key="example-distribution", quote=Decimal(52_400))
