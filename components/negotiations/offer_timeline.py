"""Offers against the three numbers over time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import streamlit as st

from app.contract.negotiation import ExecutiveSummary, TimelineEntry
from components import fixtures
from components.elements.figure import ACCENT, BAD, GOOD, MUTED, WARN, Figure, draw_figure, money_axis
from components.formatting.money import money

_MARGIN = timedelta(hours=6)


@dataclass(frozen=True)
class Moment:
    """What was on the table at an instant. `offer` is the supplier's, `agreed` the end."""

    at: datetime
    offer: Decimal | None = None
    opening: Decimal | None = None
    target: Decimal | None = None
    walk_away: Decimal | None = None
    agreed: Decimal | None = None


def moments_of_summaries(summaries: Sequence[ExecutiveSummary]) -> list[Moment]:
    """What the summaries tell, oldest first: all that a deployment without a timeline knows."""
    return [
        Moment(
            summary.created_at,
            offer=summary.figures.quoted,
            opening=summary.figures.opening,
            target=summary.figures.target,
            walk_away=summary.figures.walk_away,
            agreed=summary.figures.agreed,
        )
        for summary in reversed(summaries)
        if summary.created_at is not None
    ]


def moments_of_entries(entries: Sequence[TimelineEntry]) -> list[Moment]:
    """What a timeline tells, oldest first: offers when they were made, numbers when they came into force."""
    offers = [
        Moment(entry.happened_at, offer=entry.amount)
        for entry in standing_offers(entries)
        if entry.happened_at is not None
    ]
    offers += [
        Moment(entry.happened_at, agreed=entry.amount)
        for entry in entries
        if entry.happened_at is not None and entry.kind == "agreement"
    ]
    numbers = [
        Moment(entry.recorded_at, opening=entry.opening, target=entry.target, walk_away=entry.walk_away)
        for entry in sorted(entries, key=lambda entry: entry.id)
        if entry.recorded_at is not None and entry.target is not None
    ]
    # An entry that was recorded before another has the lower id; equal instants keep that order.
    return sorted(offers + numbers, key=lambda moment: moment.at)


def standing_offers(entries: Sequence[TimelineEntry]) -> list[TimelineEntry]:
    """The offers that were not withdrawn, in the order in which they came, each as it was corrected last."""
    corrected: dict[str, TimelineEntry] = {}
    for entry in sorted(entries, key=lambda entry: entry.id):
        if entry.kind == "correction" and entry.corrects:
            corrected[entry.corrects] = entry
    standing: list[TimelineEntry] = []
    for entry in entries:
        if entry.kind == "quote" and entry.status != "withdrawn":
            newest = corrected.get(entry.id, entry)
            standing.append(entry.model_copy(update={"amount": newest.amount, "currency": newest.currency}))
    return standing


def draw_offer_timeline(moments: Sequence[Moment], currency: str, *, key: str) -> None:
    """Draw it; a sentence instead while there is no offer."""
    if not any(moment.offer or moment.agreed for moment in moments):
        st.caption("No offers yet. The first will be drawn here against the three numbers.")
        return
    draw_figure(figure(moments, currency), key=key, alt=in_words(moments, currency), height=300)


def in_words(moments: Sequence[Moment], currency: str) -> str:
    """What the chart shows, for those who cannot see it."""
    offers = [money(moment.offer, currency) for moment in moments if moment.offer is not None]
    said = f"Offers over time: {', then '.join(offers)}." if offers else "No offers yet."
    targets = [moment.target for moment in moments if moment.target is not None]
    return f"{said} The target is {money(targets[-1], currency)}." if targets else said


def figure(moments: Sequence[Moment], currency: str) -> Figure:
    """The chart as a Plotly figure: numbers as steps, offers as points on a line, the agreement as a star."""
    numbers = (
        ("Walk-away", [moment.walk_away for moment in moments], WARN, "dash"),
        ("Target", [moment.target for moment in moments], GOOD, "solid"),
        ("Opening", [moment.opening for moment in moments], MUTED, "dot"),
    )
    data = [
        _trace(name, *_from_end_to_end(moments, values), currency)
        | {"mode": "lines", "line": {"color": colour, "dash": dash, "shape": "hv", "width": 2}}
        for name, values, colour, dash in numbers
        if any(value is not None for value in values)
    ]
    offers = [(moment.at, moment.offer) for moment in moments if moment.offer is not None]
    if offers:
        data.append(
            _trace("Offer", [at for at, _ in offers], [amount for _, amount in offers], currency)
            | {"mode": "lines+markers", "marker": {"size": 10, "color": ACCENT}}
            | {"line": {"color": ACCENT, "width": 2}}
        )
    agreed = [(moment.at, moment.agreed) for moment in moments if moment.agreed is not None]
    if agreed:
        data.append(
            _trace("Agreed", [at for at, _ in agreed], [amount for _, amount in agreed], currency)
            | {"mode": "markers", "marker": {"size": 15, "symbol": "star", "color": BAD}}
        )
    return {
        "data": data,
        "layout": {
            "xaxis": {"type": "date"},
            "yaxis": money_axis(currency),
            "showlegend": True,
            "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        },
    }


def _from_end_to_end(
    moments: Sequence[Moment], values: Sequence[Decimal | None]
) -> tuple[list[datetime], list[Decimal]]:
    """A number's course over the whole time and a little beyond: an offer from before it was known is
    measured by it as well, and a single instant is something to see."""
    known = [(moment.at, value) for moment, value in zip(moments, values, strict=True) if value is not None]
    first, last = moments[0].at, moments[-1].at
    margin = max((last - first) / 25, _MARGIN)
    course = [(first - margin, known[0][1]), *known, (last + margin, known[-1][1])]
    return [at for at, _ in course], [value for _, value in course]


def _trace(name: str, at: Sequence[datetime], values: Sequence[Decimal], currency: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "name": name,
        "x": [instant.isoformat() for instant in at],
        "y": [float(value) for value in values],
        "hovertemplate": f"{name}: {currency} %{{y:,.0f}}<extra></extra>",
    }


def example() -> None:
    draw_offer_timeline(
        moments_of_summaries(fixtures.negotiation().executive_summaries), "USD", key="example-offers"
    )
