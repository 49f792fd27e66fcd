"""The expected price as a curve, with the middle half shaded and the quote marked.

It is HTML, which a browser draws in a tenth of the time of a figure of Plotly, without its 1.1 MiB, and which
the report to print has too.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from html import escape
from itertools import pairwise

import numpy as np
import streamlit as st

from app.contract.money import format_money, format_quantity
from app.contract.pricing import PERCENTILES, Percentiles
from components.elements.figure import ACCENT, BAD, MUTED, needs_log_scale
from components.elements.metric_row import Metric, draw_metric_row
from components.estimates.verdict import rank_price
from components.formatting import name_percentile

QUARTILES = tuple((percent, name_percentile(percent)) for percent in (25, 50, 75))
"""Percentiles of the quartiles and their labels."""

_POINTS = 80
_SAMPLES = 240
_TAIL_SHARE = 0.5
"""How far the chart goes beyond percentiles 10 and 90, as a share of the distance between them. Further out
nothing is known, and a long tail would squeeze the rest."""
_MAX_QUOTE_DISTANCE = 1.5
"""How many widths of the curve away a quote is still drawn at its place."""
_SMALLEST_SHARE = 0.1
"""The least share of an axis that each of several curves on it takes."""
_LINES = ((25, "before", 76), (50, "around", 87), (75, "after", 76))
"""Percentile, the side of the line on which the name ends, and the height of the line. Names on
different sides and heights do not overlap, however close the prices are."""


def draw_price_distribution(
    estimate: Percentiles,
    currency: str,
    quote: Decimal | None = None,
    quote_label: str = "Quote",
    *,
    axis: tuple[float, float] | None = None,
) -> None:
    """Draw the distribution with `quote`, a price of the supplier in `currency`, under its label. `axis` is
    that of the charts beside it."""
    st.html(render_distribution(estimate, currency, quote, quote_label, axis))


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


@dataclass(frozen=True)
class Axis:
    """An axis for values from `low` to `high`, drawn from `start` to `end` in units of the drawing."""

    low: float
    high: float
    start: float
    end: float
    logarithmic: bool = False

    @classmethod
    def covering(cls, values: Sequence[float], start: float, end: float) -> "Axis":
        """Return an axis for all of `values`; from zero unless they span orders of magnitude."""
        low, high = min(values), max(values)
        if needs_log_scale(values):
            return cls(low / 1.3, high * 1.3, start, end, logarithmic=True)
        return cls(0.0, (high or 1.0) * 1.08, start, end)

    def locate(self, value: float) -> float:
        """Return the position of `value`."""
        if self.logarithmic:
            share = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 1)

    def ticks(self) -> list[float]:
        """Return three to eight round values between the ends."""
        if self.logarithmic:
            decades = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
            for steps in ((1, 2, 5), (1, 3), (1,)):
                values = [step * 10.0**decade for decade in decades for step in steps]
                values = [value for value in values if self.low <= value <= self.high]
                if len(values) <= 8:
                    break
            return values[:: 1 + len(values) // 9]
        width = self.high - self.low
        step = 10.0 ** math.floor(math.log10(width / 3))
        step *= next(many for many in (5, 2, 1) if width / (many * step) >= 3)
        first = math.ceil(self.low / step)
        return [number * step for number in range(first, math.floor(self.high / step) + 1)]


def render_distribution(
    estimate: Percentiles,
    currency: str,
    quote: Decimal | None,
    quote_label: str = "Quote",
    axis: tuple[float, float] | None = None,
) -> str:
    """Return the chart. Beside a quote, and on the `axis` of several, only the median is named."""
    across = Axis(*(axis or get_chart_range(estimate, quote)), 0, 100)
    curve = [
        (across.locate(price), 100 - round(tall * _CURVE_HEIGHT, 1))
        for price, tall in zip(*estimate_density(estimate), strict=True)
    ]
    low, high = (across.locate(float(estimate.at(percent))) for percent in (25, 75))
    middle = [(x, y) for x, y in curve if low <= x <= high]
    edge = [*curve, *((x, y + _EDGE_HEIGHT) for x, y in reversed(curve))]
    parts = [
        _render_area(_close(curve), 0.18),
        _render_area(_close(middle), 0.35) if middle else "",
        _render_area(edge, 1),
    ]
    for percent, side, height in _LINES:
        place = across.locate(float(estimate.at(percent)))
        is_named = percent == 50 or (axis is None and quote is None)
        name = name_percentile(percent) if is_named else ""
        parts.append(_render_mark(place, name, height, side, f"1px dashed {ACCENT}"))
    if quote is not None:
        price = float(quote)
        place = across.locate(min(max(price, across.low), across.high))
        before, behind = "← " if price < across.low else "", " →" if price > across.high else ""
        words = f"<b>{before}{escape(quote_label)} {escape(format_money(quote, currency))}{behind}</b>"
        parts.append(_render_mark(place, words, 100, _get_side(place, 20), f"2px solid {BAD}"))
    ticks = across.ticks()
    for value in ticks[:: math.ceil(len(ticks) / (2 if axis else 4))]:
        place = across.locate(value)
        label = escape(f"{currency} {format_quantity(value)}".strip())
        parts.append(f'<span class="tick {_get_side(place, 10)}" style="left:{place}%">{label}</span>')
    alt = escape(describe_distribution(estimate, currency, quote, quote_label))
    return (
        f'{_STYLE}<div class="parley-prices" role="img" aria-label="{alt}"><div>{"".join(parts)}</div></div>'
    )


Point = tuple[float, float]


def _close(points: Sequence[Point]) -> list[Point]:
    return [(points[0][0], 100), *points, (points[-1][0], 100)]


def _render_area(points: Iterable[Point], opacity: float) -> str:
    outline = ",".join(f"{x:g}% {y:g}%" for x, y in points)
    return f'<i style="opacity:{opacity};clip-path:polygon({outline})"></i>'


def _render_mark(place: float, words: str, height: int, side: str, line: str) -> str:
    """Return a line up to `height`, and the words at its end."""
    label = f'<span class="{side}" style="left:{place}%;bottom:{height}%">{words}</span>' if words else ""
    return f'<u style="left:{place}%;height:{height}%;border-left:{line}"></u>{label}'


def _get_side(place: float, margin: float) -> str:
    """Return where a text at that place stands, so that the edges do not cut it off."""
    return "after" if place < margin else "before" if place > 100 - margin else "around"


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


_CURVE_HEIGHT, _EDGE_HEIGHT = 98.5, 1.6
"""Of the highest point of the curve, and of its outline, in hundredths of the part that it is drawn in, which
lies under all words."""
_STYLE = f"""<style>
.parley-prices {{
  box-sizing: border-box; height: 220px; padding: 1.25rem 0 1.6rem; font-size: 0.8125rem; line-height: 1.3;
}}
.parley-prices > div {{ position: relative; height: 100%; border-bottom: 1px solid {MUTED}; }}
.parley-prices :is(i, u, span) {{ position: absolute; }}
.parley-prices i {{ inset: 24% 0 0; background: {ACCENT}; }}
.parley-prices u {{ bottom: 0; }}
.parley-prices span {{ white-space: nowrap; }}
.parley-prices .tick {{ top: 100%; padding-top: 0.25rem; }}
.parley-prices .around {{ transform: translateX(-50%); }}
.parley-prices .before {{ transform: translateX(-100%); }}
</style>"""
