"""Sends the letters to suppliers that are due, and tells in the negotiation what came of each."""

from datetime import datetime

from sqlalchemy import Connection

from app.service.access.outcomes import LETTER_FAILED, LETTER_SENT
from app.service.background.mail_queue import DueMail, MailAttempt, make_due_mail, send_mails
from app.service.context import Context
from app.service.database.letter_tables import SUPPLIER_LETTERS
from app.service.database.tables.negotiation import negotiation
from app.service.negotiation.session.negotiation_session import open_session


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

    return send_mails(context, SUPPLIER_LETTERS, due, record)


def _load_due_mail(connection: Connection, now: datetime) -> dict[DueMail, str]:
    """Return the letters that are due, each with the id of its negotiation. Replies go to the buyer."""
    rows = connection.execute(SUPPLIER_LETTERS.select_due(now, negotiation.c.contact_email))
    return {
        make_due_mail(row, row.subject, row.body, reply_to=row.contact_email): row.negotiation_id
        for row in rows
    }
