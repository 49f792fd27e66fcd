"""What is spent: a chart and a table of the groups, one currency at a time."""

from collections.abc import Sequence
from decimal import Decimal

import streamlit as st

from app.contract.money import format_money
from app.contract.spend import SpendGroup
from components.elements.figure import ACCENT, HOVER_TEXT, MUTED, WARN, Figure, draw_figure
from components.elements.metric_row import Metric, draw_metric_row
from components.elements.table import draw_table, make_money_column, to_number
from components.formatting.counts import format_count
from components.formatting.shortening import shorten_text

MOST_BARS = 15
_BAR_HEIGHT, _LONGEST_NAME = 28, 32


def draw_spend_total(total: SpendGroup) -> None:
    """Draw the sums of one currency."""
    draw_metric_row(
        [
            Metric("Recurring", format_money(total.recurring, total.currency), "Before tax."),
            Metric("One-time", format_money(total.one_time, total.currency), "Before tax."),
            Metric(
                "Of that assumed",
                format_money(total.assumed, total.currency),
                "Terms after the first, at the price on record.",
            ),
            Metric("Contracts", f"{total.agreements:,}"),
        ]
    )


def draw_spend_groups(groups: Sequence[SpendGroup], name: str, *, key: str, over_time: bool = False) -> None:
    """Draw the groups of one currency; months as columns, others as bars, the largest above."""
    currency = groups[0].currency
    shown = groups if over_time else groups[:MOST_BARS]
    largest = max(shown, key=lambda one: one.recurring + one.one_time)
    most = format_money(largest.recurring + largest.one_time, currency)
    draw_figure(
        make_spend_figure(shown, over_time=over_time),
        key=f"{key}-chart",
        alt=f"Spend by {name.lower()} in {currency}; the most is {most}, {largest.name}.",
        height=300 if over_time else 70 + _BAR_HEIGHT * len(shown),
    )
    amounts = {
        "Recurring": [one.recurring for one in groups],
        "Of that assumed": [one.assumed for one in groups],
        "One-time": [one.one_time for one in groups],
    }
    draw_table(
        [
            {
                name: one.name,
                "Contracts": one.agreements,
                **{label: to_number(each[row]) for label, each in amounts.items()},
            }
            for row, one in enumerate(groups)
        ],
        key=f"{key}-table",
        alt=f"Spend by {name.lower()}: {format_count(len(groups), 'row')}",
        columns={
            name: st.column_config.TextColumn(width="medium"),
            "Contracts": st.column_config.NumberColumn(format="%d", width="small"),
            **{label: make_money_column(label, currency, each) for label, each in amounts.items()},
        },
    )


def make_spend_figure(groups: Sequence[SpendGroup], *, over_time: bool = False) -> Figure:
    """Return the chart: what is known, assumed and paid once, on top of each other."""
    parts: dict[str, tuple[str, list[Decimal]]] = {
        "Recurring": (ACCENT, [one.recurring - one.assumed for one in groups]),
        "Assumed": (MUTED, [one.assumed for one in groups]),
        "One-time": (WARN, [one.one_time for one in groups]),
    }
    places = [one.name if over_time else f"{at}" for at, one in enumerate(groups)]
    labels = [shorten_text(one.name, _LONGEST_NAME) for one in groups]
    value, place = ("y", "x") if over_time else ("x", "y")
    axis = {"type": "category", "tickvals": places, "ticktext": labels, "automargin": True}
    return {
        "data": [
            {
                "type": "bar",
                "orientation": "v" if over_time else "h",
                "name": part,
                value: [float(amount) for amount in amounts],
                place: places,
                "marker": {"color": colour},
                "text": [
                    f"{one.name}, {part.lower()}: {format_money(amount, one.currency)}"
                    for one, amount in zip(groups, amounts, strict=True)
                ],
                "textposition": "none",
                "hovertemplate": HOVER_TEXT,
            }
            for part, (colour, amounts) in parts.items()
            if any(amounts)
        ],
        "layout": {
            "barmode": "stack",
            f"{place}axis": axis if over_time else {**axis, "autorange": "reversed"},
            f"{value}axis": {"title": {"text": groups[0].currency}, "rangemode": "tozero"},
            "showlegend": True,
            "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        },
    }


def make_spend_group(name: str = "Northgate Ltd", recurring: int = 12_000) -> SpendGroup:
    return SpendGroup(
        key=name,
        name=name,
        currency="USD",
        agreements=2,
        recurring=Decimal(recurring),
        one_time=Decimal(1_000),
        assumed=Decimal(recurring // 3),
    )
