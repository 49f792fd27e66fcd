"""Invariants of every negotiation after any updates and any killed process."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import pytest

from app.service.negotiation.offers.offer import FILE_SOURCE
from app.service.negotiation.session.states import MOVES
from tests.service.negotiation.negotiation_driver import NegotiationDriver


@dataclass
class ExpectedNegotiation:
    """What a negotiation must look like."""

    status: str
    offers: dict[tuple[str, str], tuple[datetime, float]] = field(default_factory=dict[Any, Any])
    updates: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    seen: list[str] = field(default_factory=list[str])
    agreed: float | None = None
    attached: bool = False
    typed: dict[str, float] = field(default_factory=dict[str, float])
    withdrawn: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])

    @property
    def ended(self) -> bool:
        return self.status in {"complete", "cancelled"}


def check_invariants(driver: NegotiationDriver, expected: dict[str, ExpectedNegotiation]) -> None:
    """Check that no move is forbidden, no offer lost or doubled, no number changed except by a person or new
    evidence, each change announced by an event, and the savings right."""
    events = driver.load_events()
    for negotiation_id, of_it in expected.items():
        summary = driver.summary(negotiation_id)
        timeline = driver.timeline(negotiation_id)
        _moves(timeline)
        _offers(of_it, timeline)
        _numbers(of_it, timeline)
        _best(of_it, timeline, driver.clock.now)
        _escalations(summary, timeline)
        _events(summary, timeline, events.get(negotiation_id, []))
        _savings(of_it, summary, timeline)


def _moves(timeline: dict[str, Any]) -> None:
    moves = [
        tuple(entry["text"].partition(":")[0].split(" → "))
        for entry in sorted(timeline["entries"], key=lambda entry: entry["id"])
        if entry["kind"] == "state"
    ]
    assert all(move in MOVES for move in moves)
    path = ["planning", *(to for _, to in moves)]
    assert [start for start, _ in moves] == path[:-1]
    assert timeline["status"] == path[-1]


def _offers(expected: ExpectedNegotiation, timeline: dict[str, Any]) -> None:
    entries = [entry for entry in timeline["entries"] if entry["kind"] == "quote"]
    for entry in entries:
        key = (entry["source"], entry["externalId"])
        assert (entry.get("status") == "withdrawn") == (key in expected.withdrawn)
    found = {(entry["source"], entry["externalId"]): entry["amount"] for entry in entries}
    assert len(found) == len(entries)
    in_files = {key: amount for key, amount in found.items() if key[0] == FILE_SOURCE}
    assert found.items() - in_files.items() == {(key, amount) for key, (_, amount) in expected.offers.items()}
    # However often the file came, it makes one offer, once it was read.
    assert list(in_files.values()) in ([], [1050]) if expected.attached else not in_files
    if expected.attached and not expected.ended:
        read = all(one["status"] == "completed" for one in timeline["documents"])
        assert len(in_files) == read or (in_files and not read)
    happened = [entry["happenedAt"] for entry in timeline["entries"]]
    assert happened == sorted(happened)


NUMBERS = ("opening", "target", "walkAway")


def _numbers(expected: ExpectedNegotiation, timeline: dict[str, Any]) -> None:
    """The numbers are in order, and once set they change only where a person or new evidence changed them."""
    in_force: tuple[float, ...] | None = None
    for entry in sorted(timeline["entries"], key=lambda entry: entry["id"]):
        now = tuple(entry[name] for name in NUMBERS) if "opening" in entry else None
        if now is not None:
            assert now == tuple(sorted(now))
        if now != in_force:
            assert entry["kind"] in {"planned", "strategy"}, entry
        in_force = now
    strategy = timeline["strategy"]
    shown = tuple(strategy[name]["amount"] for name in NUMBERS) if "opening" in strategy else None
    assert shown == in_force
    for name, amount in expected.typed.items():
        assert strategy[name]["amount"] == amount
        assert strategy[name]["origin"] == "typed"


def _best(expected: ExpectedNegotiation, timeline: dict[str, Any], now: datetime) -> None:
    """The best offer is the lowest one that is neither withdrawn nor expired; the newest counts in any
    case."""
    valid = [
        entry
        for entry in timeline["entries"]
        if entry["kind"] == "quote" and entry.get("status") != "withdrawn"
    ]
    if not valid:
        assert "bestOffer" not in timeline
        return
    open_still = [
        entry
        for entry in valid
        if entry is valid[-1] or entry["payload"].get("validUntil", "9999") >= f"{now:%Y-%m-%d}"
    ]
    assert timeline["bestOffer"] == min(entry["amount"] for entry in open_still)


def _escalations(summary: dict[str, Any], timeline: dict[str, Any]) -> None:
    waiting = [one for one in summary["escalations"] if one["status"] == "open"]
    assert len({one["reason"] for one in waiting}) == len(waiting)
    if summary["status"] in {"complete", "cancelled"}:
        assert not waiting


def _events(summary: dict[str, Any], timeline: dict[str, Any], events: list[dict[str, Any]]) -> None:
    """The newest event has the current status; each escalation has an event for its start and for its end."""
    updates = [one["data"] for one in events if one["eventType"] == "negotiation.summary.updated"]
    moves = sum(entry["kind"] == "state" for entry in timeline["entries"])
    if updates:
        assert updates[-1]["status"] == summary["status"]
        assert updates[-1]["updatedAt"] == summary["updatedAt"]
    assert len(updates) >= moves
    assert updates or len(timeline["entries"]) == 1
    for one in summary["escalations"]:
        heard = [
            (event["eventType"].rpartition(".")[2], event["data"]["status"])
            for event in events
            if event["data"].get("escalationId") == one["id"]
        ]
        ended = [] if one["status"] == "open" else [("updated", one["status"])]
        assert heard == [("created", "open"), *ended]


def _savings(expected: ExpectedNegotiation, summary: dict[str, Any], timeline: dict[str, Any]) -> None:
    if expected.agreed is None:
        return
    (news,) = (news for news in summary["executiveSummaries"] if news["title"] == "Agreed")
    figures = news["figures"]
    quotes = [
        entry
        for entry in timeline["entries"]
        if entry["kind"] == "quote" and entry.get("status") != "withdrawn"
    ]
    measures = {one["against"]: one["baseline"] for one in timeline["measures"]}
    assert ("target" in measures) == ("target" in timeline["strategy"])
    if "target" in measures:
        assert measures["target"] == timeline["strategy"]["target"]["amount"]
    if quotes:
        first = min(quotes, key=lambda entry: (entry["happenedAt"], entry["id"]))
        assert figures["quoted"] == first["amount"]
        assert figures["savings"] == pytest.approx(first["amount"] - expected.agreed)
    elif "median" in timeline["strategy"]:
        assert figures["savings"] == pytest.approx(timeline["strategy"]["median"] - expected.agreed)
    else:
        assert "savings" not in figures
