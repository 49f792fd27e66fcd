"""A chart of the offers of both sides over time, against opening, target and walk-away."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from decimal import Decimal

import streamlit as st

from app.contract.money import format_money
from components.elements.figure import (
    ACCENT,
    GOOD,
    HOVER_TEXT,
    MUTED,
    OURS,
    WARN,
    Figure,
    PlotlyObject,
    draw_figure,
    make_money_axis,
)
from components.formatting.datetimes import format_local_time

_MARGIN = timedelta(hours=6)
_TIMES_BELOW = timedelta(days=4)
"""A chart of a shorter time has hours at its ticks, a longer one days."""


@dataclass(frozen=True)
class TimelinePoint:
    """The amounts that were stated at one time. `offer` is the supplier's, `counter` ours, `agreed` the final
    price."""

    at: datetime
    offer: Decimal | None = None
    counter: Decimal | None = None
    opening: Decimal | None = None
    target: Decimal | None = None
    walk_away: Decimal | None = None
    agreed: Decimal | None = None


def draw_offer_timeline(points: Sequence[TimelinePoint], currency: str, zone: tzinfo, *, key: str) -> None:
    """Draw the chart, or a sentence while nobody has offered anything."""
    if not any(point.offer or point.counter or point.agreed for point in points):
        st.caption("No offers yet. The first one will appear here beside the three numbers.")
        return
    figure = make_offer_figure(points, currency, zone)
    draw_figure(figure, key=key, alt=describe_offers(points, currency), height=320)


def describe_offers(points: Sequence[TimelinePoint], currency: str) -> str:
    """Return a description of the chart for readers who cannot see it."""

    def join(amounts: Sequence[Decimal | None]) -> str:
        return ", then ".join(format_money(amount, currency) for amount in amounts if amount is not None)

    offers, counters = join([point.offer for point in points]), join([point.counter for point in points])
    sentences = [f"The supplier's offers over time: {offers}." if offers else "No offers yet."]
    if counters:
        sentences.append(f"Our counter-offers: {counters}.")
    for name, amounts in (
        ("target", [point.target for point in points]),
        ("walk-away", [point.walk_away for point in points]),
        ("agreed price", [point.agreed for point in points]),
    ):
        latest = _get_latest(amounts)
        if latest is not None:
            sentences.append(f"The {name} is {format_money(latest, currency)}.")
    return " ".join(sentences)


def make_offer_figure(points: Sequence[TimelinePoint], currency: str, zone: tzinfo) -> Figure:
    """Return the chart: numbers as steps, the offers of each side as points on a line, the agreed price as a
    star. Times are those of `zone`."""
    numbers = (
        ("Walk-away", [point.walk_away for point in points], WARN, "dash"),
        ("Target", [point.target for point in points], GOOD, "solid"),
        ("Opening", [point.opening for point in points], MUTED, "dot"),
    )
    data = [
        _make_trace(name, *_extend_over_chart(points, values), currency, zone)
        | {"mode": "lines", "line": {"color": colour, "dash": dash, "shape": "hv", "width": 2}}
        | {"name": f"{name} {format_money(_get_latest(values) or 0, currency)}"}
        for name, values, colour, dash in numbers
        if any(value is not None for value in values)
    ]
    sides = (
        ("Supplier's offer", [point.offer for point in points], ACCENT, "circle", 10),
        ("Our counter", [point.counter for point in points], OURS, "diamond", 11),
        ("Agreed", [point.agreed for point in points], GOOD, "star", 16),
    )
    for name, values, colour, symbol, size in sides:
        stated = [(point.at, value) for point, value in zip(points, values, strict=True) if value is not None]
        if stated:
            data.append(
                _make_trace(name, [at for at, _ in stated], [value for _, value in stated], currency, zone)
                | {"mode": "lines+markers", "marker": {"size": size, "symbol": symbol, "color": colour}}
                | {"line": {"color": colour, "width": 2}}
            )
    is_short = points[-1].at - points[0].at < _TIMES_BELOW
    return {
        "data": data,
        "layout": {
            "xaxis": {
                "type": "date",
                "tickformat": "%H:%M\n%-d %b %Y" if is_short else "%-d %b\n%Y",
                "nticks": 7,
            },
            "yaxis": make_money_axis(currency),
            "showlegend": True,
            "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        },
    }


def _get_latest(values: Sequence[Decimal | None]) -> Decimal | None:
    return next((value for value in reversed(values) if value is not None), None)


def _extend_over_chart(
    points: Sequence[TimelinePoint], values: Sequence[Decimal | None]
) -> tuple[list[datetime], list[Decimal]]:
    """Return the course of a number, extended a little beyond the first and last point. Offers from before
    the number was set are measured against it too, and a single point becomes visible as a line."""
    known = [(point.at, value) for point, value in zip(points, values, strict=True) if value is not None]
    first, last = points[0].at, points[-1].at
    margin = max((last - first) / 25, _MARGIN)
    course = [(first - margin, known[0][1]), *known, (last + margin, known[-1][1])]
    return [at for at, _ in course], [value for _, value in course]


def _make_trace(
    name: str, at: Sequence[datetime], values: Sequence[Decimal], currency: str, zone: tzinfo
) -> PlotlyObject:
    return {
        "type": "scatter",
        "name": name,
        # Plotly leaves zones out of account: it is given the clock of the reader.
        "x": [instant.astimezone(zone).replace(tzinfo=None).isoformat() for instant in at],
        "y": [float(value) for value in values],
        "text": [
            f"{name}: {format_money(value, currency)}<br>{format_local_time(instant, zone)}"
            for instant, value in zip(at, values, strict=True)
        ],
        "hovertemplate": HOVER_TEXT,
    }
