"""What a negotiation saved: against the first offer; when there was none, against the median estimate."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal, Self

from app.service.negotiation.amounts import amount_of, kept
from app.service.negotiation.offers import Offer

Yardstick = Literal["first_offer", "median_estimate"]

LARGEST_RATE = Decimal(10) ** 12
CENTIPERCENT = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Savings:
    """`saved` is negative when the agreement is dearer than the yardstick; `rate` in per cent, to a
    hundredth."""

    against: Yardstick
    baseline: Decimal
    agreed: Decimal

    @property
    def saved(self) -> Decimal:
        return self.baseline - self.agreed

    @property
    def rate(self) -> Decimal | None:
        """None beyond a trillion per cent: an agreement that has nothing to do with its yardstick."""
        share = 100 * self.saved / self.baseline
        return share.quantize(CENTIPERCENT).normalize() + 0 if abs(share) < LARGEST_RATE else None

    def record(self) -> dict[str, Any]:
        return {"against": self.against, "baseline": kept(self.baseline), "agreed": kept(self.agreed)}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Self:
        return cls(record["against"], amount_of(record["baseline"]), amount_of(record["agreed"]))


def savings_of(agreed: Decimal, offers: Sequence[Offer], median: Decimal | None) -> Savings | None:
    """`offers` in the order in which they happened. None when there is nothing to measure against."""
    if offers:
        return Savings("first_offer", offers[0].amount, agreed)
    if median is not None and median > 0:
        return Savings("median_estimate", median, agreed)
    return None
