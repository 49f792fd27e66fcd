"""The expected price as a curve, with the middle half shaded and the quote marked."""

import math
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise

import numpy as np

from app.contract.money import format_money
from app.contract.pricing import PERCENTILES, Percentiles
from components.elements.figure import (
    ACCENT,
    BAD,
    Figure,
    PlotlyObject,
    draw_figure,
    make_money_axis,
    make_trace,
    make_vertical_line,
    to_rgba,
)
from components.elements.metric_row import Metric, draw_metric_row
from components.estimates.verdict import rank_price
from components.formatting import name_percentile

QUARTILES = tuple((percent, name_percentile(percent)) for percent in (25, 50, 75))
"""Percentiles of the quartiles and their labels."""

_POINTS = 160
_SAMPLES = 240
_TAIL_SHARE = 0.5
"""How far the chart goes beyond percentiles 10 and 90, as a share of the distance between them. Further out
nothing is known, and a long tail would squeeze the rest."""
_MAX_QUOTE_DISTANCE = 1.5
"""How many widths of the curve away a quote is still drawn at its place."""
_SMALLEST_SHARE = 0.1
"""The least share of an axis that each of several curves on it takes."""
_LINES = ((25, "right", 0.76), (50, "center", 0.87), (75, "left", 0.76))
"""Percentile, the side of the line on which the name ends, and the height of the line. Names on
different sides and heights do not overlap, however close the prices are."""


def draw_price_distribution(
    estimate: Percentiles,
    currency: str,
    *,
    key: str,
    quote: Decimal | None = None,
    quote_label: str = "Quote",
    unit: str = "",
    height: int = 260,
    axis: tuple[float, float] | None = None,
) -> None:
    """Draw the distribution with `quote`, a price of the supplier in `currency`, under its label. `unit` says
    what the price is for (`per user and month`) where it is not for the whole purchase. `axis` is that of the
    charts beside it."""
    figure = make_distribution_figure(estimate, currency, quote, quote_label, axis)
    if unit:
        figure["layout"]["xaxis"]["title"] = {"text": unit}
    draw_figure(
        figure, key=key, alt=describe_distribution(estimate, currency, quote, quote_label), height=height
    )


def draw_quartiles(estimate: Percentiles, currency: str) -> None:
    """Draw the quartiles as figures."""
    draw_metric_row(
        [
            Metric(name, format_money(estimate.at(percent), currency), f"Percentile {percent}")
            for percent, name in QUARTILES
        ]
    )


def describe_distribution(
    estimate: Percentiles, currency: str, quote: Decimal | None, quote_label: str = "Quote"
) -> str:
    """Return a description of the chart for readers who cannot see it."""
    low, middle, high = (format_money(estimate.at(percent), currency) for percent in (10, 50, 90))
    sentence = f"Expected price: median {middle}, eight in ten between {low} and {high}."
    if quote is None:
        return sentence
    return f"{sentence} {quote_label}: {format_money(quote, currency)}, at {rank_price(estimate, quote)}."


def estimate_density(estimate: Percentiles) -> tuple[list[float], list[float]]:
    """Return prices within `get_chart_range`, the quartiles among them, and how dense purchases are at each.

    The quantile function is smoothed by a Gaussian kernel in the logarithm of the price. Where many
    percentiles have the same price this makes a peak, not a division by zero.
    """
    probabilities, logs = zip(
        *((percent / 100, _safe_log(float(estimate.at(percent)))) for percent in PERCENTILES), strict=True
    )
    left, right = get_chart_range(estimate, None)
    quartiles = [_safe_log(float(estimate.at(percent))) for percent in (25, 75)]
    return _smooth(probabilities, logs, _safe_log(left), _safe_log(right), tuple(quartiles))


@lru_cache(maxsize=256)
def _smooth(
    probabilities: tuple[float, ...],
    logs: tuple[float, ...],
    left: float,
    right: float,
    quartiles: tuple[float, ...],
) -> tuple[list[float], list[float]]:
    """Return prices and heights. Kept, because each run of a page draws the same curve."""
    samples = np.array([_quantile((at + 0.5) / _SAMPLES, probabilities, logs) for at in range(_SAMPLES)])
    bandwidth = max((logs[-1] - logs[0]) / 9, 0.01)
    start = max(float(samples[0]) - 2 * bandwidth, left)
    stop = min(float(samples[-1]) + 2 * bandwidth, right)
    spread = [start + (stop - start) * at / (_POINTS - 1) for at in range(_POINTS)]
    places = np.array(sorted([*spread, *quartiles]))
    heights = np.exp(-0.5 * ((places[:, None] - samples[None, :]) / bandwidth) ** 2).sum(axis=1)
    # Six significant digits are what a hover text shows of a point between two prices.
    prices = [float(f"{price:.6g}") for price in np.exp(places).tolist()]
    return prices, (heights / heights.max()).tolist()


def _safe_log(price: float) -> float:
    """Return the logarithm, also for a price of zero."""
    return math.log(max(price, 1e-9))


def _quantile(probability: float, probabilities: tuple[float, ...], logs: tuple[float, ...]) -> float:
    """Interpolate linearly between the known percentiles; beyond them continue with 1.5 times the outermost
    slope."""
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


def make_distribution_figure(
    estimate: Percentiles,
    currency: str,
    quote: Decimal | None,
    quote_label: str = "Quote",
    axis: tuple[float, float] | None = None,
) -> Figure:
    """Return the chart. Beside a quote, and on the `axis` of several, only the median is named."""
    prices, heights = estimate_density(estimate)
    low, high = float(estimate.percentile25), float(estimate.percentile75)
    middle = [
        (price, tall)
        for price, tall in zip(prices, heights, strict=True)
        if low <= price * 1.00001 and price <= high * 1.00001
    ]
    data: list[PlotlyObject] = [
        _make_area(prices, heights, to_rgba(ACCENT, 0.18), ACCENT, currency),
        _make_area(
            [price for price, _ in middle],
            [tall for _, tall in middle],
            to_rgba(ACCENT, 0.35),
            None,
            currency,
        ),
    ]
    left, right = axis or get_chart_range(estimate, quote)
    shapes = [
        make_vertical_line(float(estimate.at(percent)), ACCENT, dash="dot", height=height)
        for percent, _, height in _LINES
    ]
    notes = [
        _make_note(float(estimate.at(percent)), name_percentile(percent), height, ACCENT, side)
        for percent, side, height in _LINES
        if percent == 50 or (axis is None and quote is None)
    ]
    if quote is not None:
        price = float(quote)
        place = min(max(price, left), right)
        shapes.append(make_vertical_line(place, BAD))
        before, behind = "← " if place > price else "", " →" if place < price else ""
        words = f"{before}{quote_label} {format_money(quote, currency)}{behind}"
        notes.append(_make_note(place, words, 1.0, BAD, _get_anchor(place, left, right)))
    return {
        "data": data,
        "layout": {
            "xaxis": make_money_axis(currency)
            | {"showgrid": False, "range": [left, right], "nticks": 4 if axis else 6},
            "yaxis": {"visible": False, "range": [0, 1.34], "fixedrange": True},
            "shapes": shapes,
            "annotations": notes,
        },
    }


def _make_area(
    prices: list[float], heights: list[float], fill: str, outline: str | None, currency: str
) -> PlotlyObject:
    line = {"color": outline or fill, "width": 2 if outline else 0}
    texts = _format_prices(tuple(prices), currency)
    return make_trace(prices, heights, texts, mode="lines", fill="tozeroy", fillcolor=fill, line=line)


@lru_cache(maxsize=256)
def _format_prices(prices: tuple[float, ...], currency: str) -> list[str]:
    return [format_money(price, currency) for price in prices]


def get_chart_range(estimate: Percentiles, quote: Decimal | None) -> tuple[float, float]:
    """Return the lowest and highest price of the chart: the curve, and the quote with room beside it. A quote
    that is far off is drawn at the edge, because the curve would become too small to see."""
    low, high = float(estimate.percentile10), float(estimate.percentile90)
    beyond = max(_TAIL_SHARE * (high - low), 0.03 * high, 1e-6)
    left, right = max(low - beyond, 0.0), high + beyond
    if quote is not None:
        far = _MAX_QUOTE_DISTANCE * (right - left)
        position = min(max(float(quote), left - far), right + far)
        room = 0.06 * (max(right, position) - min(left, position))
        left, right = min(left, position - room), max(right, position + room)
    return left, right


def share_axis(priced: Sequence[tuple[Percentiles, Decimal | None]]) -> tuple[float, float] | None:
    """Return one range for the charts of several estimates with their quotes, all in one currency; None for
    one alone, and where a curve would be too small to see in it."""
    if len(priced) < 2:
        return None
    ranges = [get_chart_range(estimate, quote) for estimate, quote in priced]
    left, right = min(low for low, _ in ranges), max(high for _, high in ranges)
    curves = [get_chart_range(estimate, None) for estimate, _ in priced]
    smallest = min(high - low for low, high in curves)
    return (left, right) if smallest >= _SMALLEST_SHARE * (right - left) else None


def _get_anchor(price: float, left: float, right: float) -> str:
    """Return the side on which a text at that price is anchored, so that the edges do not cut it off."""
    part = (price - left) / (right - left)
    return "left" if part < 0.2 else "right" if part > 0.8 else "center"


def _make_note(price: float, text: str, height: float, colour: str, side: str) -> PlotlyObject:
    return {
        "x": price,
        "y": height,
        "yref": "paper",
        "xanchor": side,
        "yanchor": "bottom",
        "text": text,
        "showarrow": False,
        "font": {"color": colour, "size": 13},
    }
