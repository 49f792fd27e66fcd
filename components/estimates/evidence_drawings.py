"""The charts of the evidence report as inline SVG, so that they print anywhere without a script."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from html import escape

from app.contract.money import format_money, format_quantity
from app.contract.pricing import Percentiles, SimilarPurchase
from components.elements.figure import ACCENT, BAD, needs_log_scale
from components.estimates.price_distribution import estimate_density, get_chart_range
from components.estimates.scope_comparison import assign_colours, join_product_names
from components.formatting.counts import name_percentile

WIDTH, HEIGHT = 340, 176
_RIGHT, _TOP, _BOTTOM = 10, 24, 34
_DIGIT_WIDTH = 5.3
"""Of one character of a label."""
_INK, _GRID = "#444", "#ddd"

Point = tuple[float, float]


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
    estimate: Percentiles, currency: str, quote: Decimal | None, quote_label: str = "Quote"
) -> str:
    """Return the curve with its middle half shaded, the median, and the quote with its label."""
    left, right = get_chart_range(estimate, quote)
    across = Axis(left, right, 8, WIDTH - 8)
    base = HEIGHT - _BOTTOM
    curve = [
        (across.locate(price), round(base - tall * (base - _TOP - 14), 1))
        for price, tall in zip(*estimate_density(estimate), strict=True)
        if left <= price <= right
    ]
    low, high = across.locate(float(estimate.percentile25)), across.locate(float(estimate.percentile75))
    middle = [point for point in curve if low <= point[0] <= high]
    parts = [
        f'<path d="{_make_area_path(curve, base)}" fill="{ACCENT}" fill-opacity=".18"/>',
        f'<path d="M{_join_points(curve)}" fill="none" stroke="{ACCENT}" stroke-width="1.3"/>',
        f'<path d="{_make_area_path(middle, base)}" fill="{ACCENT}" fill-opacity=".4"/>' if middle else "",
    ]
    parts += _render_axis(across, base, currency, lines=False)
    for percent, anchor in ((25, "end"), (75, "start"), (50, "middle")):
        place = across.locate(float(estimate.at(percent)))
        top = _TOP + (2 if percent == 50 else 14)
        parts.append(_render_line(place, top + 2, place, base, ACCENT, dashed=True))
        shift = {"end": -2, "start": 2, "middle": 0}[anchor]
        parts.append(_render_text(place + shift, top, name_percentile(percent), anchor=anchor, colour=ACCENT))
    if quote is not None:
        place = across.locate(min(max(float(quote), left), right))
        anchor = "start" if place < WIDTH / 3 else "end" if place > WIDTH * 2 / 3 else "middle"
        parts.append(_render_line(place, 14, place, base, BAD))
        parts.append(
            _render_text(
                place,
                10,
                f"{quote_label} {format_money(quote, currency)}",
                anchor=anchor,
                colour=BAD,
                bold=True,
            )
        )
    return _wrap_figure("Prices of comparable purchases", parts)


def render_scatter(
    purchases: Sequence[SimilarPurchase], currency: str, quote: tuple[Decimal, Decimal] | None
) -> str:
    """Return price over quantity: a larger mark for a more similar purchase, a colour for each product.
    `quote` is the quoted quantity and price."""
    points = [(float(one.primary_dimension_value), float(one.negotiated_price)) for one in purchases]
    quoted = [(float(quote[0]), float(quote[1]))] if quote else []
    if not points:
        return ""
    base = HEIGHT - _BOTTOM
    up = Axis.covering([y for _, y in points + quoted], base, _TOP)
    left = 8 + _DIGIT_WIDTH * max(len(format_quantity(value)) for value in up.ticks())
    across = Axis.covering([x for x, _ in points + quoted], left, WIDTH - _RIGHT)
    parts = _render_axis(across, base, purchases[0].primary_dimension_name, lines=True)
    for value in up.ticks():
        parts.append(_render_line(left, up.locate(value), WIDTH - _RIGHT, up.locate(value), _GRID))
        parts.append(_render_text(left - 4, up.locate(value) + 3, format_quantity(value), anchor="end"))
    parts.append(_render_text(4, 10, f"Price ({currency})"))
    colours = assign_colours(purchases)
    # The least similar first, so that the most similar lie on top.
    for one, (x, y) in reversed(list(zip(purchases, points, strict=True))):
        colour = colours[join_product_names(one)]
        size = 2 + float(one.similarity_rate) / 22
        parts.append(
            f'<circle cx="{across.locate(x)}" cy="{up.locate(y)}" r="{size:.1f}" fill="{colour}" '
            f'fill-opacity=".45" stroke="{colour}" stroke-width=".7"/>'
        )
    for x, y in quoted:
        parts.append(
            f'<path d="M{across.locate(x)} {up.locate(y) - 6}l5 6-5 6-5-6z" fill="{BAD}" stroke="#fff"/>'
            + _render_text(
                across.locate(x), up.locate(y) - 9, "Quote", anchor="middle", colour=BAD, bold=True
            )
        )
    return _wrap_figure("Similar purchases: price against quantity", parts)


def _make_area_path(points: Sequence[Point], base: float) -> str:
    return f"M{points[0][0]} {base}L{_join_points(points)}L{points[-1][0]} {base}Z"


def _join_points(points: Sequence[Point]) -> str:
    return "L".join(f"{x} {y}" for x, y in points)


def _render_axis(axis: Axis, base: float, title: str, *, lines: bool) -> list[str]:
    parts = [_render_line(axis.start, base, axis.end, base, _INK)]
    end = -WIDTH
    for value in axis.ticks():
        place, label = axis.locate(value), format_quantity(value)
        parts.append(_render_line(place, _TOP if lines else base, place, base + 3, _GRID if lines else _INK))
        half = _DIGIT_WIDTH * len(label) / 2
        if place - half > end:
            parts.append(_render_text(place, base + 13, label, anchor="middle"))
            end = place + half + _DIGIT_WIDTH
    parts.append(_render_text((axis.start + axis.end) / 2, base + 27, title, anchor="middle"))
    return parts


def _render_line(x: float, y: float, to_x: float, to_y: float, colour: str, *, dashed: bool = False) -> str:
    dashes = ' stroke-dasharray="2 2"' if dashed else ""
    return f'<path d="M{x} {y}L{to_x} {to_y}" stroke="{colour}"{dashes}/>'


def _render_text(
    x: float, y: float, text: str, *, anchor: str = "start", colour: str = _INK, bold: bool = False
) -> str:
    weight = ' font-weight="600"' if bold else ""
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{colour}"{weight}>{escape(text)}</text>'


def _wrap_figure(title: str, parts: Sequence[str]) -> str:
    return (
        f'<figure><svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" font-size="9.5">'
        f"<title>{escape(title)}</title>{''.join(parts)}</svg><figcaption>{escape(title)}</figcaption></figure>"
    )
