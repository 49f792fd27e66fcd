"""Mail to the owners of agreements about their dates.

A row says who is to be told what; the letter is written when it is sent, from what is true then. So a letter
that waited while the mail server was away names no date that was changed, and asks for no decision that was
taken, meanwhile."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.agreements.alert_letter import compose_letter
from app.service.agreements.due_alerts import Alert, list_alerts
from app.service.agreements.store import load_agreements
from app.service.agreements.stored_agreement import StoredAgreement
from app.service.agreements.working_calendar import load_working_days
from app.service.background.mail_queue import DueMail, count_turns, send_or_drop
from app.service.context import Context
from app.service.database.dialect import upsert
from app.service.database.tables.agreements import agreement, agreement_mail, deadline_mail
from app.service.database.visibility import owned_by
from app.service.ids import new_id

RETRY_DELAYS = (timedelta(seconds=30), timedelta(minutes=5), *[timedelta(hours=1)] * 7 * 24)
"""A mail server may be away for a week."""
BATCH_SIZE = 100


def queue_mails(connection: Connection, alerts: Sequence[Alert], now: datetime) -> None:
    """Note a letter to each owner who has an address. Owners of sample agreements are invented, and get
    none."""
    stored = load_agreements(connection, {one.agreement_id for one in alerts})
    rows = [
        {
            "id": new_id(),
            "agreement_id": alert.agreement_id,
            "alert": alert.name,
            "status": "queued",
            "recipient": recipient,
            "attempts": 0,
            "next_at": now,
            "created_at": now,
        }
        for alert in alerts
        for recipient in _list_recipients(stored[alert.agreement_id])
    ]
    if rows:
        connection.execute(agreement_mail.insert(), rows)


def _list_recipients(one: StoredAgreement) -> dict[str, str]:
    """Return the names of the owners by their addresses."""
    owners = () if one.sample else one.agreed.owners or ()
    return {owner.email.lower(): owner.name for owner in owners if owner.email}


def wants_mail(connection: Connection, organisation_id: str) -> bool:
    """Whether the owners of the organisation's agreements get letters; they do until it says otherwise."""
    enabled = connection.scalar(
        sa.select(deadline_mail.c.enabled).where(owned_by(deadline_mail.c, organisation_id))
    )
    return enabled is None or enabled


def save_wish(connection: Connection, organisation_id: str, *, enabled: bool) -> None:
    """Store whether they get letters. Those that wait are not sent when it is switched off."""
    upsert(connection, deadline_mail, [{"organisation_id": organisation_id, "enabled": enabled}])


def send_due_alert_mail(context: Context) -> int:
    """Send the letters that are due, and drop those that are out of date; return how many were sent."""
    with context.database.reading() as connection:
        due = dict(_load_due_mail(connection, context))
    return send_or_drop(context, agreement_mail, due, retry_delays=RETRY_DELAYS)


def _load_due_mail(connection: Connection, context: Context) -> Iterator[tuple[str, DueMail | None]]:
    """Yield the ids of the letters that are due, with the letter, or None where it is out of date."""
    now = context.clock()
    rows = connection.execute(
        sa.select(agreement_mail)
        .join(agreement, agreement.c.id == agreement_mail.c.agreement_id)
        .where(agreement_mail.c.next_at <= now)
        .order_by(count_turns(agreement_mail, agreement.c.organisation_id), agreement_mail.c.next_at)
        .limit(BATCH_SIZE)
    ).all()
    stored = load_agreements(connection, {row.agreement_id for row in rows})
    organisations = {one.organisation_id for one in stored.values()}
    days = {one: load_working_days(connection, one) for one in organisations if wants_mail(connection, one)}
    for row in rows:
        one = stored[row.agreement_id]
        name = _list_recipients(one).get(row.recipient)
        if name is None or one.organisation_id not in days:
            yield row.id, None
            continue
        calendar = days[one.organisation_id]
        alerts = list_alerts(one.dates, one.created_at, now.date(), calendar)
        event = next((alert.event for alert in alerts if alert.name == row.alert), None)
        if event is None:
            yield row.id, None
            continue
        letter = compose_letter(one, event, name, now.date(), calendar, context.settings.dashboard_url)
        yield row.id, _address(row, letter, one.organisation_id)


def _address(row: Any, letter: tuple[str, str], organisation_id: str) -> DueMail:
    subject, body = letter
    sent = row.attempts, row.created_at, organisation_id
    return DueMail(row.id, row.recipient, subject, body, *sent, automatic=True)
