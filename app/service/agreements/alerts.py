"""Events about the dates of agreements, each sent once, also where no worker ran on its day: to webhooks, and
by mail to the owners where there is a mail server.

A row says who is to be told what; the letter is written when it is sent, from what is true then. So a letter
that waited while the mail server was away names no date that was changed, and asks for no decision that was
taken, meanwhile.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.agreements import PAST_STATUSES
from app.contract.dates import format_day
from app.contract.events import (
    AgreementEnded,
    AgreementNoticeApproaching,
    AgreementNoticeMissed,
    AgreementRenewed,
)
from app.contract.money import format_exact_money, on_one_line
from app.service.access.audit import DEADLINE_REPORTED, Subject
from app.service.access.quotas import lock_organisation
from app.service.agreements.action import list_sentences
from app.service.agreements.dates.position import Position
from app.service.agreements.dates.working_days import WorkingDays
from app.service.agreements.store import load_agreements
from app.service.agreements.stored_agreement import DateRow, StoredAgreement
from app.service.agreements.working_calendar import load_working_days
from app.service.background.mail_queue import send_or_drop
from app.service.context import Context
from app.service.database.dialect import upsert
from app.service.database.letters import DEADLINE_LETTERS
from app.service.database.rows import batched
from app.service.database.tables import agreement, agreement_alert, deadline_mail
from app.service.database.visibility import counted, owned_by
from app.service.ids import new_id
from app.service.webhooks.outbox import ToldChange, record_changes

_ALERT_DAYS = (7, 14, 30, 60, 90, 120)
"""How many days before somebody must act an event is sent."""

_DateEvent = AgreementNoticeApproaching | AgreementNoticeMissed | AgreementRenewed | AgreementEnded


class _Alert(NamedTuple):
    """An event that is due; `name` is the same each time that it is computed."""

    agreement_id: str
    name: str
    event: _DateEvent


def _list_alerts(row: DateRow, created_at: datetime, today: date, days: WorkingDays) -> Iterator[_Alert]:
    """Yield what somebody is to be told of an agreement today. What happened before it was put on record is
    no news."""
    position, known_since = row.find_position(today, days), created_at.date()
    occurrence = position.occurrence
    if position.status in PAST_STATUSES:
        if position.ends_on is not None and position.ends_on >= known_since:
            name = f"ended {position.ends_on}"
            yield _Alert(row.id, name, AgreementEnded(agreement_id=row.id, term_end=position.ends_on))
        return
    begun = occurrence.start if occurrence is not None and occurrence.index > 0 else None
    if occurrence is not None and begun is not None and known_since < begun <= today:
        event = AgreementRenewed(
            agreement_id=row.id, current_term_start=begun, current_term_end=occurrence.end
        )
        yield _Alert(row.id, f"renewed {begun}", event)
    if row.find_order_day(position, today) is None:
        return
    if position.status == "deadline_missed" and position.deadline is not None:
        if position.deadline >= known_since:
            missed = AgreementNoticeMissed(agreement_id=row.id, notice_deadline=position.deadline)
            yield _Alert(row.id, f"missed {position.deadline}", missed)
        return
    yield from _list_approaching(row, position, today)


def _list_approaching(row: DateRow, position: Position, today: date) -> Iterator[_Alert]:
    """Yield the last of the reminders that are due: whom nobody could tell earlier is not told all at
    once."""
    if position.act_by is None or position.act_by < today:
        return
    left = (position.act_by - today).days
    for days in _ALERT_DAYS:
        if left <= days:
            event = AgreementNoticeApproaching(
                agreement_id=row.id, status=position.status, act_by=position.act_by, days_left=left
            )
            yield _Alert(row.id, f"approaching {days} {position.act_by}", event)
            return


_AT_ONCE = 500
_SUMMARIES: Mapping[type[_DateEvent], str] = {
    AgreementEnded: "Report that an agreement has ended",
    AgreementRenewed: "Report that an agreement has renewed itself",
    AgreementNoticeMissed: "Report that the deadline of an agreement was missed",
    AgreementNoticeApproaching: "Report that the deadline of an agreement is near",
}
"""What the audit log says of an alert."""


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
                _send(context, connection, organisation_id, some, now)


def _send(
    context: Context, connection: Connection, organisation_id: str, due: Sequence[_Alert], now: datetime
) -> None:
    """Queue events and letters, and note that they were sent, in one transaction; of two workers, only one
    sends them."""
    lock_organisation(connection, organisation_id)
    alerts = _find_unsent(connection, due)
    if alerts:
        rows = [{"agreement_id": one.agreement_id, "name": one.name, "sent_at": now} for one in alerts]
        connection.execute(agreement_alert.insert(), rows)
        changes = [
            ToldChange(
                replace(DEADLINE_REPORTED, summary=_SUMMARIES[type(one.event)]),
                Subject(organisation_id, one.agreement_id),
                one.event,
            )
            for one in alerts
        ]
        record_changes(connection, changes, now)
        if context.settings.smtp_url is not None and wants_mail(connection, organisation_id):
            _queue_mails(connection, organisation_id, alerts, now)


def _find_unsent(connection: Connection, due: Sequence[_Alert]) -> list[_Alert]:
    sent: set[tuple[str, str]] = set()
    for some in batched({one.agreement_id for one in due}, _AT_ONCE):
        rows = connection.execute(
            sa.select(agreement_alert.c.agreement_id, agreement_alert.c.name).where(
                agreement_alert.c.agreement_id.in_(some)
            )
        )
        sent.update((row.agreement_id, row.name) for row in rows)
    return [one for one in due if (one.agreement_id, one.name) not in sent]


def _find_due(connection: Connection, organisation_id: str, today: date) -> list[_Alert]:
    days = load_working_days(connection, organisation_id)
    columns = [agreement.c[name] for name in DateRow._fields]
    rows = connection.execute(
        sa.select(*columns, agreement.c.created_at).where(counted(agreement.c, organisation_id))
    )
    return [
        alert
        for *values, created_at in rows
        for alert in _list_alerts(DateRow(*values), created_at, today, days)
    ]


def _queue_mails(
    connection: Connection, organisation_id: str, alerts: Sequence[_Alert], now: datetime
) -> None:
    """Note a letter about agreements of an organisation to each owner who has an address. Owners of sample
    agreements are invented, and get none."""
    stored = load_agreements(connection, {one.agreement_id for one in alerts})
    letters = (
        {
            "id": new_id(),
            "organisation_id": organisation_id,
            "object_kind": "agreement",
            "object_id": alert.agreement_id,
            "reason": alert.name,
            "recipient": recipient,
        }
        for alert in alerts
        for recipient in _list_recipients(stored[alert.agreement_id])
    )
    DEADLINE_LETTERS.queue(connection, letters, now)


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
    return send_or_drop(
        context, DEADLINE_LETTERS, lambda connection, rows: _compose_letters(context, connection, rows)
    )


def _compose_letters(
    context: Context, connection: Connection, rows: Sequence[Any]
) -> Iterator[tuple[str, str] | None]:
    today = context.clock().date()
    stored = load_agreements(connection, {row.object_id for row in rows})
    organisations = {row.organisation_id for row in rows}
    days = {one: load_working_days(connection, one) for one in organisations if wants_mail(connection, one)}
    for row in rows:
        one = stored[row.object_id]
        name, calendar = _list_recipients(one).get(row.recipient), days.get(row.organisation_id)
        if name is None or calendar is None:
            yield None
            continue
        alerts = _list_alerts(one.dates, one.created_at, today, calendar)
        event = next((alert.event for alert in alerts if alert.name == row.reason), None)
        yield (
            None
            if event is None
            else _compose_letter(one, event, name, today, calendar, context.settings.dashboard_url)
        )


def _compose_letter(
    one: StoredAgreement, event: _DateEvent, reader: str, today: date, days: WorkingDays, dashboard_url: str
) -> tuple[str, str]:
    """Return the subject and the text of a letter to the owner whose name is `reader`."""
    name, supplier = on_one_line(one.agreed.name), on_one_line(one.agreed.supplier_name or "")
    position = one.dates.find_position(today, days)
    subject, news = _describe_event(event, position, f"“{name}” with {supplier}" if supplier else f"“{name}”")
    facts = list_sentences(one, position, today, days)
    if one.agreed.total_value is not None and one.agreed.currency is not None:
        value = format_exact_money(one.agreed.total_value, one.agreed.currency)
        facts.append(f"Value of the first term, before tax: {value}.")
    return subject, "\n\n".join(
        (
            f"Dear {on_one_line(reader)},",
            news,
            "\n".join(facts),
            f"The agreement, and the form for your decision:\n{dashboard_url}/agreement?id={one.id}",
            "You get this mail because you are named as an owner of this agreement. Owners are changed on its"
            " page. For the whole organisation, these mails are switched off here:"
            f"\n{dashboard_url}/working_days",
        )
    )


def _describe_event(event: _DateEvent, position: Position, agreement: str) -> tuple[str, str]:
    """Return the subject, which holds nothing that somebody wrote, and the sentence that the letter begins
    with."""
    match event:
        case AgreementNoticeApproaching():
            day = format_day(event.act_by)
            if position.last_day is None:
                return (
                    f"The term of an agreement ends on {day}",
                    f"The term of the agreement {agreement} ends on {day}. By when it must be decided is not"
                    " known.",
                )
            return (
                f"An agreement needs your decision by {day}",
                f"The agreement {agreement} needs a decision by {day}.",
            )
        case AgreementNoticeMissed():
            return "A deadline of an agreement was missed", (
                f"The last day to act on the agreement {agreement} was {format_day(event.notice_deadline)}."
                " Nobody decided to renew it, and no notice is on record."
            )
        case AgreementRenewed():
            begun, end = format_day(event.current_term_start), format_day(event.current_term_end)
            return "An agreement has renewed", (
                f"The agreement {agreement} renewed on {begun}. Its current term ends on {end}."
            )
        case AgreementEnded():
            return (
                "An agreement has ended",
                f"The agreement {agreement} ended on {format_day(event.term_end)}.",
            )
