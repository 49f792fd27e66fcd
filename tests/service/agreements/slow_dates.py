"""The dates of an agreement, computed step by step without a formula: terms are walked through one after the
other, days are tried one by one. It shares no code with what it checks."""

from collections.abc import Set
from datetime import date, timedelta

from dateutil.relativedelta import relativedelta

from app.service.agreements.dates.position import AgreementTerms

ONE = timedelta(days=1)
SlowPosition = tuple[str, date | None, date | None, date | None]


def find_slow_position(terms: AgreementTerms, as_of: date, off: Set[date], window: int) -> SlowPosition:
    """Return status, begin and end of the current term, and the deadline."""
    if terms.renewal == "evergreen":
        return _find_evergreen(terms, as_of, off)
    assert terms.end is not None
    number, start, end = 0, terms.start, terms.end
    while True:
        if number and terms.max_extent is not None and terms.max_extent < end:
            end = terms.max_extent
        another = _may_follow(terms, number, end)
        agreed = _walk_back(end, terms, off) if another and terms.notice else None
        noticed = (
            another
            and terms.renewal == "auto_renew"
            and terms.notice_given is not None
            and terms.notice_given <= (agreed or end)
        )
        taken = terms.renewal == "auto_renew" or (
            terms.renewal == "option" and terms.options_exercised > number
        )
        if as_of <= end or not another or noticed or not taken or terms.renewal_months is None:
            break
        number += 1
        start, end = end + ONE, _last_day(terms, number)
    deadline = None
    if agreed is not None and not noticed:
        deadline = agreed - (terms.buffer_days * ONE if terms.notice_to == "received" else timedelta())
        while _is_off(deadline, off):
            deadline -= ONE
    renewed = another and taken
    status = _name_status(
        terms, as_of, start, end, deadline, window, another=another, noticed=noticed, renewed=renewed
    )
    return status, start, end, deadline


def _name_status(
    terms: AgreementTerms,
    as_of: date,
    start: date | None,
    end: date,
    deadline: date | None,
    window: int,
    *,
    another: bool,
    noticed: bool,
    renewed: bool,
) -> str:
    if as_of > end:
        if noticed:
            return "ended"
        return "unknown" if terms.renewal is None or renewed else "expired"
    if deadline is not None and as_of > deadline:
        return "deadline_missed"
    if deadline is not None and (deadline - as_of).days <= window:
        return "in_notice_window"
    ends_by_itself = terms.renewal in ("none", "auto_renew", "option") and not another
    if ends_by_itself and terms.followed_on is None and (end - as_of).days <= window:
        return "in_notice_window"
    if deadline is None and not noticed and not ends_by_itself:
        return "unknown"
    return "upcoming" if start is not None and as_of < start else "active"


def _may_follow(terms: AgreementTerms, number: int, end: date) -> bool:
    if terms.renewal not in ("auto_renew", "option"):
        return False
    if terms.max_renewals is not None and number >= terms.max_renewals:
        return False
    return terms.max_extent is None or end < terms.max_extent


def _last_day(terms: AgreementTerms, number: int) -> date:
    """Count from the first day where the first term has whole months, else from the day after it."""
    assert terms.end is not None
    assert terms.renewal_months is not None
    if terms.start is not None:
        for months in range(1, 200):
            if terms.start + relativedelta(months=months) == terms.end + ONE:
                return terms.start + relativedelta(months=months + number * terms.renewal_months) - ONE
    return terms.end + ONE + relativedelta(months=number * terms.renewal_months) - ONE


def _walk_back(end: date, terms: AgreementTerms, off: Set[date]) -> date:
    assert terms.notice is not None
    if terms.notice.unit == "month":
        return end + ONE - relativedelta(months=terms.notice.value) - ONE
    left, day = terms.notice.value, end
    while left:
        day -= ONE
        if terms.notice.unit == "day" or not _is_off(day, off):
            left -= 1
    return day


def _is_off(day: date, off: Set[date]) -> bool:
    return day.isoweekday() in (6, 7) or day in off


def _find_evergreen(terms: AgreementTerms, as_of: date, off: Set[date]) -> SlowPosition:
    end = None
    if terms.notice_given is not None and terms.notice is not None:
        end = terms.notice_given
        while _walk_back(end, terms, off) < terms.notice_given:
            end += ONE
        if terms.end is not None and terms.end > end:
            end = terms.end
    next_day = terms.followed_on
    if next_day is not None and (terms.start is None or terms.start < next_day):
        end = next_day - ONE if end is None else min(end, next_day - ONE)
    if end is not None and as_of > end:
        return "ended", terms.start, end, None
    return (
        ("upcoming" if terms.start is not None and as_of < terms.start else "active"),
        terms.start,
        end,
        None,
    )
