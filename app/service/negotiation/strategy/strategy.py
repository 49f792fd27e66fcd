"""The strategy of a negotiation: its opening, target and walk-away, each with its origin, its reason and the
purchases behind it. Pure.

The three numbers are set once, when the strategy is made. Only a person or new evidence changes them: an
offer is compared with them and never changes them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Field

from app.contract.money import format_exact_money
from app.contract.pricing import OPENING_PERCENTILE, TARGET_PERCENTILE
from app.service.stored_record import OMITTED, StoredRecord

WALK_AWAY_PERCENTILE = 60
MEDIAN_PERCENTILE = 50

PositionOrigin = Literal["estimate", "quote", "typed"]
PositionName = Literal["opening", "target", "walk_away"]
POSITION_LABELS: Mapping[PositionName, str] = {
    "opening": "opening",
    "target": "target",
    "walk_away": "walk-away",
}
"""The three numbers as people call them."""
RECALCULATE = "recalculate"
"""The task that sets the numbers again."""
POSITION_NAMES: tuple[PositionName, ...] = ("opening", "target", "walk_away")
"""From the lowest to the highest: none may be above the next."""


@dataclass(frozen=True, slots=True)
class PriceEvidence:
    """The estimate of a scope's price at 17 percentiles (10, 15, … 90), and how many purchases it rests on.
    `quoted_part` is money that is part of every percentile as it was quoted, because the estimate does not
    cover it; `remark` says so in a sentence. `doubts` are sentences on why the estimate is only a first
    guess."""

    percentiles: Mapping[int, Decimal]
    purchases: int
    currency: str
    quoted_part: Decimal = Decimal(0)
    remark: str = ""
    doubts: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class NoEvidence:
    """There is no estimate; `reason` is a sentence for a person."""

    reason: str


@dataclass(frozen=True, slots=True)
class StrategyPosition(StoredRecord):
    """One of the three numbers: a total before tax for the scope."""

    amount: Decimal
    reason: str
    purchases: int
    origin: PositionOrigin = "estimate"


@dataclass(frozen=True, slots=True)
class Strategy(StoredRecord):
    """opening ≤ target ≤ walk-away; `median` is P50, None where nothing was estimated; `low` and `high` are
    P10 and P90, None before they were stored. `quoted_part` is the part of each number that is taken from the
    quote unchanged. `percentiles` are what an offer may be judged by: none where the evidence is doubtful or
    they were not stored yet."""

    opening: StrategyPosition
    target: StrategyPosition
    walk_away: Annotated[StrategyPosition, Field(alias="walk_away")]
    median: Decimal | None
    currency: str
    quoted_part: Annotated[Decimal, Field(alias="rest")] = Decimal(0)
    low: Annotated[Decimal | None, OMITTED] = None
    high: Annotated[Decimal | None, OMITTED] = None
    percentiles: Annotated[Mapping[int, Decimal], OMITTED] = field(default_factory=dict[int, Decimal])

    @property
    def positions(self) -> tuple[StrategyPosition, ...]:
        """The three numbers, from the lowest to the highest."""
        return self.opening, self.target, self.walk_away

    @property
    def has_typed_number(self) -> bool:
        """Whether a person set one of the numbers."""
        return any(one.origin == "typed" for one in self.positions)

    @property
    def purchases(self) -> int:
        """How many the numbers rest on that no person set."""
        return max(one.purchases for one in self.positions)

    @property
    def numbers(self) -> dict[str, str]:
        """The three amounts as a row stores them."""
        return {
            "opening": str(self.opening.amount),
            "target": str(self.target.amount),
            "walkAway": str(self.walk_away.amount),
        }


class NumbersOutOfOrder(ValueError):
    """Numbers that are not opening ≤ target ≤ walk-away. `names` are those to change."""

    def __init__(self, names: Sequence[PositionName], why: str) -> None:
        super().__init__(why)
        self.names = names


def build_strategy(evidence: PriceEvidence, capped_by: Decimal | None = None) -> Strategy:
    """Build a strategy: the opening at P10, the target at P25, the walk-away at P60. None is above
    `capped_by`, the lowest quote that the buyer has at that time."""
    percentiles = evidence.percentiles

    def position(percent: int) -> StrategyPosition:
        reason = _explain_percentile(percent) + (f" {evidence.remark}" if evidence.remark else "")
        return _cap(
            StrategyPosition(percentiles[percent], reason, evidence.purchases), capped_by, evidence.currency
        )

    return Strategy(
        opening=position(OPENING_PERCENTILE),
        target=position(TARGET_PERCENTILE),
        walk_away=position(WALK_AWAY_PERCENTILE),
        median=percentiles[MEDIAN_PERCENTILE],
        currency=evidence.currency,
        quoted_part=evidence.quoted_part,
        low=percentiles[min(percentiles)],
        high=percentiles[max(percentiles)],
        percentiles={} if evidence.doubts else dict(sorted(percentiles.items())),
    )


def apply_typed_numbers(
    before: Strategy | None, typed: Mapping[PositionName, Decimal], note: str, currency: str
) -> Strategy:
    """Return the strategy with the numbers that a person typed. Where there was none before, a number that
    was not typed takes the nearest typed one. Raises NumbersOutOfOrder."""
    if before is None and not typed:
        raise NumbersOutOfOrder(POSITION_NAMES, "Enter at least one of the three numbers.")
    written: dict[PositionName, StrategyPosition] = {
        name: StrategyPosition(amount, f"Entered by the buyer: {note}", 0, "typed")
        for name, amount in typed.items()
    }
    if before is None:
        given: list[PositionName] = [name for name in POSITION_NAMES if written.get(name)]
        positions: dict[PositionName, StrategyPosition] = {}
        for name in POSITION_NAMES:
            nearest = written.get(name) or written[_nearest_typed(name, given)]
            positions[name] = (
                nearest if name in written else replace(nearest, reason=_explain_copied(name, given))
            )
    else:
        positions = {name: written.get(name) or getattr(before, name) for name in POSITION_NAMES}
    _require_order(positions, list(typed), currency)
    opening, target, walk_away = (positions[name] for name in POSITION_NAMES)
    if before is None:
        return Strategy(opening, target, walk_away, median=None, currency=currency)
    return replace(before, opening=opening, target=target, walk_away=walk_away, currency=currency)


def describe_changes(before: Mapping[str, str] | None, after: Mapping[str, str] | None, currency: str) -> str:
    """Describe what changed from one set of `numbers` to another: `target USD 900 → USD 950`."""
    words = {"opening": "opening", "target": "target", "walkAway": "walk-away"}
    parts: list[str] = []
    for key, name in words.items():
        old, new = (before or {}).get(key), (after or {}).get(key)
        if old != new:
            ends = [
                "none" if one is None else format_exact_money(Decimal(str(one)), currency)
                for one in (old, new)
            ]
            parts.append(f"{name} {ends[0]} → {ends[1]}")
    return ", ".join(parts)


def _require_order(
    positions: Mapping[PositionName, StrategyPosition], typed: Sequence[PositionName], currency: str
) -> None:
    for lower, upper in pairwise(POSITION_NAMES):
        if positions[lower].amount > positions[upper].amount:
            wrong: list[PositionName] = [name for name in (lower, upper) if name in typed]
            low, high = (
                f"{POSITION_LABELS[name]} of {format_exact_money(positions[name].amount, currency)}"
                for name in (lower, upper)
            )
            raise NumbersOutOfOrder(wrong, f"The {low} is above the {high}.")


def _nearest_typed(name: PositionName, given: Sequence[PositionName]) -> PositionName:
    return min(given, key=lambda one: abs(POSITION_NAMES.index(one) - POSITION_NAMES.index(name)))


def _explain_copied(name: PositionName, given: Sequence[PositionName]) -> str:
    nearest = POSITION_LABELS[_nearest_typed(name, given)]
    return f"No {POSITION_LABELS[name]} was entered: it equals the {nearest}."


def _explain_percentile(percent: int) -> str:
    return f"{percent} % of comparable purchases cost this or less, by the estimate."


def _cap(position: StrategyPosition, capped_by: Decimal | None, currency: str) -> StrategyPosition:
    if capped_by is None or position.amount <= capped_by:
        return position
    return replace(
        position,
        amount=capped_by,
        origin="quote",
        reason="Capped at the supplier's offer at the time; the estimate alone gives"
        f" {format_exact_money(position.amount, currency)}. {position.reason}",
    )
