"""By when notice must be given for a term to be the last, and when an agreement ends that runs until
notice."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from app.contract.agreements import MAX_NOTICE, NoticePeriod
from app.service.agreements.dates.working_days import ONE_DAY, WorkingDays
from app.service.charges.months import add_months, count_whole_months

MONTHS_OF_FOUR_YEARS = 48
"""Among which every length of so many months in a row is."""
READ_DAYS_PER_MONTH = 30
"""As the reader of documents counts the months of a notice period."""


def parse_read_period(days: int | None, unit: Literal["day", "month"] | None) -> NoticePeriod | None:
    """Return the notice period that a document states, from the days and the unit that were read in it. None
    where the unit is not known, since 90 days may have been three months and the deadline be another."""
    if days is None or unit is None or days > MAX_NOTICE:
        return None
    if unit == "day":
        return NoticePeriod(value=days, unit="day")
    months, rest = divmod(days, READ_DAYS_PER_MONTH)
    return NoticePeriod(value=months, unit="month") if rest == 0 else None


@dataclass(frozen=True, slots=True)
class NoticeDeadline:
    """`agreed` is the last day on which notice is in time by the agreement; `day` the last working day on
    which it can be sent so that it is, after the days for delivery are taken off. It is never later."""

    agreed: date
    day: date


def find_deadline(
    last_day: date, period: NoticePeriod, buffer_days: int, days: WorkingDays
) -> NoticeDeadline:
    """Return by when notice must be given for the agreement to end on `last_day`. A deadline on a day that is
    no working day moves back, never forward."""
    agreed = count_back(last_day, period, days)
    return NoticeDeadline(agreed, days.roll_back(agreed - timedelta(days=buffer_days)))


def count_back(last_day: date, period: NoticePeriod, days: WorkingDays) -> date:
    """Return the last day after which the whole period still lies before the end of `last_day`. Months count
    from the day after it, so that a period of whole months begins with a month where the term ends with
    one."""
    if period.unit == "day":
        return last_day - timedelta(days=period.value)
    if period.unit == "business_day":
        return days.step(last_day, -period.value)
    return add_months(last_day + ONE_DAY, -period.value) - ONE_DAY


def is_longer_than_term(period: NoticePeriod, start: date, end: date, days: WorkingDays) -> bool:
    """Say whether a notice period is longer than a term. One that is as long is due on the day before the
    term. Of a term of whole months any run of as many months is meant, since 90 days are three months."""
    months = count_whole_months(start, end + ONE_DAY)
    if months:
        return is_longer_than_months(period, start, months, days)
    return count_back(end, period, days) < start - ONE_DAY


def is_longer_than_months(period: NoticePeriod, start: date, months: int, days: WorkingDays) -> bool:
    """Say whether a notice period is longer than so many months, whichever they are of those that follow
    `start`."""
    if period.unit == "month":
        return period.value > months
    runs = _iterate_runs(start, months)
    return all(count_back(last, period, days) < first - ONE_DAY for first, last in runs)


def is_as_long_as_months(period: NoticePeriod, start: date, months: int, days: WorkingDays) -> bool:
    """Say whether a notice period is at least as long as so many months, be it the shortest of those that
    follow `start`."""
    if period.unit == "month":
        return period.value >= months
    return any(count_back(last, period, days) < first for first, last in _iterate_runs(start, months))


def _iterate_runs(start: date, months: int) -> Iterator[tuple[date, date]]:
    """Yield the first and the last day of each run of so many months that begins within four years."""
    for passed in range(MONTHS_OF_FOUR_YEARS):
        yield add_months(start, passed), add_months(start, passed + months) - ONE_DAY


def find_end_after_notice(given: date, period: NoticePeriod, days: WorkingDays) -> date:
    """Return the first last day for which notice that counts from `given` is in time."""
    if period.unit == "business_day" and period.value > 0:
        last_day = days.step(given, period.value - 1) + ONE_DAY
    elif period.unit == "month":
        last_day = add_months(given + ONE_DAY, period.value) - ONE_DAY
    else:
        last_day = given + timedelta(days=period.value)
    # A clipped month may be some days short, and notice on a day off counts from the next working day.
    while count_back(last_day, period, days) < given:
        last_day += ONE_DAY
    return last_day
