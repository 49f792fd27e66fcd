"""Where an agreement stands on a day: its status, its term, and by when somebody must act.

Its terms are the first, and one for each renewal. Each is counted from the first day, never from the term
before it: repeated steps drift where a month is clipped, on the 29th to the 31st.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import lru_cache
from itertools import count
from typing import NamedTuple

from app.contract.agreements import AgreementStatus, NoticePeriod, NoticeTo, RenewalType
from app.service.agreements.dates.notice import (
    NoticeDeadline,
    find_deadline,
    find_end_after_notice,
    is_as_long_as_months,
)
from app.service.agreements.dates.working_days import ONE_DAY, WorkingDays
from app.service.charges.charge import Number
from app.service.charges.months import add_months, count_exact_months, count_whole_months, months_between

_LAST_YEAR = 2098
"""An end in 2099 or 9999 says that there is none, or that nobody knows it."""


@dataclass(frozen=True, slots=True)
class AgreementTerms:
    """What an agreement says of its dates. None is unknown, but for `max_renewals` and `max_extent`, which
    are then without a bound. `end` is the last day of the first term; of an evergreen agreement, the last day
    before which it cannot end. `notice_given` is the day on which notice was sent, or received where that
    counts. `options_exercised` is how often the buyer has renewed by an option; `followed_on` is when the
    next agreement begins."""

    start: date | None = None
    end: date | None = None
    renewal: RenewalType | None = None
    renewal_months: int | None = None
    max_renewals: int | None = None
    max_extent: date | None = None
    notice: NoticePeriod | None = None
    notice_to: NoticeTo = "received"
    buffer_days: int = 0
    notice_given: date | None = None
    options_exercised: int = 0
    followed_on: date | None = None

    @property
    def renews(self) -> bool:
        """Whether a term may be followed by another."""
        return self.renewal in ("auto_renew", "option")

    @property
    def last_extent(self) -> date | None:
        """The day beyond which no renewal goes; None where there is none."""
        before_next = None if self.followed_on is None else self.followed_on - ONE_DAY
        return min((day for day in (self.max_extent, before_next) if day is not None), default=None)

    @property
    def days_for_delivery(self) -> int:
        return self.buffer_days if self.notice_to == "received" else 0

    def has_taken_option(self, occurrence: "Occurrence") -> bool:
        """Say whether the buyer has renewed beyond a term by an option."""
        return self.renewal == "option" and occurrence.renewable and self.options_exercised > occurrence.index


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One term, the first with the index 0; `end` is its last day. `deadline` is by when to give notice
    against the next term, or to take the option; None where none follows, or the period is unknown.
    `renewable` says whether another may follow."""

    index: int
    start: date | None
    end: date
    renewable: bool
    deadline: NoticeDeadline | None


def _make_occurrence(terms: AgreementTerms, index: int, days: WorkingDays) -> Occurrence:
    """Return a term of an agreement whose first term has a known end. The index must not be above 0 unless
    the agreement renews for a known number of months."""
    assert terms.end is not None
    start = terms.start if index == 0 else _count_end(terms, index - 1) + ONE_DAY
    end = _count_end(terms, index)
    renewable = terms.renews and (terms.max_renewals is None or index < terms.max_renewals)
    extent = terms.last_extent
    if extent is not None and terms.renews and end >= extent:
        renewable = False
        end = end if index == 0 else extent
    deadline = None
    if renewable and terms.notice is not None:
        deadline = find_deadline(end, terms.notice, terms.days_for_delivery, days)
    return Occurrence(index, start, end, renewable, deadline)


def iterate_occurrences(terms: AgreementTerms, days: WorkingDays) -> Iterator[Occurrence]:
    """Yield the terms of an agreement, the first first, and those to which it renews unless notice is given,
    as far as 2098. An option that was not taken gives none, nor does an agreement without an end."""
    if terms.end is None or terms.renewal == "evergreen":
        return
    last = _find_last_index(terms, days)
    for index in count():
        occurrence = _make_occurrence(terms, index, days)
        yield occurrence
        if index == last or occurrence.end.year >= _LAST_YEAR:
            return


def find_next_term(terms: AgreementTerms, current: Occurrence) -> Occurrence | None:
    """Return the term that follows one which may be followed by another, without its deadline; None where
    nobody knows how long it is."""
    if terms.renewal_months is None:
        return None
    return _make_occurrence(replace(terms, notice=None), current.index + 1, WorkingDays())


def count_months_of_renewal(terms: AgreementTerms, renewal: Occurrence) -> Number:
    """Return for how many months a term after the first is paid: those of a renewal, or fewer where it ends
    before."""
    assert terms.renewal_months is not None
    assert renewal.start is not None
    if renewal.end == _count_end(terms, renewal.index):
        return terms.renewal_months
    return count_exact_months(renewal.start, renewal.end + ONE_DAY)


def _find_occurrence(terms: AgreementTerms, as_of: date, days: WorkingDays) -> Occurrence:
    """Return the term of a day: the first one before the agreement begins, the last one after it has ended,
    or after which nothing is known."""
    last = _find_last_index(terms, days)
    index = 0 if last == 0 else _find_index(terms, as_of)
    return _make_occurrence(terms, index if last is None else min(index, last), days)


def _find_term_to_end(
    terms: AgreementTerms, current: Occurrence, as_of: date, days: WorkingDays
) -> Occurrence:
    """Return the term that notice given on a day would be the end of: the current one, also where its
    deadline has passed. Only where the notice is as long as a renewal, so that the deadline of each term is
    about the day before it begins, it is the first one whose deadline is still to come."""
    if terms.renewal != "auto_renew" or terms.renewal_months is None or terms.notice is None:
        return current
    found, last = current, _find_last_index(terms, days)
    while (
        found.deadline is not None
        and found.deadline.day < as_of
        and (last is None or found.index < last)
        and is_as_long_as_months(terms.notice, current.end + ONE_DAY, terms.renewal_months, days)
    ):
        found = _make_occurrence(terms, found.index + 1, days)
    return found


def _is_ended_by_notice(terms: AgreementTerms, occurrence: Occurrence) -> bool:
    """Say whether notice was given in time for this term to be the last."""
    given = terms.notice_given
    if given is None or terms.renewal != "auto_renew" or not occurrence.renewable:
        return False
    return given <= (occurrence.deadline.agreed if occurrence.deadline else occurrence.end)


def _find_last_index(terms: AgreementTerms, days: WorkingDays) -> int | None:
    """Return the index of the last term, or of the last that is known; None where the agreement renews
    without a bound."""
    if not terms.renews or terms.renewal_months is None:
        return 0
    bounds: list[int] = []
    if terms.max_renewals is not None:
        bounds.append(terms.max_renewals)
    if terms.renewal == "option":
        bounds.append(terms.options_exercised)
    if terms.last_extent is not None:
        bounds.append(_find_index(terms, terms.last_extent))
    if terms.renewal == "auto_renew" and terms.notice_given is not None:
        bounds.append(_find_noticed_index(terms, terms.notice_given, days))
    return min(bounds) if bounds else None


def _find_noticed_index(terms: AgreementTerms, given: date, days: WorkingDays) -> int:
    """Return the index of the term that notice makes the last: the first one for which it is in time."""
    index = _find_index(terms, given)
    while True:
        occurrence = _make_occurrence(terms, index, days)
        late = occurrence.deadline is not None and given > occurrence.deadline.agreed
        if not late or not occurrence.renewable:
            return index
        index += 1


def _find_index(terms: AgreementTerms, day: date) -> int:
    """Return the index of the term that holds a day, as if the agreement renewed for ever."""
    assert terms.end is not None
    assert terms.renewal_months is not None
    index = max(months_between(terms.end + ONE_DAY, day) // terms.renewal_months - 1, 0)
    while _count_end(terms, index) < day:
        index += 1
    return index


def _count_end(terms: AgreementTerms, index: int) -> date:
    assert terms.end is not None
    if index == 0:
        return terms.end
    assert terms.renewal_months is not None
    begin, first = _find_step(terms.start, terms.end)
    return add_months(begin, first + index * terms.renewal_months) - ONE_DAY


@lru_cache(maxsize=10_000)
def _find_step(start: date | None, end: date) -> tuple[date, int]:
    """Return the day that renewals are counted from, and after how many months of it the first begins: the
    start of the first term where that has whole months, else the day after it."""
    first = None if start is None else count_whole_months(start, end + ONE_DAY)
    return (end + ONE_DAY, 0) if start is None or first is None else (start, first)


NOTICE_WINDOW = timedelta(days=90)
"""How long before its deadline an agreement waits for a decision."""


@dataclass(frozen=True, slots=True)
class Position:
    """`occurrence` is the current term, `term_end` its last day; None where the agreement has no end, or it
    is not known. `deadline` is the last working day on which notice can still be given, or the option be
    taken; `term_to_end` is the term that ends then, which is the next one where the notice is as long as a
    renewal, since `deadline_since`.
    `act_by` is the same, or the end of an agreement that ends by itself, or of the term where the last day
    for notice is not known: `status` is then `unknown`, unless it was decided, and there is no such day.
    `ends_on` is the last day of all, once it is known.
    `last_day` is `act_by` where that is known to be the last day on which somebody can act.
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
    def last_day(self) -> date | None:
        return None if self.deadline is None and self.ends_on is None else self.act_by

    @property
    def order_day(self) -> date | None:
        return self.last_day or (None if self.act_by is None else self.act_by - NOTICE_WINDOW)


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
    occurrence = _find_occurrence(terms, as_of, days)
    to_end = _find_term_to_end(terms, occurrence, as_of, days)
    ends_here = not to_end.renewable or _is_ended_by_notice(terms, to_end)
    ends_on = to_end.end if ends_here and terms.renewal is not None else None
    deadline = to_end.deadline.day if to_end.deadline and not ends_here else None
    passed = _make_occurrence(terms, to_end.index - 1, days).deadline if to_end is not occurrence else None
    decided = settled_on is not None and is_of_term(occurrence, settled_on)
    status = _find_status(terms, occurrence, as_of, deadline, ends_on, decided=decided)
    if status == "expired":
        ends_on = occurrence.end  # also where the option was not taken
    is_lost = status == "unknown" and as_of > occurrence.end
    needs_no_day = decided and deadline is None and ends_on is None
    return Position(
        status=status,
        occurrence=occurrence,
        term_start=occurrence.start,
        term_end=occurrence.end,
        deadline=deadline,
        term_to_end=to_end,
        deadline_since=passed.day + ONE_DAY if passed else None,
        act_by=None if is_lost or needs_no_day else deadline or ends_on or to_end.end,
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
        if _is_ended_by_notice(terms, occurrence):
            return "ended"
        # It renewed for a time that nobody knows, or ended by itself.
        renewed = terms.renewal == "auto_renew" and occurrence.renewable
        unknown = terms.renewal is None or renewed or terms.has_taken_option(occurrence)
        return "unknown" if unknown else "expired"
    ends_by_itself = ends_on is not None and not is_arranged(terms, occurrence)
    last_day = deadline or (ends_on if ends_by_itself else None)
    if last_day is not None and not decided:
        if as_of > last_day:
            return "deadline_missed"
        if as_of >= last_day - NOTICE_WINDOW:
            return "in_notice_window"
    if deadline is None and ends_on is None and not decided:
        return "unknown"
    return "upcoming" if occurrence.start is not None and as_of < occurrence.start else "active"


def is_arranged(terms: AgreementTerms, occurrence: Occurrence) -> bool:
    """Say whether what follows a term is settled: notice was given, or another agreement follows."""
    return terms.followed_on is not None or _is_ended_by_notice(terms, occurrence)


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


class Validity(NamedTuple):
    """The first and the last day of a time, both included: a position changes on few days, so it can be
    stored with the days that it holds for."""

    first: date
    last: date

    def holds_on(self, day: date) -> bool:
        return self.first <= day <= self.last


def find_validity(position: Position, as_of: date, put_off_until: date | None = None) -> Validity:
    """Return days around `as_of` on all of which the agreement has this position, and is put off or not."""
    changes = [*list_changes(position), *([put_off_until] if put_off_until is not None else [])]
    first = max((day for day in changes if day <= as_of), default=date.min)
    last = min((day - ONE_DAY for day in changes if day > as_of), default=date.max)
    return Validity(first, last)


def list_changes(position: Position) -> list[date]:
    """Return the days on which a position may give way to another: those on which the term begins or the next
    one does, the window for a decision opens, or the deadline or the one before it has passed."""
    changes = [position.term_start] if position.term_start is not None else []
    if position.deadline is not None:
        changes += [position.deadline - NOTICE_WINDOW, position.deadline + ONE_DAY]
    if position.deadline_since is not None:
        changes.append(position.deadline_since)
    if position.term_end is not None:
        changes.append(position.term_end + ONE_DAY)
    if position.ends_on is not None:
        changes.append(position.ends_on - NOTICE_WINDOW)
    return changes
