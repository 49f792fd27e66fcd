"""The three numbers of a negotiation, each with where it comes from, its reason and the purchases behind it.

They are set once, when the strategy is made, and change only by a person or by new evidence: an offer is held
against them and never changes them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise
from typing import Any, Literal, Self

from app.service.negotiation.amounts import amount_of, in_words, kept
from app.service.negotiation.strategy.levers import Lever

OPENING_AT = 10
TARGET_AT = 25
WALK_AWAY_AT = 60
MEDIAN_AT = 50
LEVER_STEP = 5
"""Percentiles by which each lever that tightens moves the target towards the opening."""
TIGHTEST_TARGET_AT = 15

Origin = Literal["estimate", "quote", "typed"]
Name = Literal["opening", "target", "walk_away"]
NAMES: Mapping[Name, str] = {"opening": "opening", "target": "target", "walk_away": "walk-away"}
"""The three numbers as people call them."""
ORDER: tuple[Name, ...] = ("opening", "target", "walk_away")
"""None may be above the next."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The advanced estimate: the scope's price at 17 percentiles (10, 15, … 90), and how many purchases it
    rests on. `rest` is money that is part of every percentile as it was quoted, because the estimate says
    nothing about it; `remark` says so in a sentence. `doubts` are sentences on why it is no more than a first
    guess."""

    percentiles: Mapping[int, Decimal]
    purchases: int
    currency: str
    rest: Decimal = Decimal(0)
    remark: str = ""
    doubts: Sequence[str] = ()


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
    origin: Origin = "estimate"


@dataclass(frozen=True, slots=True)
class Strategy:
    """opening ≤ target ≤ walk-away; `median` is P50, None where nothing was estimated. `rest` is the part of
    each number that is taken from the quote as it stands."""

    opening: Position
    target: Position
    walk_away: Position
    median: Decimal | None
    currency: str
    rest: Decimal = Decimal(0)

    @property
    def is_typed(self) -> bool:
        """Whether a person set one of the numbers."""
        return any(one.origin == "typed" for one in (self.opening, self.target, self.walk_away))

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
            **{name: _recorded(getattr(self, name)) for name in ORDER},
            "median": None if self.median is None else kept(self.median),
            "currency": self.currency,
            "rest": kept(self.rest),
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Self:
        positions = {
            name: Position(
                amount_of(at["amount"]), at["reason"], at["purchases"], at.get("origin", "estimate")
            )
            for name in ORDER
            for at in (record[name],)
        }
        median = record["median"]
        return cls(
            **positions,
            median=None if median is None else amount_of(median),
            currency=record["currency"],
            rest=amount_of(record.get("rest", 0)),
        )


class OutOfOrder(ValueError):
    """Numbers that are not opening ≤ target ≤ walk-away. `names` are those to be changed."""

    def __init__(self, names: Sequence[Name], why: str) -> None:
        super().__init__(why)
        self.names = names


def strategy_from(evidence: Evidence, levers: Sequence[Lever], in_hand: Decimal | None = None) -> Strategy:
    """About P10, P25 tightened by the levers that apply, about P60; none above `in_hand`, the lowest quote
    that the buyer has when the strategy is made."""
    at = evidence.percentiles
    tightening = [lever for lever in levers if lever.tightens]
    target_at = max(TARGET_AT - LEVER_STEP * len(tightening), TIGHTEST_TARGET_AT)
    because = "; ".join(lever.name for lever in tightening)
    tightened = f" Tightened from P{TARGET_AT} by: {because}." if tightening else ""

    def position(percent: int, more: str = "") -> Position:
        reason = _expected_by(percent) + more + (f" {evidence.remark}" if evidence.remark else "")
        return _below(Position(at[percent], reason, evidence.purchases), in_hand, evidence.currency)

    return Strategy(
        opening=position(OPENING_AT),
        target=position(target_at, tightened),
        walk_away=position(WALK_AWAY_AT),
        median=at[MEDIAN_AT],
        currency=evidence.currency,
        rest=evidence.rest,
    )


def with_typed(before: Strategy | None, typed: Mapping[Name, Decimal], note: str, currency: str) -> Strategy:
    """The numbers with those that a person typed. Where there are none yet, a number that was not typed is
    the nearest typed one. Raises OutOfOrder."""
    if before is None and not typed:
        raise OutOfOrder(ORDER, "At least one of the three numbers is needed.")
    written: dict[Name, Position] = {
        name: Position(amount, f"Typed by the buyer: {note}", 0, "typed") for name, amount in typed.items()
    }
    if before is None:
        given: list[Name] = [name for name in ORDER if written.get(name)]
        positions: dict[Name, Position] = {}
        for name in ORDER:
            nearest = written.get(name) or written[_nearest(name, given)]
            positions[name] = nearest if name in written else replace(nearest, reason=_not_typed(name, given))
    else:
        positions = {name: written.get(name) or getattr(before, name) for name in ORDER}
    _require_order(positions, list(typed))
    return Strategy(
        **positions,
        median=before.median if before else None,
        currency=currency,
        rest=before.rest if before else Decimal(0),
    )


def changes(before: Mapping[str, str] | None, after: Mapping[str, str] | None, currency: str) -> str:
    """What changed from one set of `numbers` to another, in words: `target 900 → 950 USD`."""
    words = {"opening": "opening", "target": "target", "walkAway": "walk-away"}
    told: list[str] = []
    for key, name in words.items():
        old, new = (before or {}).get(key), (after or {}).get(key)
        if old != new:
            ends = [in_words(amount_of(one)) if one is not None else "none" for one in (old, new)]
            told.append(f"{name} {ends[0]} → {ends[1]} {currency}")
    return ", ".join(told)


def _require_order(positions: Mapping[Name, Position], typed: Sequence[Name]) -> None:
    for lower, upper in pairwise(ORDER):
        if positions[lower].amount > positions[upper].amount:
            wrong: list[Name] = [name for name in (lower, upper) if name in typed]
            above = f"The {NAMES[lower]} of {in_words(positions[lower].amount)} is above"
            raise OutOfOrder(wrong, f"{above} the {NAMES[upper]} of {in_words(positions[upper].amount)}.")


def _nearest(name: Name, given: Sequence[Name]) -> Name:
    return min(given, key=lambda one: abs(ORDER.index(one) - ORDER.index(name)))


def _not_typed(name: Name, given: Sequence[Name]) -> str:
    return f"No {NAMES[name]} was typed: it is the {NAMES[_nearest(name, given)]}."


def _expected_by(percent: int) -> str:
    return f"The estimate expects {percent} of 100 purchases like this one to cost this or less (P{percent})."


def _below(position: Position, in_hand: Decimal | None, currency: str) -> Position:
    if in_hand is None or position.amount <= in_hand:
        return position
    return replace(
        position,
        amount=in_hand,
        origin="quote",
        reason="This is what the quote in hand asked when the strategy was made; by the estimate it would be"
        f" {in_words(position.amount)} {currency}. {position.reason}",
    )


def _recorded(position: Position) -> dict[str, Any]:
    return {
        "amount": kept(position.amount),
        "reason": position.reason,
        "purchases": position.purchases,
        "origin": position.origin,
    }
