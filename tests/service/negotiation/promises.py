"""What holds of every negotiation, whatever was done to it and whoever died over it."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import pytest

from app.service.negotiation.offers import FROM_FILE
from app.service.negotiation.states import MOVES
from tests.service.negotiation.desk import Desk


@dataclass
class Expected:
    """What a negotiation must look like."""

    status: str
    offers: dict[tuple[str, str], tuple[datetime, float]] = field(default_factory=dict[Any, Any])
    updates: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    seen: list[str] = field(default_factory=list[str])
    agreed: float | None = None
    attached: bool = False

    @property
    def ended(self) -> bool:
        return self.status in {"complete", "cancelled"}


def hold(desk: Desk, expected: dict[str, Expected]) -> None:
    """No forbidden move, no offer lost or doubled, each change told of, savings as plainly recomputed."""
    told = desk.told()
    for negotiation_id, of_it in expected.items():
        summary = desk.summary(negotiation_id)
        timeline = desk.timeline(negotiation_id)
        _moves(timeline)
        _offers(of_it, timeline)
        _numbers(timeline)
        _escalations(summary, timeline)
        _events(summary, timeline, told.get(negotiation_id, []))
        _savings(of_it, summary, timeline)


def _moves(timeline: dict[str, Any]) -> None:
    moves = [
        tuple(entry["text"].partition(":")[0].split(" → "))
        for entry in sorted(timeline["entries"], key=lambda entry: entry["id"])
        if entry["kind"] == "state"
    ]
    assert all(move in MOVES for move in moves)
    path = ["planning", *(to for _, to in moves)]
    assert [here for here, _ in moves] == path[:-1]
    assert timeline["status"] == path[-1]


def _offers(expected: Expected, timeline: dict[str, Any]) -> None:
    entries = [entry for entry in timeline["entries"] if entry["kind"] == "quote"]
    found = {(entry["source"], entry["externalId"]): entry["amount"] for entry in entries}
    assert len(found) == len(entries)
    in_files = {key: amount for key, amount in found.items() if key[0] == FROM_FILE}
    assert found.items() - in_files.items() == {(key, amount) for key, (_, amount) in expected.offers.items()}
    # However often the file came, it makes one offer, once it was read.
    assert list(in_files.values()) in ([], [1050]) if expected.attached else not in_files
    if expected.attached and not expected.ended:
        read = all(one["status"] == "completed" for one in timeline["documents"])
        assert len(in_files) == read or (in_files and not read)
    happened = [entry["happenedAt"] for entry in timeline["entries"]]
    assert happened == sorted(happened)


def _numbers(timeline: dict[str, Any]) -> None:
    for entry in timeline["entries"]:
        if "opening" in entry:
            assert entry["opening"] <= entry["target"] <= entry["walkAway"]
            if entry["kind"] == "quote" and entry is timeline["entries"][-1]:
                assert entry["walkAway"] <= entry["amount"]


def _escalations(summary: dict[str, Any], timeline: dict[str, Any]) -> None:
    waiting = [one for one in summary["escalations"] if one["status"] == "open"]
    assert len({one["reason"] for one in waiting}) == len(waiting)
    if summary["status"] in {"complete", "cancelled"}:
        assert not waiting


def _events(summary: dict[str, Any], timeline: dict[str, Any], told: list[dict[str, Any]]) -> None:
    """The newest event says what is; each escalation was told of when it came and when it ended."""
    updates = [one["data"] for one in told if one["eventType"] == "negotiation.summary.updated"]
    moves = sum(entry["kind"] == "state" for entry in timeline["entries"])
    if updates:
        assert updates[-1]["status"] == summary["status"]
        assert updates[-1]["updatedAt"] == summary["updatedAt"]
    assert len(updates) >= moves
    assert updates or len(timeline["entries"]) == 1
    for one in summary["escalations"]:
        heard = [
            (event["eventType"].rpartition(".")[2], event["data"]["status"])
            for event in told
            if event["data"].get("escalationId") == one["id"]
        ]
        ended = [] if one["status"] == "open" else [("updated", one["status"])]
        assert heard == [("created", "open"), *ended]


def _savings(expected: Expected, summary: dict[str, Any], timeline: dict[str, Any]) -> None:
    if expected.agreed is None:
        return
    (news,) = (news for news in summary["executiveSummaries"] if news["title"] == "Agreed")
    figures = news["figures"]
    quotes = [entry for entry in timeline["entries"] if entry["kind"] == "quote"]
    if quotes:
        first = min(quotes, key=lambda entry: (entry["happenedAt"], entry["id"]))
        assert figures["quoted"] == first["amount"]
        assert figures["savings"] == pytest.approx(first["amount"] - expected.agreed)
    elif "median" in timeline["strategy"]:
        assert figures["savings"] == pytest.approx(timeline["strategy"]["median"] - expected.agreed)
    else:
        assert "savings" not in figures
