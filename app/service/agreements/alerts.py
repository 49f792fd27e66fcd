"""Events about the dates of agreements, each sent once, also where no worker ran on its day."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.events import (
    AgreementEnded,
    AgreementNoticeApproaching,
    AgreementNoticeMissed,
    AgreementRenewed,
    Event,
)
from app.service.access.quotas import lock_organisation
from app.service.agreements.dates.position import Position
from app.service.agreements.dates.working_days import WorkingDays
from app.service.agreements.stored_agreement import DateRow
from app.service.agreements.working_calendar import load_working_days
from app.service.context import Context
from app.service.database.batches import batched
from app.service.database.tables.agreements import agreement, agreement_alert
from app.service.database.visibility import owned_by
from app.service.webhooks.outbox import OutboxEvent, emit_all

ALERT_DAYS = (7, 14, 30, 60, 90, 120)
"""How many days before somebody must act an event is sent."""
_AT_ONCE = 500
_DECIDED = ("will_renew", "replaced")


class Alert(NamedTuple):
    """An event that is due; `name` is the same each time that it is computed."""

    agreement_id: str
    name: str
    event: Event


def send_due_alerts(context: Context) -> None:
    """Send the events that are due and were not sent before, of every organisation."""
    with context.database.reading() as connection:
        organisations = list(connection.scalars(sa.select(agreement.c.organisation_id).distinct()))
    for organisation_id in organisations:
        now = context.clock()
        with context.database.reading() as connection:
            due = _find_unsent(connection, _find_due(connection, organisation_id, now.date()))
        for some in batched(due, _AT_ONCE):
            with context.database.writing() as connection:
                _send(connection, organisation_id, some, now)


def _send(connection: Connection, organisation_id: str, due: Sequence[Alert], now: datetime) -> None:
    """Send events and note that they were sent, in one transaction; of two workers, only one sends them."""
    lock_organisation(connection, organisation_id)
    alerts = _find_unsent(connection, due)
    if alerts:
        rows = [{"agreement_id": one.agreement_id, "name": one.name, "sent_at": now} for one in alerts]
        connection.execute(agreement_alert.insert(), rows)
        emit_all(connection, [OutboxEvent(organisation_id, one.event) for one in alerts], now=now)


def _find_unsent(connection: Connection, due: Sequence[Alert]) -> list[Alert]:
    sent: set[tuple[str, str]] = set()
    for some in batched({one.agreement_id for one in due}, _AT_ONCE):
        rows = connection.execute(
            sa.select(agreement_alert.c.agreement_id, agreement_alert.c.name).where(
                agreement_alert.c.agreement_id.in_(some)
            )
        )
        sent.update((row.agreement_id, row.name) for row in rows)
    return [one for one in due if (one.agreement_id, one.name) not in sent]


def _find_due(connection: Connection, organisation_id: str, today: date) -> list[Alert]:
    days = load_working_days(connection, organisation_id)
    columns = [agreement.c[name] for name in DateRow._fields]
    rows = connection.execute(
        sa.select(*columns, agreement.c.created_at).where(owned_by(agreement.c, organisation_id))
    )
    return [
        alert
        for *values, created_at in rows
        for alert in _list_alerts(DateRow(*values), created_at, today, days)
    ]


def _list_alerts(row: DateRow, created_at: datetime, today: date, days: WorkingDays) -> Iterator[Alert]:
    """Yield what somebody is to be told of an agreement today. What happened before it was put on record is
    no news."""
    position, known_since = row.find_position(today, days), created_at.date()
    occurrence = position.occurrence
    if position.status in ("expired", "ended"):
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
    if row.find_stage(position) in _DECIDED:
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
