"""What happened in a negotiation: entries, and offers over time."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import streamlit as st

from app.contract.money import format_money
from app.contract.negotiation import Figures, Timeline, TimelineEntry
from components.elements.figure import (
    ACCENT,
    GOOD,
    LEGEND_ABOVE,
    MUTED,
    OURS,
    WARN,
    Figure,
    PlotlyObject,
    draw_figure,
    make_money_axis,
    make_trace,
)
from components.formatting import (
    draw_time,
    escape_markdown,
    format_count,
    format_date,
    format_local_time,
    format_months,
    get_reader_zone,
)
from components.negotiations.negotiation_state import format_entry_unit_price, format_state

_KIND_STYLES = {
    "started": ("flag", "Started"),
    "planned": ("lightbulb", "Strategy ready"),
    "state": ("trending_flat", "State"),
    "quote": ("request_quote", "Offer"),
    "message": ("chat", "Message"),
    "decision": ("gavel", "Decision"),
    "agreement": ("task_alt", "Agreed price"),
    "strategy": ("tune", "Numbers"),
    "correction": ("edit", "Correction"),
    "purchase": ("shopping_bag", "Purchase"),
    "cancellation": ("block", "Cancellation"),
    "note": ("sticky_note_2", "Note"),
    "attachment": ("attach_file", "File"),
    "mail": ("mail", "Mail"),
    "refused": ("do_not_disturb_on", "Refused"),
}
_LATE_AFTER = timedelta(minutes=5)
_SHOWN_ENTRIES = 8
"""The newest entries, which are drawn without a click."""
_STATE = re.compile(r"\b(?:planning|pending|active|complete|cancelled)\b")


def draw_timeline_entries(
    entries: Sequence[TimelineEntry], currency: str, *, timeline: Timeline | None = None
) -> None:
    """Draw a line for each entry with its amount, and the time of recording where that was much later. With a
    `timeline` that states what is bought, also the price per unit and month."""
    replaced = find_replaced_amounts(entries)
    newest_first = list(reversed(entries))

    def draw(some: Sequence[TimelineEntry]) -> None:
        for entry in some:
            _draw_entry(entry, currency, timeline, replaced.get(entry.id))

    draw(newest_first[:_SHOWN_ENTRIES])
    if earlier := newest_first[_SHOWN_ENTRIES:]:
        with st.expander(format_count(len(earlier), "earlier entry", "earlier entries")):
            draw(earlier)


def _draw_entry(
    entry: TimelineEntry, currency: str, timeline: Timeline | None, before: Decimal | None
) -> None:
    icon, name = _get_style(entry)
    mark = "~~" if entry.status else "**"  # struck through where it was corrected or withdrawn
    amount = escape_markdown(format_money(entry.amount or 0, entry.currency or currency))
    words = describe_entry(entry)
    if before is not None:
        words = f"instead of {format_money(before, entry.currency or currency)}, {words}"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        draw_time(format_local_time(entry.happened_at), entry.happened_at)
        st.markdown(
            f":material/{icon}: **{escape_markdown(name)}**{f' {mark}{amount}{mark}' if entry.amount else ''}"
            f"{' ' + escape_markdown(words) if words else ''}",
            width="content",
        )
        if per := format_entry_unit_price(entry, currency, timeline):
            st.caption(escape_markdown(per), width="content")
        if entry.status:
            st.badge(entry.status, color="gray")
        happened, recorded = entry.happened_at, entry.recorded_at
        if happened is not None and recorded is not None and recorded - happened > _LATE_AFTER:
            st.caption(f"recorded {format_local_time(entry.recorded_at)}", width="content")


def find_replaced_amounts(entries: Sequence[TimelineEntry]) -> dict[str, Decimal]:
    """Return the amount that each correction replaced, by the id of the correction."""
    # An entry that was recorded before another has the lower id.
    amounts: dict[str, Decimal] = {}
    replaced: dict[str, Decimal] = {}
    for entry in sorted(entries, key=lambda entry: entry.id):
        offer = entry.corrects or entry.id
        if entry.corrects and entry.amount is not None and amounts.get(offer) not in {None, entry.amount}:
            replaced[entry.id] = amounts[offer]
        if entry.amount is not None:
            amounts[offer] = entry.amount
    return replaced


def _get_style(entry: TimelineEntry) -> tuple[str, str]:
    """Return the icon and the name of an entry."""
    if entry.kind == "decision" and entry.amount is not None:
        return "reply", "Our counter-offer"
    return _KIND_STYLES.get(entry.kind, ("circle", entry.kind.replace("_", " ")))


def find_unanswered_counter(entries: Sequence[TimelineEntry]) -> TimelineEntry | None:
    """Return the buyer's counter-offer where neither side has said anything since."""
    said = [one for one in entries if one.kind in {"quote", "message", "decision", "agreement"}]
    return said[-1] if said and said[-1].kind == "decision" and said[-1].amount is not None else None


def describe_entry(entry: TimelineEntry) -> str:
    """Return what an entry says besides its kind and amount."""
    payload = entry.payload or {}
    if entry.kind == "state":
        return _STATE.sub(lambda match: format_state(match[0]), entry.text or "")
    if entry.kind == "quote":
        parts = [*_describe_terms(payload), str(payload.get("note") or entry.text or "")]
        return ", ".join(part for part in parts if part)
    if entry.kind == "correction":
        what = ["withdrawn" if payload.get("withdrawn") else "corrected", *_describe_terms(payload)]
        return ": ".join(part for part in (", ".join(what), str(payload.get("note") or "")) if part)
    if entry.kind == "decision" and entry.amount is not None:
        return str(payload.get("note") or "")
    if entry.kind == "decision":
        return ": ".join(
            str(part) for part in (payload.get("decision"), payload.get("note")) if part
        ).replace("_", " ")
    if entry.kind == "message":
        sender = f"{payload['from']}: " if payload.get("from") else ""
        return sender + (entry.text or "")
    return entry.text or str(payload.get("reason") or "")


def _describe_terms(payload: Mapping[str, Any]) -> list[str]:
    """Return the term and the last day of an offer, as far as it states them."""
    term, until = payload.get("termLength"), payload.get("validUntil")
    terms = [f"for {format_months(term)}"] if isinstance(term, int) else []
    return [*terms, f"valid until {format_date(until)}"] if until else terms


_MARGIN = timedelta(hours=6)
_TIMES_BELOW = timedelta(days=4)
"""A chart of a shorter time has hours at its ticks, a longer one days."""


TimelinePoint = tuple[datetime, Figures]
"""The amounts that were stated at one time: the supplier's offer (`quoted`), ours (`counter`), the three
numbers, and the final price (`agreed`)."""


def draw_offer_timeline(points: Sequence[TimelinePoint], currency: str, *, key: str) -> None:
    """Draw the chart of two amounts and more: a single one stands among the figures."""
    if sum(bool(one.quoted or one.counter or one.agreed) for _, one in points) < 2:
        return
    figure = make_offer_figure(points, currency)
    draw_figure(figure, key=key, alt=describe_offers(points, currency), height=240)


def _list_stated(points: Sequence[TimelinePoint], name: str) -> list[tuple[datetime, Decimal]]:
    """Return when each amount of that name was stated."""
    return [(at, amount) for at, figures in points if (amount := getattr(figures, name)) is not None]


def describe_offers(points: Sequence[TimelinePoint], currency: str) -> str:
    """Return a description of the chart for readers who cannot see it."""
    offers, counters = (
        ", then ".join(format_money(amount, currency) for _, amount in _list_stated(points, name))
        for name in ("quoted", "counter")
    )
    sentences = [f"The supplier's offers over time: {offers}." if offers else "No offers yet."]
    if counters:
        sentences.append(f"Our counter-offers: {counters}.")
    for name, words in (("target", "target"), ("walk_away", "walk-away"), ("agreed", "agreed price")):
        if stated := _list_stated(points, name):
            sentences.append(f"The {words} is {format_money(stated[-1][1], currency)}.")
    return " ".join(sentences)


def make_offer_figure(points: Sequence[TimelinePoint], currency: str) -> Figure:
    """Return the chart: numbers as steps, the offers of each side as points on a line, the agreed price as a
    star. Times are the reader's."""
    first, last = points[0][0], points[-1][0]
    numbers = (
        ("Walk-away", "walk_away", WARN, "dash"),
        ("Target", "target", GOOD, "solid"),
        ("Opening", "opening", MUTED, "dot"),
    )
    data: list[PlotlyObject] = []
    for words, name, colour, dash in numbers:
        if stated := _list_stated(points, name):
            # A little beyond the first and last point: offers from before the number was set are measured
            # against it too, and a single point becomes visible as a line.
            margin = max((last - first) / 25, _MARGIN)
            course = [(first - margin, stated[0][1]), *stated, (last + margin, stated[-1][1])]
            data.append(
                _make_trace(words, course, currency)
                | {"mode": "lines", "line": {"color": colour, "dash": dash, "shape": "hv", "width": 2}}
                | {"name": f"{words} {format_money(stated[-1][1], currency)}"}
            )
    sides = (
        ("Supplier's offer", "quoted", ACCENT, "circle", 10),
        ("Our counter", "counter", OURS, "diamond", 11),
        ("Agreed", "agreed", GOOD, "star", 16),
    )
    for words, name, colour, symbol, size in sides:
        if stated := _list_stated(points, name):
            data.append(
                _make_trace(words, stated, currency)
                | {"mode": "lines+markers", "marker": {"size": size, "symbol": symbol, "color": colour}}
                | {"line": {"color": colour, "width": 2}}
            )
    return {
        "data": data,
        "layout": {
            "xaxis": {
                "type": "date",
                "tickformat": "%H:%M\n%-d %b %Y" if last - first < _TIMES_BELOW else "%-d %b\n%Y",
                "nticks": 7,
            },
            "yaxis": make_money_axis(currency),
            **LEGEND_ABOVE,
        },
    }


def _make_trace(name: str, stated: Sequence[tuple[datetime, Decimal]], currency: str) -> PlotlyObject:
    # Plotly leaves zones out of account: it is given the clock of the reader.
    times = [at.astimezone(get_reader_zone()).replace(tzinfo=None).isoformat() for at, _ in stated]
    texts = [f"{name}: {format_money(value, currency)}<br>{format_local_time(at)}" for at, value in stated]
    return make_trace(times, [value for _, value in stated], texts, name=name)
