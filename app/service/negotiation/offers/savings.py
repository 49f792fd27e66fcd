"""What an agreement saved compared with the first offer, the target, the previous price and the market. It is
calculated once, when the agreement is recorded; every page shows these figures. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, Self

from pydantic import PlainSerializer

from app.contract.dates import format_day
from app.contract.money import format_count, join_words
from app.contract.savings import MAIN_BASELINES, SavingsBaseline
from app.service.negotiation.offers.offer import Offer
from app.service.negotiation.strategy.strategy import Strategy, StrategyPosition
from app.service.stored_record import OMITTED, StoredRecord
from app.service.values.rounding import round_to_cents

MAX_RATE = Decimal(10) ** 12


@dataclass(frozen=True, slots=True)
class Savings(StoredRecord):
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
        return round_to_cents(share).normalize() + 0 if abs(share) < MAX_RATE else None


@dataclass(frozen=True, slots=True)
class Baseline:
    """A price that an agreed one is compared with: a total before tax for so many `months`, None where the
    term is not known. `basis` says in words what it is."""

    against: SavingsBaseline
    amount: Decimal
    months: int | None
    basis: str

    def is_for_term(self, months: int | None) -> bool:
        """Whether it is for this term, or both are of a term that nobody states; else the totals say nothing
        about each other."""
        return (self.months or None) == (months or None)


def find_negotiated_months(offers: Sequence[Offer], scope_months: int | None) -> int | None:
    """Return the term that is negotiated: the scope's, else that of the first offer; None where neither
    states one."""
    first = find_first_offer(offers)
    return scope_months or (first.term_length if first is not None else None)


def find_first_offer(offers: Sequence[Offer]) -> Offer | None:
    """Return the first of the offers, in the order in which they happened, that fits the scope; None where
    none does."""
    return next((offer for offer in offers if offer.fits_scope), None)


def list_baselines(
    offers: Sequence[Offer],
    strategy: Strategy | None,
    months: int | None,
    previous: Baseline | None = None,
) -> list[Baseline]:
    """Return the baselines that there are, in the order of `SavingsBaseline`. `offers` are in the order in
    which they happened; one that does not fit the scope is no baseline. `months` is the term that is
    negotiated, which the numbers of the strategy are for, and an offer that names no term."""
    baselines: list[Baseline] = []
    first = find_first_offer(offers)
    if first is not None:
        basis = f"The supplier's first offer, of {format_day(first.happened_at.date())}."
        baselines.append(Baseline("first_offer", first.amount, first.term_length or months, basis))
    if strategy is not None:
        basis = _explain_target(strategy.target)
        baselines.append(Baseline("target", strategy.target.amount, months, basis))
    if previous is not None and previous.amount > 0:
        baselines.append(previous)
    if strategy is not None and strategy.median is not None and strategy.median > 0:
        count = format_count(strategy.purchases, "purchase")
        basis = f"The median estimate, from {count}." if strategy.purchases else "The median estimate."
        baselines.append(Baseline("median_estimate", strategy.median, months, basis))
    return baselines


def measure_savings(agreed: Decimal, months: int | None, baselines: Sequence[Baseline]) -> list[Savings]:
    """Return what a price, agreed for so many months, saved against each baseline for the same term."""
    return [
        Savings(one.against, one.amount, agreed, one.basis) for one in baselines if one.is_for_term(months)
    ]


def explain_unmeasured(
    months: int | None, baselines: Sequence[Baseline], comparable: Sequence[Baseline]
) -> str | None:
    """Say against which baselines a price, agreed for so many months, is not measured, and why; None where
    it is measured against all. `comparable` are those for what was agreed, whatever their term."""
    left = [one for one in baselines if one not in comparable or not one.is_for_term(months)]
    if not left:
        return None
    others = join_words([f"the {one.against.replace('_', ' ')}" for one in left])
    them = "it" if len(left) == 1 else "them"
    is_known = months and all(one.months for one in baselines)
    another = "another term than that" if is_known else "another term, or one that is not stated, than that"
    if left[0] not in comparable:
        another = "other quantities or products than those"
    return f"The price was agreed for {another} of {others}, and is not measured against {them}."


def _explain_target(target: StrategyPosition) -> str:
    return "The target, entered by the buyer." if target.origin == "typed" else f"The target: {target.reason}"


def select_main(measures: Sequence[Savings]) -> Savings | None:
    """Return the savings that count: against the first offer, else against the market."""
    by = {one.against: one for one in measures}
    return next((by[name] for name in MAIN_BASELINES if name in by), None)


@dataclass(frozen=True, slots=True)
class AgreedPrice(StoredRecord):
    """`amount` is the total before tax, `target` the buyer's target at that time for the same term,
    `measures` the savings by each baseline that there was; `unmeasured` says in words why it is not measured
    against others. `other_offer` is the entry of the offer that was agreed, where that is for other products,
    quantities or editions than the scope."""

    amount: Decimal
    signed_at: Annotated[datetime, PlainSerializer(datetime.isoformat)]
    term_length: int | None
    target: Decimal | None
    measures: Sequence[Savings]
    unmeasured: str | None = None
    other_offer: Annotated[str | None, OMITTED] = None

    @property
    def savings(self) -> Savings | None:
        """The savings that count; None without a baseline."""
        return select_main(self.measures)

    def to_record(self) -> dict[str, Any]:
        """Return what is stored, with the savings that count."""
        return {
            **super(AgreedPrice, self).to_record(),
            "savings": self.savings.to_record() if self.savings else None,
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Self:
        """Build it from what is stored: one that was agreed before there were several baselines has its
        savings alone, and may have no term."""
        alone = [record["savings"]] if record["savings"] else []
        return super(AgreedPrice, cls).from_record({"measures": alone, "termLength": None, **record})
