"""Events about the dates of agreements, each sent once, also where no worker ran on its day: to webhooks, and
by mail to the owners where there is a mail server."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.events import (
    AgreementEnded,
    AgreementNoticeApproaching,
    AgreementNoticeMissed,
    AgreementRenewed,
)
from app.service.access.outcomes import DEADLINE_REPORTED, Subject
from app.service.access.quotas import lock_organisation
from app.service.agreements.alert_mail import queue_mails, wants_mail
from app.service.agreements.due_alerts import Alert, DateEvent, list_alerts
from app.service.agreements.stored_agreement import DateRow
from app.service.agreements.working_calendar import load_working_days
from app.service.context import Context
from app.service.database.batches import batched
from app.service.database.sample_rule import counted
from app.service.database.tables.agreements import agreement, agreement_alert
from app.service.database.visibility import owned_by
from app.service.webhooks.changes import ToldChange, record_changes

_AT_ONCE = 500
_SUMMARIES: Mapping[type[DateEvent], str] = {
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
    context: Context, connection: Connection, organisation_id: str, due: Sequence[Alert], now: datetime
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
            queue_mails(connection, organisation_id, alerts, now)


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
        sa.select(*columns, agreement.c.created_at).where(
            owned_by(agreement.c, organisation_id), counted(agreement.c, organisation_id)
        )
    )
    return [
        alert
        for *values, created_at in rows
        for alert in list_alerts(DateRow(*values), created_at, today, days)
    ]
