"""What an estimate would be with other terms or quantities, and how it differs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

import streamlit as st

from app.contract.catalog import Product
from app.contract.money import format_money, format_quantity, format_signed_money
from app.contract.pricing import AdvancedEstimate, PreviewedEstimate
from app.contract.scope import GUESSED_TERM_MONTHS, Scope
from components.elements.figure import (
    ACCENT,
    MUTED,
    Figure,
    draw_figure,
    make_money_axis,
    make_number_axis,
    make_trace,
    to_rgba,
)
from components.elements.metric_row import Metric, draw_metric_row
from components.estimates.price_distribution import QUARTILES
from components.estimates.sureness import describe_unit_prices
from components.formatting import describe_unit, escape_markdown
from components.scopes import FieldValue, count_term_months, draw_dimension_field, to_field_value


def draw_estimate_change(before: AdvancedEstimate, after: AdvancedEstimate) -> None:
    """Draw the quartiles after the change, and how far each has moved."""
    if after.currency != before.currency:
        st.warning(f"With these changes the estimate is in {after.currency}, not in {before.currency}.")
        return
    metrics: list[Metric] = []
    for percent, name in QUARTILES:
        value = after.estimate.at(percent)
        change = value - before.estimate.at(percent)
        moved = format_signed_money(change, after.currency) if change else "no change"
        metrics.append(Metric(name, format_money(value, after.currency), note=moved))
    draw_metric_row(metrics)
    if isinstance(after, PreviewedEstimate):
        for product in after.products:
            st.caption(
                f"{escape_markdown(product.name)}: "
                f"{escape_markdown(describe_unit_prices(product, after.currency))}"
            )


def draw_what_if(
    scope: Scope, products: Sequence[Product | None], *, key: str
) -> tuple[int, Mapping[int, Mapping[str, FieldValue]]]:
    """Draw a field for the term and one for each dimension of each product, filled with what the scope says;
    `products` has the product of each term, None where it is not in the catalog. Return the term in months,
    and the values of the dimensions by the product's position and the dimension's id."""
    now = int(count_term_months(scope) or GUESSED_TERM_MONTHS)
    term_key = f"{key}/term"
    st.session_state.setdefault(term_key, now)
    dimensions: dict[int, Mapping[str, FieldValue]] = {}
    keys = [term_key]
    with st.grid(4, min_column_width=180):
        with st.container():
            term = st.number_input("Term in months", min_value=1, max_value=1200, step=1, key=term_key)
        for at, (bought, product) in enumerate(zip(scope.product_terms, products, strict=True)):
            if product is None:
                continue
            stated = {one.id: one.value for one in bought.pricing_dimensions}
            typed: dict[str, FieldValue] = {}
            for dimension in product.pricing_dimensions:
                place = f"{key}/{at}/{dimension.id}"
                keys.append(place)
                value = to_field_value(dimension, stated.get(dimension.id))
                if value is not None:
                    st.session_state.setdefault(place, value)
                with st.container():
                    typed[dimension.id] = draw_dimension_field(dimension, typed, key=place)
                    if len(scope.product_terms) > 1:
                        st.caption(escape_markdown(product.name))
            dimensions[at] = typed

    def reset() -> None:
        for place in keys:
            st.session_state.pop(place, None)

    st.button("Back to the quote's values", icon=":material/undo:", key=f"{key}/reset", on_click=reset)
    return int(term), dimensions


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
    now, line = float(curve.present.quantity), {"color": MUTED, "width": 1, "dash": "dot"}
    return {
        "data": [
            make_trace(
                [*quantities, *reversed(quantities)],
                band,
                mode="lines",
                fill="toself",
                fillcolor=to_rgba(ACCENT, 0.18),
                line={"width": 0},
                hoverinfo="skip",
            ),
            make_trace(
                quantities,
                [point.median for point in curve.points],
                [_describe_point(point, curve.currency) for point in curve.points],
                mode="lines+markers",
                line={"color": ACCENT, "width": 2},
                marker={"size": 8, "color": ACCENT},
            ),
        ],
        "layout": {
            "xaxis": {"title": {"text": "Quantity"}, **make_number_axis(quantities)},
            "yaxis": make_money_axis(curve.currency, f"Price {per}") | {"rangemode": "tozero"},
            "shapes": [
                {"type": "line", "x0": now, "x1": now, "y0": 0, "y1": 1, "yref": "paper", "line": line}
            ],
        },
    }


def _describe_point(point: QuantityPoint, currency: str) -> str:
    low, median, high = (format_money(price, currency) for price in (point.low, point.median, point.high))
    return f"{format_quantity(point.quantity)}: {median}<br>middle half from {low} to {high}"
