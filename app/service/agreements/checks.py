"""What cannot be true of an agreement: a clear refusal is better than a wrong date. Pure."""

from collections.abc import Iterator
from datetime import date

from app.contract.agreements import EARLIEST_DAY, LATEST_DAY, NewAgreement
from app.contract.dates import format_day
from app.service.agreements.dates.notice import is_longer_than_months, is_longer_than_term
from app.service.agreements.dates.statement import describe_period
from app.service.agreements.dates.working_days import ONE_DAY, WorkingDays
from app.service.http.problems import InvalidField
from app.service.values.currencies import list_codes

_DAYS = (
    ("/termStart", "term_start"),
    ("/termEnd", "term_end"),
    ("/maxExtentDate", "max_extent_date"),
    ("/noticeGivenOn", "notice_given_on"),
)


def check_agreement(agreed: NewAgreement, days: WorkingDays) -> list[InvalidField]:
    """Return what is wrong with an agreement, each with its place in the body."""
    wrong = list(_check_days(agreed))
    if not wrong:
        wrong += _check_order(agreed)
    if not wrong:
        wrong += _check_notice(agreed, days)
    wrong += _check_money(agreed)
    return wrong


def _check_days(agreed: NewAgreement) -> Iterator[InvalidField]:
    for pointer, name in _DAYS:
        day: date | None = getattr(agreed, name)
        if day is None:
            continue
        if day > LATEST_DAY and name in ("term_end", "max_extent_date"):
            yield InvalidField(
                pointer,
                f"An end on {day.isoformat()} says that there is none, or that nobody knows it: leave it out,"
                " and give renewalType evergreen where the agreement runs until notice is given.",
            )
        elif not EARLIEST_DAY <= day <= LATEST_DAY:
            yield InvalidField(pointer, f"must be from {EARLIEST_DAY} to {LATEST_DAY}")


def _check_order(agreed: NewAgreement) -> Iterator[InvalidField]:
    start, end, extent = agreed.term_start, agreed.term_end, agreed.max_extent_date
    if start is not None and end is not None and end < start:
        yield InvalidField(
            "/termEnd",
            f"The end, {format_day(end)}, is before the term starts, on {format_day(start)} (termStart).",
        )
    if end is not None and extent is not None and extent < end:
        yield InvalidField(
            "/maxExtentDate",
            f"This day, {format_day(extent)}, is before the first term ends, on {format_day(end)}.",
        )
    given = agreed.notice_given_on
    if given is not None and agreed.renewal_type not in ("auto_renew", "evergreen"):
        yield InvalidField(
            "/noticeGivenOn",
            "Only an agreement that renews by itself (auto_renew, evergreen) ends by notice.",
        )
    elif given is not None and agreed.notice_period is None:
        yield InvalidField(
            "/noticeGivenOn",
            "Without the notice period (noticePeriod) nobody knows which term this notice ends.",
        )


def _check_notice(agreed: NewAgreement, days: WorkingDays) -> Iterator[InvalidField]:
    if agreed.notice_period is None or agreed.renewal_type not in ("auto_renew", "option"):
        return
    period = agreed.notice_period
    notice = describe_period(period.value, period.unit)
    start, end = agreed.term_start, agreed.term_end
    if start is not None and end is not None and is_longer_than_term(period, start, end, days):
        yield InvalidField(
            "/noticePeriod",
            f"Notice of {notice} is longer than the first term, from {format_day(start)} to"
            f" {format_day(end)}: it would be due before the agreement begins.",
        )
        return
    months = agreed.auto_renewal_term_months
    if end is not None and months is not None and is_longer_than_months(period, end + ONE_DAY, months, days):
        yield InvalidField(
            "/noticePeriod",
            f"Notice of {notice} is longer than a renewal of"
            f" {describe_period(months, 'month')} (autoRenewalTermMonths), so it would be due"
            " before the term before that begins: it can be as long as a renewal at most.",
        )


def _check_money(agreed: NewAgreement) -> Iterator[InvalidField]:
    if agreed.currency is not None and agreed.currency not in list_codes():
        yield InvalidField(
            "/currency", f"must be a currency of ISO 4217, such as USD or EUR; {agreed.currency} is none"
        )
    once, total = agreed.one_time_value, agreed.total_value
    if once is not None and total is not None and once > total:
        yield InvalidField("/oneTimeValue", f"must not be more than totalValue, which is {total}")
