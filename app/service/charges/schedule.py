"""All charges of a deal, every amount that follows from them, and for which part of the term the lines of a
document are priced, proved by its printed sums.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Literal, TypeAlias

from app.service.charges.charge import (
    ALL_KINDS,
    FIRM,
    MONTHS_PER,
    Amount,
    Charge,
    Coverage,
    DiscountAbovePrice,
    InvalidCharge,
    Kind,
    MixedCurrencies,
    NotStated,
    Number,
    OutsideTerm,
    Per,
    Status,
    Tax,
    Units,
    add_count,
    smallest_amount,
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


_SpanReading: TypeAlias = Literal["whole term", "each period", "in a row"]
"""Prices are for the whole term; for a month or a year of it, and paid again in each; or each for the part of
the term that follows that of the line before."""
_LESS_CREDITS: frozenset[Status] = frozenset({*FIRM, "credit"})
_PAID_AGAIN: frozenset[Kind] = frozenset({"recurring"})


@dataclass(frozen=True, slots=True)
class _Reading:
    """The lines of a document as a schedule, read in one way. `fits` says whether each printed sum is a total
    of it: over the term, a year, or a period that a price is for."""

    spans: _SpanReading
    schedule: Schedule
    fits: bool


def find_readings(
    lines: Sequence[Charge], *, term_months: int, currency: str, tax: Tax, sums: Sequence[Number]
) -> list[_Reading]:
    """Return the ways to read lines that do not say when they begin: those that the `sums` of the document
    prove, else all that are possible. One alone is proved; of several nobody knows which.

    A line has a `price`, and `per` says what that is for, None where the line does not: then only a sum that
    is as many times as much makes it one for a month or a year. A line whose start and months are stated
    keeps them. Lines of the same `what` may follow each other.
    """
    found: list[_Reading] = []
    for spans, charges, assumed in _list_ways(lines, term_months):
        try:
            schedule = Schedule(charges, currency, term_months, tax)
        except OutsideTerm:
            continue
        fits = _fits(schedule, sums)
        whole = [schedule.total(statuses=statuses).value for statuses in (FIRM, _LESS_CREDITS)]
        proved = fits and any(_is_sum(schedule, total, one) for total in whole for one in sums)
        if (proved or not assumed) and all(schedule != other.schedule for other in found):
            found.append(_Reading(spans, schedule, fits))
    return [one for one in found if one.fits] or found


def _list_ways(lines: Sequence[Charge], term: int) -> Iterator[tuple[_SpanReading, list[Charge], bool]]:
    """The ways to read the lines, each with whether a period is assumed that no line states."""
    open_lines = [one for one in lines if _is_open(one)]
    if all(one.per is None or MONTHS_PER.get(one.per) == term for one in open_lines):
        yield "whole term", _read_each(lines, partial(_run_all, per="term", term=term)), False
    yield "each period", _read_each(lines, partial(_repeat, assumed="term", term=term)), False
    if any(one.per is None and one.kind == "recurring" for one in open_lines):
        for per, months in MONTHS_PER.items():
            if months < term:
                yield "each period", _read_each(lines, partial(_repeat, assumed=per, term=term)), True
    followed = _follow(lines, term)
    if followed is not None:
        yield "in a row", followed, False


def _is_open(line: Charge) -> bool:
    """Whether it is to be found out when a line begins and for how long it runs."""
    return line.kind != "one_time" and (line.start_month is None or line.months is None)


def _read_each(lines: Sequence[Charge], read: Callable[[Charge], Charge]) -> list[Charge]:
    return [read(one) if _is_open(one) else _settle(one) for one in lines]


def _settle(line: Charge) -> Charge:
    """A line with a span: a price that says nothing else is for all of it."""
    if line.kind == "one_time":
        return replace(line, per=line.per or "once", start_month=line.start_month or 0)
    return replace(line, per=line.per or "term")


def _run_all(line: Charge, per: Per, term: int) -> Charge:
    return replace(line, per=per, start_month=0, months=term)


def _repeat(line: Charge, assumed: Per, term: int) -> Charge:
    """A line that is paid again in each period of the term; `assumed` is that of one that states none."""
    per = line.per or (assumed if line.kind == "recurring" else "term")
    return _run_all(line, per if MONTHS_PER.get(per, 0) < term else "term", term)


def _follow(lines: Sequence[Charge], term: int) -> list[Charge] | None:
    """The lines where those of the same thing follow each other and fill the term together; None where no
    lines do. The other lines are paid again in each of their periods."""
    counts = Counter(one.what for one in lines if _is_open(one))
    lengths: dict[str, set[int]] = defaultdict(set)
    for one in lines:
        if _is_open(one) and counts[one.what] > 1:
            lengths[one.what].add(MONTHS_PER.get(one.per or "term") or term // counts[one.what])
    in_row = {
        what: months.copy().pop()
        for what, months in lengths.items()
        if len(months) == 1 and counts[what] * sum(months) == term
    }
    if not in_row:
        return None
    passed: Counter[str] = Counter()
    followed: list[Charge] = []
    for one in lines:
        if not _is_open(one):
            followed.append(_settle(one))
        elif one.what in in_row:
            months = in_row[one.what]
            followed.append(replace(one, per="term", start_month=passed[one.what], months=months))
            passed[one.what] += months
        else:
            followed.append(_repeat(one, "term", term))
    return followed


def _fits(schedule: Schedule, sums: Sequence[Number]) -> bool:
    assert schedule.term_months is not None  # the readings are of a term
    periods = {MONTHS_PER[one.per] for one in schedule.charges if one.per and one.per in MONTHS_PER}
    spans = [*list_years(schedule.term_months), *((0, one) for one in periods if one < schedule.term_months)]
    has_credits = any(one.status == "credit" for one in schedule.charges)
    is_mixed = any(one.kind != "recurring" for one in schedule.charges)
    totals = [
        schedule.total(span=span, kinds=kinds, statuses=statuses).value
        for span in (None, *spans)
        for kinds in ((ALL_KINDS, _PAID_AGAIN) if is_mixed else (ALL_KINDS,))
        for statuses in ((FIRM, _LESS_CREDITS) if has_credits else (FIRM,))
    ]
    return bool(sums) and all(any(_is_sum(schedule, total, one) for total in totals) for one in sums)


def _is_sum(schedule: Schedule, total: Number, printed: Number) -> bool:
    """Whether a printed sum is this total, granting the rounding of each line."""
    slack = Fraction(len(schedule.charges) + 1, 2) * smallest_amount(schedule.currency)
    return abs(printed - total) <= slack
