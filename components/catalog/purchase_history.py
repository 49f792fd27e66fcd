"""Past purchases from one supplier, as a table and as a chart of price over quantity."""

from collections.abc import Sequence

import streamlit as st

from app.contract.catalog import LearningDataSample
from app.contract.money import format_money, format_quantity
from components.elements.figure import (
    ACCENT,
    BAD,
    GOOD,
    HOVER_TEXT,
    MUTED,
    WARN,
    Figure,
    draw_figure,
    make_money_axis,
    needs_log_scale,
)
from components.elements.table import draw_table
from components.formatting.counts import format_count, format_date, format_months
from components.formatting.texts import shorten_text

_SYMBOLS = ("circle", "diamond", "square", "triangle-up", "cross", "star", "hexagon")
_COLOURS = (ACCENT, WARN, GOOD, BAD, MUTED)


def draw_purchase_table(samples: Sequence[LearningDataSample], currency: str, *, key: str) -> None:
    """Draw the purchases, newest first. `currency` is the supplier's, "" if unknown: a sample states none of
    its own."""
    rows = [
        {
            "Started": format_date(sample.start_date),
            "Products": ", ".join(sample.product_names),
            "Quantity": float(sample.primary_dimension_value),
            "Unit": sample.primary_dimension_name,
            "Term": format_months(sample.term_months) if sample.term_months else "once",
            "Price": float(sample.negotiated_price),
            "Other": sample.number_of_other_dimensions,
        }
        for sample in sort_newest_first(samples)
    ]
    price = f"Price ({currency})" if currency else "Price"
    draw_table(
        rows,
        key=key,
        alt=f"{format_count(len(rows), 'past purchase')}, newest first",
        columns={
            "Started": st.column_config.TextColumn(alignment="right"),
            "Products": st.column_config.TextColumn(width="medium"),
            "Quantity": st.column_config.NumberColumn(format="localized", alignment="right"),
            "Unit": st.column_config.TextColumn(),
            "Term": st.column_config.TextColumn(alignment="right"),
            "Price": st.column_config.NumberColumn(
                price, format="localized", alignment="right", help="Before tax, for the whole term."
            ),
            "Other": st.column_config.NumberColumn(
                "Other dimensions", alignment="right", help="How many other dimensions the purchase had."
            ),
        },
    )


def draw_purchase_scatter(samples: Sequence[LearningDataSample], currency: str, *, key: str) -> None:
    """Draw the price for the whole term over the quantity, with a colour and a symbol for each kind of
    product."""
    draw_figure(
        make_scatter_figure(samples, currency), key=key, alt=describe_scatter(samples, currency), height=340
    )


def make_scatter_figure(samples: Sequence[LearningDataSample], currency: str) -> Figure:
    """Return the chart. An axis is logarithmic where its values span orders of magnitude."""
    kinds: dict[str, list[LearningDataSample]] = {}
    for sample in samples:
        kinds.setdefault(", ".join(sample.product_names) or "unnamed", []).append(sample)
    units = {sample.primary_dimension_name for sample in samples}
    amounts = [float(sample.primary_dimension_value) for sample in samples]
    prices = [float(sample.negotiated_price) for sample in samples]
    return {
        "data": [
            {
                "type": "scatter",
                "mode": "markers",
                "name": shorten_text(name, 40),
                "x": [float(sample.primary_dimension_value) for sample in several],
                "y": [float(sample.negotiated_price) for sample in several],
                "text": [_describe_purchase(sample, currency) for sample in several],
                "marker": {
                    "size": 9,
                    "opacity": 0.8,
                    "color": _COLOURS[number % len(_COLOURS)],
                    "symbol": _SYMBOLS[number % len(_SYMBOLS)],
                },
                "hovertemplate": HOVER_TEXT,
            }
            for number, (name, several) in enumerate(kinds.items())
        ],
        "layout": {
            "showlegend": len(kinds) > 1,
            "legend": {"orientation": "h", "y": -0.25},
            "xaxis": {
                "title": {"text": units.pop() if len(units) == 1 else "Quantity"},
                "type": "log" if needs_log_scale(amounts) else "linear",
                "automargin": True,
            },
            "yaxis": make_money_axis(currency, "Price")
            | {"type": "log" if needs_log_scale(prices) else "linear"},
        },
    }


def describe_scatter(samples: Sequence[LearningDataSample], currency: str) -> str:
    """Return a description of the chart for readers who cannot see it."""
    if not samples:
        return "No past purchases"
    prices = sorted(float(sample.negotiated_price) for sample in samples)
    low, high = (format_money(price, currency) for price in (prices[0], prices[-1]))
    return f"{format_count(len(samples), 'past purchase')} from {low} to {high}, price against quantity"


def sort_newest_first(samples: Sequence[LearningDataSample]) -> list[LearningDataSample]:
    return sorted(samples, key=lambda sample: sample.start_date, reverse=True)


def _describe_purchase(sample: LearningDataSample, currency: str) -> str:
    price = format_money(sample.negotiated_price, currency)
    quantity = format_quantity(sample.primary_dimension_value)
    return f"{format_date(sample.start_date)}, {_format_term(sample)}<br>{price} for {quantity}"


def _format_term(sample: LearningDataSample) -> str:
    return format_months(sample.term_months) if sample.term_months else "once"
