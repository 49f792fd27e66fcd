"""Deadlines as events of a calendar (RFC 5545). Pure.

Reminders are events of their own: calendar programs ignore the alarms of feeds that they subscribe to.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from icalendar import Calendar, Event

from app.contract.dates import format_day
from app.service.agreements.dates.working_days import ONE_DAY

REMINDER_DAYS = (30, 7)
"""How many days before a deadline a reminder stands in the calendar."""
_REFRESH = timedelta(hours=12)


@dataclass(frozen=True, slots=True)
class CalendarDeadline:
    """The day by which to act on an agreement; `address` is its page. `is_known` says that it is the last
    day on which somebody can act; else it is the end of the term, and nobody knows that day."""

    agreement_id: str
    name: str
    supplier_name: str | None
    day: date
    statement: str
    address: str
    changed_at: datetime
    is_known: bool = True

    @property
    def title(self) -> str:
        return f"{self.name} ({self.supplier_name})" if self.supplier_name else self.name


def build_calendar(deadlines: Iterable[CalendarDeadline]) -> bytes:
    """Return the file of a calendar with an event for each deadline, and reminders before it. Each lasts a
    day, and keeps its id while the deadline is the same."""
    calendar: Any = Calendar()  # the types of its values are unknown
    calendar.add("prodid", "-//Parley//Agreements//EN")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", "Agreements")
    calendar.add("refresh-interval", _REFRESH, parameters={"VALUE": "DURATION"})
    for one in deadlines:
        title = f"{'Decide' if one.is_known else 'The term ends'}: {one.title}"
        calendar.add_component(_build_event(one, one.day, "deadline", title))
        for days in REMINDER_DAYS:
            title = f"In {days} days, on {format_day(one.day)}: {one.title}"
            calendar.add_component(_build_event(one, one.day - days * ONE_DAY, f"reminder-{days}", title))
    content: bytes = calendar.to_ical()
    return content


def _build_event(one: CalendarDeadline, day: date, kind: str, title: str) -> Any:
    event: Any = Event()
    event.add("uid", f"{one.agreement_id}-{one.day:%Y%m%d}-{kind}@parley")
    event.add("dtstamp", one.changed_at)
    event.add("dtstart", day)
    event.add("dtend", day + ONE_DAY)  # exclusive
    event.add("summary", title)
    event.add("description", one.statement)
    event.add("url", one.address)
    event.add("transp", "TRANSPARENT")
    return event
