"""What each part of the first term of an agreement costs, where its lines are for parts of it. Pure."""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from app.contract.agreements import AgreementLine
from app.service.charges.charge import NO_CURRENCY, Charge, to_decimal
from app.service.charges.faults import OutsideTerm
from app.service.charges.schedule import Schedule


class PartOfTerm(NamedTuple):
    """From the month after `first_month` on, `months` of the first term cost this `share` of all that is paid
    again in it."""

    first_month: int
    months: int
    share: Decimal


def list_parts(lines: Sequence[AgreementLine], term_months: int) -> tuple[PartOfTerm, ...]:
    """Return the parts in which the price of a month stays the same, in their order; none where no line is
    for a part of the term, or not every line has a price and fits into it."""
    again = [line for line in lines if line.recurring is not False]
    if all(line.months is None for line in again):
        return ()
    charges = [
        Charge(
            line.description,
            NO_CURRENCY,
            kind="recurring",
            per="term",
            price=None if line.amount is None else Fraction(line.amount),
            start_month=line.first_month or 0,
            months=line.months or term_months,
        )
        for line in again
    ]
    try:
        schedule = Schedule(charges, NO_CURRENCY, term_months)
    except OutsideTerm:
        return ()
    whole = schedule.total()
    if whole.covers.missing or not whole.value:
        return ()
    begins = [one.start_month or 0 for one in charges]
    ends = [begin + (one.months or 0) for begin, one in zip(begins, charges, strict=True)]
    bounds = sorted({0, term_months, *map(int, begins), *map(int, ends)})
    spans = [(begin, end - begin) for begin, end in pairwise(bounds)]
    return tuple(
        PartOfTerm(*span, to_decimal(Fraction(schedule.total(span=span).value) / whole.value))
        for span in spans
    )
