"""Sends the letters to suppliers that are due, and tells in the negotiation what came of each."""

from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.access.outcomes import LETTER_FAILED, LETTER_SENT
from app.service.background.mail_queue import DueMail, MailAttempt, count_turns, send_mails
from app.service.context import Context
from app.service.database.tables.negotiation import mail, negotiation
from app.service.negotiation.session.negotiation_session import open_session

RETRY_DELAYS = (timedelta(seconds=30), timedelta(minutes=5), timedelta(hours=1), timedelta(hours=6))
BATCH_SIZE = 20


def send_due_mail(context: Context) -> int:
    """Send the letters that are due; return how many were sent. The worker calls it together with the
    timers."""
    with context.database.reading() as connection:
        due = _load_due_mail(connection, context.clock())

    def record(attempt: MailAttempt) -> None:
        now = context.clock()
        with (
            context.database.writing() as connection,
            open_session(context, connection, due[attempt.mail], now) as session,
        ):
            if attempt.save(connection) and session is not None and attempt.is_last:
                how = "was sent" if attempt.error is None else f"could not be sent: {attempt.error}"
                text = f"“{attempt.mail.subject}” {how}."
                session.add_entry("mail", {"mailId": attempt.mail.id, "text": text})
                session.record_outcome(LETTER_SENT if attempt.error is None else LETTER_FAILED)

    return send_mails(context, mail, due, retry_delays=RETRY_DELAYS, record=record)


def _load_due_mail(connection: Connection, now: datetime) -> dict[DueMail, str]:
    """Return the letters that are due, each with the id of its negotiation. Replies go to the buyer."""
    columns = [mail.c[name] for name in ("id", "recipient", "subject", "body", "attempts", "created_at")]
    rows = connection.execute(
        sa.select(*columns, negotiation.c.organisation_id, negotiation.c.contact_email, mail.c.negotiation_id)
        .join(negotiation, negotiation.c.id == mail.c.negotiation_id)
        .where(mail.c.next_at <= now)
        .order_by(count_turns(mail, negotiation.c.organisation_id), mail.c.next_at)
        .limit(BATCH_SIZE)
    )
    return {DueMail(*values): negotiation_id for *values, negotiation_id in rows}
