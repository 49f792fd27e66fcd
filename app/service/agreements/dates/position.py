"""Where an agreement stands on a day: its status, its term, and by when somebody must act."""

from dataclasses import dataclass
from datetime import date, timedelta

from app.contract.agreements import AgreementStatus
from app.service.agreements.dates.notice import find_end_after_notice
from app.service.agreements.dates.occurrences import (
    AgreementTerms,
    Occurrence,
    find_occurrence,
    find_term_to_end,
    is_ended_by_notice,
    make_occurrence,
)
from app.service.agreements.dates.working_days import ONE_DAY, WorkingDays

NOTICE_WINDOW = timedelta(days=90)
"""How long before its deadline an agreement waits for a decision."""


@dataclass(frozen=True, slots=True)
class Position:
    """`occurrence` is the current term, `term_end` its last day; None where the agreement has no end, or it
    is not known. `deadline` is the last working day on which notice can still be given, or the option be
    taken; `term_to_end` is the term that ends then, which is the next one where the notice is as long as a
    renewal, since `deadline_since`.
    `act_by` is the same, or the end of an agreement that ends by itself, or of the term where the last day
    for notice is not known: `status` is then `unknown`. `ends_on` is the last day of all, once it is known.
    `order_day` is what lists are sorted by: where the last day is not known, it may have come
    `NOTICE_WINDOW` before the end."""

    status: AgreementStatus
    occurrence: Occurrence | None = None
    term_start: date | None = None
    term_end: date | None = None
    deadline: date | None = None
    term_to_end: Occurrence | None = None
    deadline_since: date | None = None
    act_by: date | None = None
    ends_on: date | None = None

    @property
    def order_day(self) -> date | None:
        if self.act_by is None or self.deadline is not None or self.ends_on is not None:
            return self.act_by
        return self.act_by - NOTICE_WINDOW


def find_position(
    terms: AgreementTerms, as_of: date, days: WorkingDays, settled_on: date | None = None
) -> Position:
    """Return where an agreement stands on a day. `settled_on` is when somebody decided to let it renew, or to
    let one end that ends by itself: nothing waits for a decision in that term."""
    if terms.renewal == "evergreen":
        return _find_evergreen_position(terms, as_of, days)
    if terms.end is None:
        upcoming = terms.start is not None and as_of < terms.start
        return Position("upcoming" if upcoming else "unknown", term_start=terms.start)
    occurrence = find_occurrence(terms, as_of, days)
    to_end = find_term_to_end(terms, occurrence, as_of, days)
    ends_here = not to_end.renewable or is_ended_by_notice(terms, to_end)
    ends_on = to_end.end if ends_here and terms.renewal is not None else None
    deadline = to_end.deadline.day if to_end.deadline and not ends_here else None
    passed = make_occurrence(terms, to_end.index - 1, days).deadline if to_end is not occurrence else None
    decided = settled_on is not None and is_of_term(occurrence, settled_on)
    status = _find_status(terms, occurrence, as_of, deadline, ends_on, decided=decided)
    is_lost = status == "unknown" and as_of > occurrence.end
    return Position(
        status=status,
        occurrence=occurrence,
        term_start=occurrence.start,
        term_end=occurrence.end,
        deadline=deadline,
        term_to_end=to_end,
        deadline_since=passed.day + ONE_DAY if passed else None,
        act_by=deadline or ends_on or (None if is_lost else to_end.end),
        ends_on=ends_on,
    )


def is_of_term(occurrence: Occurrence, day: date) -> bool:
    """Say whether a day lies in a term; one before the agreement begins, in the first."""
    return (occurrence.start is None or occurrence.start <= day or occurrence.index == 0) and (
        day <= occurrence.end
    )


def _find_status(
    terms: AgreementTerms,
    occurrence: Occurrence,
    as_of: date,
    deadline: date | None,
    ends_on: date | None,
    *,
    decided: bool,
) -> AgreementStatus:
    if as_of > occurrence.end:
        if is_ended_by_notice(terms, occurrence):
            return "ended"
        # It renewed for a time that nobody knows, or ended by itself.
        unknown = terms.renewal is None or (terms.renewal == "auto_renew" and occurrence.renewable)
        return "unknown" if unknown else "expired"
    ends_by_itself = ends_on is not None and not is_arranged(terms, occurrence)
    last_day = deadline or (ends_on if ends_by_itself else None)
    if last_day is not None and not decided:
        if as_of > last_day:
            return "deadline_missed"
        if as_of >= last_day - NOTICE_WINDOW:
            return "in_notice_window"
    if occurrence.start is not None and as_of < occurrence.start:
        return "upcoming"
    return "active" if decided or deadline is not None or ends_on is not None else "unknown"


def is_arranged(terms: AgreementTerms, occurrence: Occurrence) -> bool:
    """Say whether what follows a term is settled: notice was given, or another agreement follows."""
    return terms.followed_on is not None or is_ended_by_notice(terms, occurrence)


def _find_evergreen_position(terms: AgreementTerms, as_of: date, days: WorkingDays) -> Position:
    by_notice = None if terms.notice_given is None else find_notice_end(terms, terms.notice_given, days)
    ends_on = min((day for day in (by_notice, find_end_before_next(terms)) if day is not None), default=None)
    upcoming = terms.start is not None and as_of < terms.start
    ended = ends_on is not None and as_of > ends_on
    return Position(
        status="ended" if ended else "upcoming" if upcoming else "active",
        term_start=terms.start,
        term_end=ends_on,
        act_by=ends_on,
        ends_on=ends_on,
    )


def find_end_before_next(terms: AgreementTerms) -> date | None:
    """Return the last day of an evergreen agreement that another one replaces: the day before that begins.
    None where none does, or where that began before this one."""
    if terms.followed_on is None or (terms.start is not None and terms.followed_on <= terms.start):
        return None
    return terms.followed_on - ONE_DAY


def find_notice_end(terms: AgreementTerms, given: date, days: WorkingDays) -> date | None:
    """Return the last day of an evergreen agreement for which notice was given; None where the notice period
    is not known."""
    if terms.notice is None:
        return None
    end = find_end_after_notice(given, terms.notice, days)
    return end if terms.end is None else max(end, terms.end)


def find_end_of_notice_sent(terms: AgreementTerms, sent: date, days: WorkingDays) -> date | None:
    """Return when an evergreen agreement ends if notice is sent on that day: where it counts from its
    receipt, the days for delivery come first, and it is received on a working day."""
    delivered = sent + terms.days_for_delivery * ONE_DAY
    return find_notice_end(terms, days.roll_forward(delivered), days)
