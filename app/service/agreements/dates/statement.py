"""The sentence that says what an agreement's dates are, and how they were computed."""

from collections.abc import Callable
from datetime import date

from app.contract.agreements import PAST_STATUSES, NoticeUnit
from app.contract.dates import format_day
from app.service.agreements.dates.position import (
    AgreementTerms,
    Occurrence,
    Position,
    count_months_of_renewal,
    find_end_before_next,
    find_end_of_notice_sent,
    find_next_term,
)
from app.service.agreements.dates.working_days import ONE_DAY, WorkingDays

_NUMBERS = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
_UNITS = {"day": "day", "month": "month", "business_day": "business day"}


def describe_dates(terms: AgreementTerms, position: Position, as_of: date, days: WorkingDays) -> str:
    """Return `30 September 2026: three months before the current term ends on 31 December 2026.`, or why
    there is no such date."""
    if position.status == "unknown" and terms.end is None:
        return "The end of the term is not known, so no date can be computed."
    if terms.renewal == "evergreen":
        return _describe_evergreen(terms, position, as_of, days)
    if position.occurrence is None:
        assert terms.start is not None
        return f"Begins on {format_day(terms.start)}; the end of the term is not known."
    if position.status == "unknown" and position.act_by is None:
        return _describe_lost_track(terms, position.occurrence)
    if position.status in PAST_STATUSES:
        occurrence = position.occurrence
        end = format_day(occurrence.end)
        if terms.notice_given is not None and occurrence.renewable and terms.renewal == "auto_renew":
            return f"It ended on {end}: notice was given on {format_day(terms.notice_given)}."
        if terms.renewal == "option" and occurrence.renewable:
            return f"It ended on {end}: the option was not taken."
        return f"It ended by itself on {end}."
    if terms.has_taken_option(position.occurrence):
        return f"The option was taken: it {_describe_renewal(terms, position.occurrence)}"
    if position.deadline is not None:
        return _describe_deadline(terms, position, position.term_to_end or position.occurrence, as_of)
    return _describe_without_deadline(terms, position, position.term_to_end or position.occurrence)


def describe_period(number: int, unit: NoticeUnit) -> str:
    """Return `three months` or `90 days`."""
    shown = _NUMBERS[number] if 0 < number < len(_NUMBERS) else str(number)
    return f"{shown} {_UNITS[unit]}{'' if number == 1 else 's'}"


def _describe_deadline(terms: AgreementTerms, position: Position, occurrence: Occurrence, as_of: date) -> str:
    assert occurrence.deadline is not None
    assert terms.notice is not None
    day, end = occurrence.deadline.day, format_day(occurrence.end)
    what = "the first term" if occurrence.index == 0 and position.status == "upcoming" else "the current term"
    if position.occurrence is not None and occurrence.index > position.occurrence.index:
        begins = format_day(occurrence.start) if occurrence.start is not None else "its end"
        what = f"the term that begins on {begins}"
    if terms.notice.value == 0:
        rule = f"the day on which {what} ends" if day == occurrence.end else f"before {what} ends on {end}"
    else:
        rule = f"{describe_period(terms.notice.value, terms.notice.unit)} before {what} ends on {end}"
    before_rolling = occurrence.deadline.agreed - terms.days_for_delivery * ONE_DAY
    if terms.days_for_delivery:
        rule += f", less {describe_period(terms.days_for_delivery, 'day')} for delivery"
    if day != before_rolling:
        rule += f", moved back from {before_rolling:%A} {format_day(before_rolling)}, which is no working day"
    follows = _describe_renewal(terms, occurrence)
    if as_of <= day:
        return f"{format_day(day)}: {rule}."
    if terms.renewal == "option":
        return f"The option was to be taken by {format_day(day)}: {rule}. It ends on {end}."
    late = ""
    if terms.notice_given is not None:
        late = f" Notice was given on {format_day(terms.notice_given)}, which is too late for this term."
    return f"The deadline of {format_day(day)} has passed: {rule}. It {follows}{late}"


def _describe_renewal(terms: AgreementTerms, occurrence: Occurrence) -> str:
    """Return `renews on 1 January 2027 for twelve months.`"""
    begins = format_day(occurrence.end + ONE_DAY)
    length = describe_length(terms, occurrence, lambda months: describe_period(months, "month"))
    return f"renews on {begins}{length}."


def describe_length(terms: AgreementTerms, ended: Occurrence, describe_months: Callable[[int], str]) -> str:
    """Return ` for 12 months`, how long the term that follows one is, or ` until 30 June 2027` where it ends
    before; nothing where nobody knows."""
    renewal = find_next_term(terms, ended)
    if renewal is None or terms.renewal_months is None:
        return ""
    if count_months_of_renewal(terms, renewal) == terms.renewal_months:
        return f" for {describe_months(terms.renewal_months)}"
    return f" until {format_day(renewal.end)}"


def _describe_without_deadline(terms: AgreementTerms, position: Position, occurrence: Occurrence) -> str:
    end = format_day(occurrence.end)
    if terms.renewal is None:
        return f"The term ends on {end}; whether it then renews is not known, so there is no deadline."
    if terms.notice_given is not None and position.ends_on is not None and occurrence.renewable:
        return f"Notice was given on {format_day(terms.notice_given)}, so it ends on {end}."
    if position.ends_on is not None and terms.followed_on is not None:
        followed = format_day(terms.followed_on)
        return f"It ends on {end}: the agreement that follows it begins on {followed}."
    if position.ends_on is not None:
        why = "It ends by itself" if terms.renewal == "none" else "It cannot renew again and ends"
        return f"{why} on {end}; no notice is needed."
    if terms.renewal == "option":
        return f"The term ends on {end}; by when the option must be taken is not known."
    follows = _describe_renewal(terms, occurrence)
    return f"The notice period is not known, so there is no deadline. It {follows}"


def _describe_lost_track(terms: AgreementTerms, occurrence: Occurrence) -> str:
    end = format_day(occurrence.end)
    if terms.renewal is None:
        return f"The term ended on {end}; whether it renewed is not known."
    return f"The term ended on {end} and renewed; for how long is not known, so no date can be computed."


def _describe_evergreen(terms: AgreementTerms, position: Position, as_of: date, days: WorkingDays) -> str:
    if position.ends_on is not None:
        verb, ends_on = ("ended" if position.status == "ended" else "ends"), format_day(position.ends_on)
        if terms.followed_on is not None and position.ends_on == find_end_before_next(terms):
            begins = (
                f"{'began' if position.status == 'ended' else 'begins'} on {format_day(terms.followed_on)}"
            )
            return f"It {verb} on {ends_on}: the agreement that follows it {begins}."
        assert terms.notice_given is not None
        return f"Notice was given on {format_day(terms.notice_given)}, so it {verb} on {ends_on}."
    end = find_end_of_notice_sent(terms, as_of, days)
    if end is None:
        return "It runs until notice is given; the notice period is not known."
    return f"It runs until notice is given: notice given on {format_day(as_of)} ends it on {format_day(end)}."
