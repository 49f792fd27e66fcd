"""The three numbers of a negotiation, each with its reason and the purchases behind it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Self

from app.service.negotiation.amounts import amount_of, kept
from app.service.negotiation.levers import Lever

OPENING_AT = 10
TARGET_AT = 25
WALK_AWAY_AT = 60
MEDIAN_AT = 50
LEVER_STEP = 5
"""Percentiles by which each lever that tightens moves the target towards the opening."""
TIGHTEST_TARGET_AT = 15


@dataclass(frozen=True, slots=True)
class Evidence:
    """The advanced estimate: the scope's price at 17 percentiles (10, 15, … 90), and how many purchases it
    rests on."""

    percentiles: Mapping[int, Decimal]
    purchases: int
    currency: str


@dataclass(frozen=True, slots=True)
class NoEvidence:
    """There is no estimate; `reason` is a sentence for a person."""

    reason: str


@dataclass(frozen=True, slots=True)
class Position:
    """One of the three numbers: the scope's total before tax."""

    amount: Decimal
    reason: str
    purchases: int


@dataclass(frozen=True, slots=True)
class Strategy:
    """opening ≤ target ≤ walk-away; `median` is P50, the yardstick of savings when there was no offer."""

    opening: Position
    target: Position
    walk_away: Position
    median: Decimal
    currency: str

    def held_to(self, in_hand: Iterable[Decimal]) -> Self:
        """The same numbers, none above a quote in hand."""
        lowest = min(in_hand, default=None)
        if lowest is None or lowest >= self.walk_away.amount:
            return self
        return replace(
            self,
            opening=_capped(self.opening, lowest),
            target=_capped(self.target, lowest),
            walk_away=_capped(self.walk_away, lowest),
        )

    @property
    def numbers(self) -> dict[str, str]:
        """The three amounts as a row keeps them."""
        return {
            "opening": kept(self.opening.amount),
            "target": kept(self.target.amount),
            "walkAway": kept(self.walk_away.amount),
        }

    def record(self) -> dict[str, Any]:
        """As the negotiation's row keeps it; `from_record` reads it again."""
        return {
            **{name: _recorded(getattr(self, name)) for name in ("opening", "target", "walk_away")},
            "median": kept(self.median),
            "currency": self.currency,
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Self:
        positions = {
            name: Position(amount_of(at["amount"]), at["reason"], at["purchases"])
            for name in ("opening", "target", "walk_away")
            for at in (record[name],)
        }
        return cls(**positions, median=amount_of(record["median"]), currency=record["currency"])


def strategy_from(evidence: Evidence, levers: Sequence[Lever]) -> Strategy:
    """The numbers before any quote: about P10, P25 tightened by the levers that apply, about P60."""
    at = evidence.percentiles
    tightening = [lever for lever in levers if lever.tightens]
    target_at = max(TARGET_AT - LEVER_STEP * len(tightening), TIGHTEST_TARGET_AT)
    walk_away = at[WALK_AWAY_AT]
    target = min(at[target_at], walk_away)
    opening = min(at[OPENING_AT], target)
    because = "; ".join(lever.name for lever in tightening)
    return Strategy(
        opening=Position(opening, _reached_by(OPENING_AT), evidence.purchases),
        target=Position(
            target,
            _reached_by(target_at) + (f" Tightened from P{TARGET_AT} by: {because}." if tightening else ""),
            evidence.purchases,
        ),
        walk_away=Position(walk_away, _reached_by(WALK_AWAY_AT), evidence.purchases),
        median=at[MEDIAN_AT],
        currency=evidence.currency,
    )


def _reached_by(percent: int) -> str:
    return f"P{percent}: {percent} of 100 comparable purchases cost this or less."


def _capped(position: Position, amount: Decimal) -> Position:
    if position.amount <= amount:
        return position
    return replace(position, amount=amount, reason="A quote in hand is no dearer than this.")


def _recorded(position: Position) -> dict[str, Any]:
    return {
        "amount": kept(position.amount),
        "reason": position.reason,
        "purchases": position.purchases,
    }
