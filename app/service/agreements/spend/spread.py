"""What an agreement costs in each month: the price of a term, spread over its days. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from app.service.agreements.dates.position import (
    AgreementTerms,
    count_months_of_renewal,
    find_position,
    iterate_occurrences,
)
from app.service.agreements.dates.working_days import ONE_DAY, WorkingDays
from app.service.agreements.line_amounts import PartOfTerm
from app.service.charges.months import add_months, count_exact_months


class MonthShare(NamedTuple):
    """What a month, by its first day, has of the price of the first term: `days` of `term_days`, so many
    `times`, of the `part` of that price that these days cost. `assumed` says that it is of a later term, at
    the price on record."""

    month: date
    days: int
    term_days: int
    times: int
    assumed: bool
    part: Decimal = Decimal(1)

    def of_price(self, price: Decimal) -> Decimal:
        """Return what it costs."""
        return price * self.part * (self.days * self.times) / self.term_days


class _PaidTerm(NamedTuple):
    """A term, or a part of one, up to the last day that counts. `days` cost `times` this `part` of the price
    of the first."""

    start: date
    end: date
    times: int
    days: int
    first: bool
    part: Decimal = Decimal(1)


def find_one_time_month(terms: AgreementTerms, first: date, last: date) -> date | None:
    """Return the month in which is paid what is paid once; None where it is not from `first` to `last`."""
    return terms.start.replace(day=1) if terms.start is not None and first <= terms.start <= last else None


def list_shares(
    terms: AgreementTerms,
    days: WorkingDays,
    first: date,
    last: date,
    *,
    by_month: bool = True,
    parts: Sequence[PartOfTerm] = (),
) -> list[MonthShare]:
    """Return the shares of the months from the day `first` to `last`. Both ends of the first term must be
    known; `parts` are those of it that do not cost the same, and what follows costs what the last of them
    does. Unless `by_month`, the months of a term are one, the first of them: their sums need no more."""
    shares: list[MonthShare] = []
    for term in (
        piece for whole in _list_paid_terms(terms, days, last) for piece in _divide(whole, terms, parts)
    ):
        day, until = max(term.start, first), min(term.end, last)
        while day <= until:
            month = day.replace(day=1)
            day_after = until + ONE_DAY
            if by_month:
                day_after = min(add_months(month, 1), day_after)
            shares.append(
                MonthShare(month, (day_after - day).days, term.days, term.times, not term.first, term.part)
            )
            day = day_after
    return shares


def _divide(term: _PaidTerm, terms: AgreementTerms, parts: Sequence[PartOfTerm]) -> Iterator[_PaidTerm]:
    """Yield the parts of a term that do not cost the same."""
    if not parts:
        yield term
        return
    assert terms.start is not None
    assert terms.end is not None
    months = sum(part.months for part in parts)
    later = parts[-1].share * months / parts[-1].months
    if not term.first:
        yield term._replace(part=later)
        return
    for part in parts:
        start = add_months(terms.start, part.first_month)
        day_after = add_months(terms.start, part.first_month + part.months)
        if start <= term.end:
            yield term._replace(
                start=start,
                end=min(day_after - ONE_DAY, term.end),
                days=(day_after - start).days,
                part=part.share,
            )
    if term.end > terms.end:  # it runs on until notice is given
        yield term._replace(start=terms.end + ONE_DAY, part=later)


def _list_paid_terms(terms: AgreementTerms, days: WorkingDays, last: date) -> Iterator[_PaidTerm]:
    """Yield the terms that begin up to a day, as if nobody acted, without the time in which the next
    agreement runs."""
    assert terms.start is not None
    assert terms.end is not None
    length = (terms.end + ONE_DAY - terms.start).days
    bound = last if terms.followed_on is None else min(last, terms.followed_on - ONE_DAY)
    if terms.renewal == "evergreen":
        ends_on = find_position(terms, last, days).ends_on
        yield _PaidTerm(terms.start, min(bound, ends_on or bound), 1, length, first=True)
        return
    months = count_exact_months(terms.start, terms.end + ONE_DAY)
    if terms.notice_given is None and terms.notice is not None:
        # Deadlines change no term unless notice was given; to find them took a quarter of the time.
        terms = replace(terms, notice=None)
    for occurrence in iterate_occurrences(terms, days):
        start, end = occurrence.start, occurrence.end
        if start is None or start > bound:
            return
        term = _PaidTerm(start, min(end, bound), 1, length, first=occurrence.index == 0)
        if occurrence.index:
            # A month of a renewal costs as much as one of the first term, whatever its days.
            share = count_months_of_renewal(terms, occurrence) / months
            term = term._replace(times=share.numerator, days=share.denominator * (end + ONE_DAY - start).days)
        yield term
