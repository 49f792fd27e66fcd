"""Months on the calendar: a day that a month lacks is its last day."""

from calendar import monthrange
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import TypeVar

from app.contract.dates import DAYS_IN_MONTH

MONTHS_PER_YEAR = 12
Count = TypeVar("Count", int, float, Decimal)
_EVERY_MONTH_HAS = 28
"""Up to this day nothing is clipped, and the length of the month need not be looked up."""


def count_months_of_years(years: Count) -> Count:
    """Return how many months so many years have."""
    return years * MONTHS_PER_YEAR


def list_payments(months: Decimal | int) -> tuple[Decimal, Decimal]:
    """Return how often a price for a month is paid in so many months, and how often one for a year."""
    return Decimal(months), Decimal(months) / MONTHS_PER_YEAR


def add_months(day: date, months: int) -> date:
    """Return the same day so many months later, or earlier where `months` is negative; the last day of that
    month where it has no such day."""
    year, month = divmod(day.year * MONTHS_PER_YEAR + day.month - 1 + months, MONTHS_PER_YEAR)
    if day.day <= _EVERY_MONTH_HAS:
        return date(year, month + 1, day.day)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def months_between(first: date, second: date) -> int:
    """Return by how many calendar months the second day lies later, whatever the days of the month."""
    return (second.year - first.year) * MONTHS_PER_YEAR + second.month - first.month


def count_whole_months(start: date, day_after: date) -> int | None:
    """Return how many months after `start` that day is; None where it is not a whole number of them."""
    months = months_between(start, day_after)
    return months if months > 0 and add_months(start, months) == day_after else None


def count_months_between(first: date, last: date) -> int | None:
    """Return how many months there are from a first to a last day, as people state them: the last one, the
    day after it, or a day off. None where it is not a whole number of them."""
    for days in (1, 0, 2, -1):
        months = count_whole_months(first, last + timedelta(days=days))
        if months is not None:
            return months
    return None


def count_months(start: date, day_after: date) -> int:
    """Return how many months after `start` that day is, at least 1; rounded where that is no whole number."""
    return count_whole_months(start, day_after) or max(1, round((day_after - start).days / DAYS_IN_MONTH))


def count_exact_months(start: date, day_after: date) -> Fraction:
    """Return how many months after `start` that day is: whole ones, and the rest as a part of the month that
    it lies in. Negative where it lies before."""
    if day_after < start:
        return -count_exact_months(day_after, start)
    whole = months_between(start, day_after)
    if add_months(start, whole) > day_after:
        whole -= 1
    begun, ended = add_months(start, whole), add_months(start, whole + 1)
    return whole + Fraction((day_after - begun).days, (ended - begun).days)
