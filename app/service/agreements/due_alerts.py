"""Which events about the dates of an agreement are due. Pure."""

from collections.abc import Iterator
from datetime import date, datetime
from typing import NamedTuple

from app.contract.agreements import PAST_STATUSES
from app.contract.events import (
    AgreementEnded,
    AgreementNoticeApproaching,
    AgreementNoticeMissed,
    AgreementRenewed,
)
from app.service.agreements.dates.position import Position
from app.service.agreements.dates.working_days import WorkingDays
from app.service.agreements.stored_agreement import DateRow

ALERT_DAYS = (7, 14, 30, 60, 90, 120)
"""How many days before somebody must act an event is sent."""

DateEvent = AgreementNoticeApproaching | AgreementNoticeMissed | AgreementRenewed | AgreementEnded


class Alert(NamedTuple):
    """An event that is due; `name` is the same each time that it is computed."""

    agreement_id: str
    name: str
    event: DateEvent


def list_alerts(row: DateRow, created_at: datetime, today: date, days: WorkingDays) -> Iterator[Alert]:
    """Yield what somebody is to be told of an agreement today. What happened before it was put on record is
    no news."""
    position, known_since = row.find_position(today, days), created_at.date()
    occurrence = position.occurrence
    if position.status in PAST_STATUSES:
        if position.ends_on is not None and position.ends_on >= known_since:
            name = f"ended {position.ends_on}"
            yield Alert(row.id, name, AgreementEnded(agreement_id=row.id, term_end=position.ends_on))
        return
    begun = occurrence.start if occurrence is not None and occurrence.index > 0 else None
    if occurrence is not None and begun is not None and known_since < begun <= today:
        event = AgreementRenewed(
            agreement_id=row.id, current_term_start=begun, current_term_end=occurrence.end
        )
        yield Alert(row.id, f"renewed {begun}", event)
    if row.find_order_day(position, today) is None:
        return
    if position.status == "deadline_missed" and position.deadline is not None:
        if position.deadline >= known_since:
            missed = AgreementNoticeMissed(agreement_id=row.id, notice_deadline=position.deadline)
            yield Alert(row.id, f"missed {position.deadline}", missed)
        return
    yield from _list_approaching(row, position, today)


def _list_approaching(row: DateRow, position: Position, today: date) -> Iterator[Alert]:
    """Yield the last of the reminders that are due: whom nobody could tell earlier is not told all at
    once."""
    if position.act_by is None or position.act_by < today:
        return
    left = (position.act_by - today).days
    for days in ALERT_DAYS:
        if left <= days:
            event = AgreementNoticeApproaching(agreement_id=row.id, act_by=position.act_by, days_left=left)
            yield Alert(row.id, f"approaching {days} {position.act_by}", event)
            return
