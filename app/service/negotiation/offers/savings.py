"""What an agreement saved compared with the first offer, the target, the previous price and the market. It is
calculated once, when the agreement is recorded; every page shows these figures. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Self

from app.contract.dates import format_day
from app.contract.savings import MAIN_BASELINES, SavingsBaseline
from app.service.negotiation.amounts import amount_to_text, parse_amount
from app.service.negotiation.offers.offer import Offer
from app.service.negotiation.strategy.strategy import Strategy, StrategyPosition

MAX_RATE = Decimal(10) ** 12
CENTIPERCENT = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Savings:
    """What was saved against one baseline. `saved` is negative when the agreement is more expensive than the
    baseline; `rate` is in per cent, to a hundredth; `basis` says in words what the baseline is."""

    against: SavingsBaseline
    baseline: Decimal
    agreed: Decimal
    basis: str = ""

    @property
    def saved(self) -> Decimal:
        return self.baseline - self.agreed

    @property
    def rate(self) -> Decimal | None:
        """None beyond a trillion per cent: such an agreement has nothing to do with its baseline."""
        share = 100 * self.saved / self.baseline
        return share.quantize(CENTIPERCENT).normalize() + 0 if abs(share) < MAX_RATE else None

    def to_record(self) -> dict[str, Any]:
        return {
            "against": self.against,
            "baseline": amount_to_text(self.baseline),
            "agreed": amount_to_text(self.agreed),
            "basis": self.basis,
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Self:
        return cls(
            record["against"],
            parse_amount(record["baseline"]),
            parse_amount(record["agreed"]),
            record.get("basis", ""),
        )


@dataclass(frozen=True, slots=True)
class PreviousPurchasePrice:
    """What the organisation last paid for the same products, at this scope's quantities and term; `basis`
    says when and how it was calculated."""

    amount: Decimal
    basis: str


def measure_savings(
    agreed: Decimal,
    offers: Sequence[Offer],
    strategy: Strategy | None,
    previous: PreviousPurchasePrice | None = None,
) -> list[Savings]:
    """Return the savings against each baseline there is, in the order of `SavingsBaseline`. `offers` are in
    the order in which they happened; one that does not fit the scope is no baseline."""
    savings: list[Savings] = []
    first = next((offer for offer in offers if offer.fits_scope), None)
    if first is not None:
        basis = f"The supplier's first offer, of {format_day(first.happened_at.date())}."
        savings.append(Savings("first_offer", first.amount, agreed, basis))
    if strategy is not None:
        savings.append(Savings("target", strategy.target.amount, agreed, _explain_target(strategy.target)))
    if previous is not None and previous.amount > 0:
        savings.append(Savings("previous_price", previous.amount, agreed, previous.basis))
    if strategy is not None and strategy.median is not None and strategy.median > 0:
        purchases = max(one.purchases for one in (strategy.opening, strategy.target, strategy.walk_away))
        basis = f"The median estimate, from {purchases:,} purchases." if purchases else "The median estimate."
        savings.append(Savings("median_estimate", strategy.median, agreed, basis))
    return savings


def _explain_target(target: StrategyPosition) -> str:
    return "The target, entered by the buyer." if target.origin == "typed" else f"The target: {target.reason}"


def select_main(measures: Sequence[Savings]) -> Savings | None:
    """Return the savings that count: against the first offer, else against the market."""
    by = {one.against: one for one in measures}
    return next((by[name] for name in MAIN_BASELINES if name in by), None)
