"""For how many days an agreement stands where it stands: a position changes on few days, so it can be stored
with the days that it holds for."""

from datetime import date
from typing import NamedTuple

from app.service.agreements.dates.position import NOTICE_WINDOW, Position
from app.service.agreements.dates.working_days import ONE_DAY


class Validity(NamedTuple):
    """The first and the last day of a time, both included."""

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
