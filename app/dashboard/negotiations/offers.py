"""The offers of a negotiation and the course of its numbers, from its timeline or its summaries."""

from collections.abc import Sequence

from app.contract.negotiation import ExecutiveSummary, TimelineEntry
from components.negotiations.timeline import TimelinePoint


def list_points_of_summaries(summaries: Sequence[ExecutiveSummary]) -> list[TimelinePoint]:
    """Return the points of the summaries, oldest first, for a deployment without a timeline."""
    return [
        TimelinePoint(
            summary.created_at,
            offer=summary.figures.quoted,
            counter=summary.figures.counter,
            opening=summary.figures.opening,
            target=summary.figures.target,
            walk_away=summary.figures.walk_away,
            agreed=summary.figures.agreed,
        )
        for summary in reversed(summaries)
        if summary.created_at is not None
    ]


def list_points_of_entries(entries: Sequence[TimelineEntry]) -> list[TimelinePoint]:
    """Return the points of a timeline, oldest first: the offers of both sides when they were made, numbers
    when they took effect."""
    offers = [
        TimelinePoint(entry.happened_at, offer=entry.amount)
        for entry in list_valid_offers(entries)
        if entry.happened_at is not None
    ]
    offers += [
        TimelinePoint(entry.happened_at, counter=entry.amount)
        for entry in entries
        if entry.happened_at is not None and entry.kind == "decision" and entry.amount is not None
    ]
    offers += [
        TimelinePoint(entry.happened_at, agreed=entry.amount)
        for entry in entries
        if entry.happened_at is not None and entry.kind == "agreement"
    ]
    numbers = [
        TimelinePoint(
            entry.recorded_at, opening=entry.opening, target=entry.target, walk_away=entry.walk_away
        )
        for entry in sorted(entries, key=lambda entry: entry.id)
        if entry.recorded_at is not None and entry.target is not None
    ]
    # An entry that was recorded before another has the lower id; equal instants keep that order.
    return sorted(offers + numbers, key=lambda point: point.at)


def list_valid_offers(entries: Sequence[TimelineEntry]) -> list[TimelineEntry]:
    """Return the offers that were not withdrawn, in their order, each with its latest correction."""
    corrected: dict[str, TimelineEntry] = {}
    for entry in sorted(entries, key=lambda entry: entry.id):
        if entry.kind == "correction" and entry.corrects:
            corrected[entry.corrects] = entry
    offers: list[TimelineEntry] = []
    for entry in entries:
        if entry.kind == "quote" and entry.status != "withdrawn":
            newest = corrected.get(entry.id, entry)
            offers.append(entry.model_copy(update={"amount": newest.amount, "currency": newest.currency}))
    return offers
