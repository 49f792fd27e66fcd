"""What an agreement costs in each month: the price of a term, spread over its days. Pure."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from app.service.agreements.dates.months import add_months, count_whole_months
from app.service.agreements.dates.occurrences import AgreementTerms, iterate_occurrences
from app.service.agreements.dates.position import find_position
from app.service.agreements.dates.working_days import ONE_DAY, WorkingDays

ZERO = Decimal(0)


class MonthCost(NamedTuple):
    """What a month costs, by its first day. `assumed` is the part of `recurring` that terms after the first
    cost, at the price on record."""

    month: date
    recurring: Decimal = ZERO
    one_time: Decimal = ZERO
    assumed: Decimal = ZERO


class _PaidTerm(NamedTuple):
    """A term up to the last day that counts. `days` cost `price`."""

    start: date
    end: date
    price: Decimal
    days: int
    first: bool


def spread_cost(
    recurring: Decimal,
    one_time: Decimal,
    terms: AgreementTerms,
    days: WorkingDays,
    first: date,
    last: date,
    *,
    by_month: bool = True,
) -> Iterator[MonthCost]:
    """Yield what an agreement costs in each month from the day `first` to `last`, whose first term costs
    `recurring` and, once, `one_time`. Both ends of that term must be known. Unless `by_month`, the months of
    a term are one, the first of them: their sums need no more."""
    assert terms.start is not None
    if one_time and first <= terms.start <= last:
        yield MonthCost(terms.start.replace(day=1), one_time=one_time)
    for term in _list_paid_terms(recurring, terms, days, last):
        day, until = max(term.start, first), min(term.end, last)
        while day <= until:
            month = day.replace(day=1)
            day_after = until + ONE_DAY
            if by_month:
                day_after = min(add_months(month, 1), day_after)
            paid = term.price * (day_after - day).days / term.days
            yield MonthCost(month, recurring=paid, assumed=ZERO if term.first else paid)
            day = day_after


def _list_paid_terms(
    price: Decimal, terms: AgreementTerms, days: WorkingDays, last: date
) -> Iterator[_PaidTerm]:
    """Yield the terms that begin up to a day, as if nobody acted, without the time in which the next
    agreement runs."""
    assert terms.start is not None
    assert terms.end is not None
    length = (terms.end + ONE_DAY - terms.start).days
    bound = last if terms.followed_on is None else min(last, terms.followed_on - ONE_DAY)
    if terms.renewal == "evergreen":
        ends_on = find_position(terms, last, days).ends_on
        yield _PaidTerm(terms.start, min(bound, ends_on or bound), price, length, first=True)
        return
    months = count_whole_months(terms.start, terms.end + ONE_DAY)
    if terms.notice_given is None:
        # Deadlines change no term unless notice was given; to find them took a quarter of the time.
        terms = replace(terms, notice=None)
    for occurrence in iterate_occurrences(terms, days):
        start, end = occurrence.start, occurrence.end
        if start is None or start > bound:
            return
        term = _PaidTerm(start, min(end, bound), price, length, first=occurrence.index == 0)
        renewed = terms.renewal_months
        if occurrence.index and months and renewed and add_months(start, renewed) == end + ONE_DAY:
            # A month of a renewal costs as much as one of the first term, whatever its days.
            term = term._replace(price=price * renewed, days=months * (end + ONE_DAY - start).days)
        yield term
