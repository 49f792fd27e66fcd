"""A chart of the offers over time against opening, target and walk-away."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

import streamlit as st

from app.contract.money import format_money
from components.elements.figure import (
    ACCENT,
    BAD,
    GOOD,
    MUTED,
    WARN,
    Figure,
    PlotlyObject,
    draw_figure,
    make_money_axis,
    make_money_hover,
)
from components.fixtures import NOON

_MARGIN = timedelta(hours=6)


@dataclass(frozen=True)
class TimelinePoint:
    """The amounts that were stated at one time. `offer` is the supplier's, `agreed` the final price."""

    at: datetime
    offer: Decimal | None = None
    opening: Decimal | None = None
    target: Decimal | None = None
    walk_away: Decimal | None = None
    agreed: Decimal | None = None


def draw_offer_timeline(points: Sequence[TimelinePoint], currency: str, *, key: str) -> None:
    """Draw the chart, or a sentence while there is no offer."""
    if not any(moment.offer or moment.agreed for moment in points):
        st.caption("No offers yet. The first one will appear here beside the three numbers.")
        return
    draw_figure(
        make_offer_figure(points, currency), key=key, alt=describe_offers(points, currency), height=300
    )


def describe_offers(points: Sequence[TimelinePoint], currency: str) -> str:
    """Return a description of the chart for readers who cannot see it."""
    offers = [format_money(moment.offer, currency) for moment in points if moment.offer is not None]
    sentence = f"Offers over time: {', then '.join(offers)}." if offers else "No offers yet."
    targets = [moment.target for moment in points if moment.target is not None]
    return f"{sentence} The target is {format_money(targets[-1], currency)}." if targets else sentence


def make_offer_figure(points: Sequence[TimelinePoint], currency: str) -> Figure:
    """Return the chart: numbers as steps, offers as points on a line, the agreement as a star."""
    numbers = (
        ("Walk-away", [moment.walk_away for moment in points], WARN, "dash"),
        ("Target", [moment.target for moment in points], GOOD, "solid"),
        ("Opening", [moment.opening for moment in points], MUTED, "dot"),
    )
    data = [
        _make_trace(name, *_extend_over_chart(points, values), currency)
        | {"mode": "lines", "line": {"color": colour, "dash": dash, "shape": "hv", "width": 2}}
        for name, values, colour, dash in numbers
        if any(value is not None for value in values)
    ]
    offers = [(moment.at, moment.offer) for moment in points if moment.offer is not None]
    if offers:
        data.append(
            _make_trace("Offer", [at for at, _ in offers], [amount for _, amount in offers], currency)
            | {"mode": "lines+markers", "marker": {"size": 10, "color": ACCENT}}
            | {"line": {"color": ACCENT, "width": 2}}
        )
    agreed = [(moment.at, moment.agreed) for moment in points if moment.agreed is not None]
    if agreed:
        data.append(
            _make_trace("Agreed", [at for at, _ in agreed], [amount for _, amount in agreed], currency)
            | {"mode": "markers", "marker": {"size": 15, "symbol": "star", "color": BAD}}
        )
    return {
        "data": data,
        "layout": {
            "xaxis": {"type": "date"},
            "yaxis": make_money_axis(currency),
            "showlegend": True,
            "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        },
    }


def _extend_over_chart(
    points: Sequence[TimelinePoint], values: Sequence[Decimal | None]
) -> tuple[list[datetime], list[Decimal]]:
    """Return the course of a number, extended a little beyond the first and last point. Offers from before
    the number was set are measured against it too, and a single point becomes visible as a line."""
    known = [(moment.at, value) for moment, value in zip(points, values, strict=True) if value is not None]
    first, last = points[0].at, points[-1].at
    margin = max((last - first) / 25, _MARGIN)
    course = [(first - margin, known[0][1]), *known, (last + margin, known[-1][1])]
    return [at for at, _ in course], [value for _, value in course]


def _make_trace(name: str, at: Sequence[datetime], values: Sequence[Decimal], currency: str) -> PlotlyObject:
    return {
        "type": "scatter",
        "name": name,
        "x": [instant.isoformat() for instant in at],
        "y": [float(value) for value in values],
        "hovertemplate": f"{name}: {make_money_hover(currency, 'y')}<extra></extra>",
    }


def example() -> None:
    points = [
        TimelinePoint(NOON - timedelta(days=5), offer=Decimal(60_000), target=Decimal(45_100)),
        TimelinePoint(NOON, offer=Decimal(56_000), target=Decimal(45_100)),
    ]
    draw_offer_timeline(points, "USD", key="example-offers")
