"""All charges of a deal, and every amount that follows from them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

from app.service.charges.charge import (
    ALL_KINDS,
    FIRM,
    Amount,
    Charge,
    Coverage,
    Kind,
    Number,
    Status,
    Tax,
    Units,
    add_count,
)
from app.service.charges.faults import (
    DiscountAbovePrice,
    InvalidCharge,
    MixedCurrencies,
    NotComparable,
    NotStated,
    OutsideTerm,
)
from app.service.charges.months import MONTHS_PER_YEAR

Span: TypeAlias = tuple[Number, Number]
"""The month of the term in which something begins, from 0, and how many months it takes."""
MAX_TERM_MONTHS = 1200


@dataclass(frozen=True, slots=True)
class Adjustment:
    """A discount (below 0) or a surcharge on all firm charges of some kinds: in per cent of them, or as an
    amount that is spread over them in proportion. Those of a schedule apply one after the other."""

    what: str
    percent: Number | None = None
    amount: Number | None = None
    kinds: frozenset[Kind] = ALL_KINDS

    def __post_init__(self) -> None:
        if (self.percent is None) == (self.amount is None):
            raise InvalidCharge(f"{self.what}: it is stated either in per cent or as an amount.")
        if self.percent is not None and self.percent < -100:
            raise DiscountAbovePrice(f"{self.what}: a discount of more than 100 per cent.")


@dataclass(frozen=True, slots=True)
class Schedule:
    """The charges of a deal over its term. `term_months` is None where no term is stated. `tax` says whether
    it is in the prices. Raises MixedCurrencies, OutsideTerm and, of a term that is none, InvalidCharge."""

    charges: Sequence[Charge]
    currency: str
    term_months: int | None = None
    tax: Tax = "unknown"
    adjustments: Sequence[Adjustment] = ()

    def __post_init__(self) -> None:
        term = self.term_months
        if term is not None and not 0 < term <= MAX_TERM_MONTHS:
            raise InvalidCharge(f"A term has 1 to {MAX_TERM_MONTHS} months, not {term}.")
        currencies = {self.currency, *(one.currency for one in self.charges)}
        if len(currencies) > 1:
            raise MixedCurrencies(f"The charges are in {' and '.join(sorted(currencies))}.")
        for one in self.charges:
            start, months = one.start_month, one.months or 0
            if start is not None and start < 0:
                raise OutsideTerm(f"{one.what}: it begins {-start} months before the term.")
            end = months if start is None else start + months
            if term is not None and end > term:
                raise OutsideTerm(f"{one.what}: it ends {end - term} months after the term.")

    def total(
        self,
        *,
        span: Span | None = None,
        kinds: frozenset[Kind] = ALL_KINDS,
        statuses: frozenset[Status] = FIRM,
        adjusted: bool = True,
        only: Collection[int] | None = None,
    ) -> Amount:
        """Return what the deal costs: over the term, or over a `span` of it; of the charges of these kinds
        and statuses, or of `only` those at these positions among them; after the adjustments, or before."""
        if span == (0, self.term_months):
            span = None
        first_month, months = span or (0, self.term_months)
        factors = self._find_factors() if adjusted else [1] * len(self.charges)
        bought: dict[Units, Number | None] = {}
        missing: set[str] = set()
        value: Number = 0
        for at, (charge, factor) in enumerate(zip(self.charges, factors, strict=True)):
            if charge.status not in statuses or (only is not None and at not in only):
                continue
            if kinds != ALL_KINDS and charge.kind not in kinds:
                missing |= {charge.what} if charge.kind is None else set()
                continue
            share = 1 if span is None else charge.share_within(*span)
            if share == 0:
                continue
            amount = charge.amount
            if amount is None or (amount and (share is None or factor is None)):
                missing.add(charge.what)
            else:
                value += amount * (share or 0) * (factor or 0)
            if charge.status != "included":
                add_count(bought, charge.units, _count_within(charge, share))
        covers = Coverage(
            currency=self.currency,
            tax=self.tax,
            first_month=first_month,
            months=months,
            kinds=kinds,
            statuses=statuses,
            adjusted=adjusted,
            bought=bought,
            missing=frozenset(missing),
        )
        return Amount(value, covers)

    def list_years(self, *, kinds: frozenset[Kind] = ALL_KINDS, adjusted: bool = True) -> list[Amount]:
        """Return what each year of the term costs; the last may be shorter. They add up to the term. Raises
        NotStated without a term."""
        return [
            self.total(span=year, kinds=kinds, adjusted=adjusted) for year in list_years(self._require_term())
        ]

    def price_per_unit(self, what: str, kind: Kind, *, adjusted: bool = True) -> Amount | None:
        """Return what one unit of something costs: for one month, unless it is paid once; on average, where
        that changes within the term. None where it is not known. Raises NotComparable where units of several
        kinds are bought."""
        at = [
            number
            for number, charge in enumerate(self.charges)
            if (charge.what, charge.kind, charge.status) == (what, kind, "firm")
        ]
        if len({self.charges[number].unit for number in at}) > 1:
            raise NotComparable(f"{what}: it is bought in units of several kinds.")
        whole = self.total(kinds=frozenset({kind}), adjusted=adjusted, only=at)
        count = next(iter(whole.covers.bought.values()), None)
        if whole.covers.missing or not count:
            rates = {self.charges[number].price_per_unit for number in at}
            factors = {self._find_factors()[number] for number in at} if adjusted else {1}
            if len(rates) != 1 or len(factors) != 1:
                return None
            rate, factor = rates.pop(), factors.pop()
            price = None if rate is None or factor is None else rate * factor
        else:
            price = Fraction(whole.value) / count
        if price is None:
            return None
        one: Mapping[Units, Number | None] = dict.fromkeys(whole.covers.bought, 1)
        per = "unit" if kind == "one_time" else "unit and month"
        return Amount(
            price, replace(whole.covers, per=per, bought=one, missing=frozenset(), first_month=0, months=None)
        )

    def find_shortfall(self, minimum: Number, months: int | None = None) -> Number:
        """Return what is paid beyond the charges because `minimum` is paid at least: in each `months` of the
        term, less in a last period that is shorter, or over all of it. Raises NotStated where an amount or
        the term is not."""
        periods = [None] if months is None else _list_periods(self._require_term(), months)
        shortfall: Number = 0
        for span in periods:
            paid = self.total(span=span)
            if paid.covers.missing:
                raise NotStated("What all charges come to is not known.")
            least = minimum if span is None else minimum * Fraction(span[1], months or 1)
            shortfall += max(0, least - paid.value)
        return shortfall

    def _require_term(self) -> int:
        if self.term_months is None:
            raise NotStated("The term is not stated.")
        return self.term_months

    def _find_factors(self) -> list[Number | None]:
        """By what the adjustments multiply each charge; None where that depends on what is not stated."""
        factors: list[Number | None] = [1] * len(self.charges)
        for adjustment in self.adjustments:
            at = [
                number
                for number, one in enumerate(self.charges)
                if one.status == "firm" and (one.kind is None or one.kind in adjustment.kinds)
            ]
            unclear = adjustment.kinds != ALL_KINDS and any(
                self.charges[number].kind is None for number in at
            )
            factor = None if unclear else self._find_factor(adjustment, at, factors)
            for number in at:
                before = factors[number]
                factors[number] = None if before is None or factor is None else before * factor
        return factors

    def _find_factor(
        self, adjustment: Adjustment, at: Sequence[int], factors: Sequence[Number | None]
    ) -> Number | None:
        if adjustment.percent is not None:
            return 1 + Fraction(adjustment.percent) / 100
        amounts = [(self.charges[number].amount, factors[number]) for number in at]
        if any(amount is None or factor is None for amount, factor in amounts):
            return None
        before = sum(((amount or 0) * (factor or 0) for amount, factor in amounts), Fraction(0))
        after = before + (adjustment.amount or 0)
        if after < 0:
            raise DiscountAbovePrice(
                f"{adjustment.what}: the discount is more than the price of all that it is on."
            )
        if not before:
            if adjustment.amount:
                raise InvalidCharge(f"{adjustment.what}: there is no price that it could be on.")
            return 1
        return Fraction(after) / before


def list_years(term_months: int) -> list[tuple[int, int]]:
    """Return the first month and the length of each year of a term; the last may be shorter."""
    return _list_periods(term_months, MONTHS_PER_YEAR)


def _list_periods(term_months: int, months: int) -> list[tuple[int, int]]:
    return [(first, min(months, term_months - first)) for first in range(0, term_months, months)]


def _count_within(charge: Charge, share: Number | None) -> Number | None:
    """How many units are bought within the span that has this share of a charge."""
    if charge.count is None or share is None:
        return None
    return charge.count * share if charge.units.timed else charge.count
