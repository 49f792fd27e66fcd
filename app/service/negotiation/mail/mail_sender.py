"""Sends queued letters through the mail server of the settings.

Each letter is claimed right before it is sent, so that two workers do not send it both. When a worker stops
in between, the claim runs out and the letter is sent again under the same Message-ID, by which mail systems
recognise a repeat. What an attempt came to is recorded only by the worker that still has the claim."""

import asyncio
import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from urllib.parse import unquote, urlsplit

import aiosmtplib
import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.context import Context
from app.service.database.tables.negotiation import mail, negotiation
from app.service.negotiation.session.negotiation_session import open_session
from app.settings import Settings

logger = logging.getLogger("parley.negotiation")

RETRY_DELAYS = (timedelta(seconds=30), timedelta(minutes=5), timedelta(hours=1), timedelta(hours=6))
"""How long to wait after each failure; a letter that fails once more is not tried again."""
CLAIM_TIME = timedelta(minutes=5)
TIMEOUT_SECONDS = 30.0
BATCH_SIZE = 20
PORTS = {"smtp": 587, "smtps": 465}


class InvalidMailServer(Exception):
    """The setting `smtp_url` is not the address of a mail server."""


@dataclass(frozen=True, slots=True)
class MailServer:
    """`smtp://user:password@host:port` uses STARTTLS where the server offers it, `smtps://` TLS from the
    start."""

    host: str
    port: int
    user: str | None
    password: str | None
    tls: bool

    def __repr__(self) -> str:
        return f"MailServer({self.host}:{self.port})"


@dataclass(frozen=True, slots=True)
class DueMail:
    """A letter whose time to be sent has come; replies go to `contact_email`. `attempts` were made before."""

    id: str
    negotiation_id: str
    recipient: str
    subject: str
    body: str
    attempts: int
    created_at: datetime
    contact_email: str


def parse_mail_server(url: str) -> MailServer:
    """Parse the address of a mail server. Raises InvalidMailServer."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise InvalidMailServer("the port of the mail server is none") from None
    if parts.scheme not in PORTS or not parts.hostname:
        raise InvalidMailServer("the mail server is smtp://host:port or smtps://host:port")
    return MailServer(
        host=parts.hostname,
        port=port or PORTS[parts.scheme],
        user=unquote(parts.username) if parts.username else None,
        password=unquote(parts.password) if parts.password else None,
        tls=parts.scheme == "smtps",
    )


def send_due_mail(context: Context) -> int:
    """Send the letters that are due; return how many were sent. The worker calls it together with the
    timers."""
    if context.settings.smtp_url is None:
        return 0
    server = parse_mail_server(context.settings.smtp_url.get_secret_value())
    now = context.clock()
    with context.database.reading() as connection:
        due = _load_due_mail(connection, now)
    return sum(_claim(context, row) and _deliver(context, server, row) for row in due)


def _load_due_mail(connection: Connection, now: datetime) -> list[DueMail]:
    rows = connection.execute(
        sa.select(mail, negotiation.c.contact_email)
        .join(negotiation, negotiation.c.id == mail.c.negotiation_id)
        .where(mail.c.next_at <= now)
        .order_by(mail.c.next_at)
        .limit(BATCH_SIZE)
    ).mappings()
    return [DueMail(**{name: row[name] for name in DueMail.__annotations__}) for row in rows]


def _claim(context: Context, row: DueMail) -> bool:
    """Begin the next attempt at a letter; False when another worker began one, or there is nothing to send
    any more."""
    now = context.clock()
    with context.database.writing() as connection:
        begun = connection.execute(
            mail.update()
            .where(mail.c.id == row.id, mail.c.attempts == row.attempts, mail.c.next_at <= now)
            .values(status="sending", attempts=row.attempts + 1, next_at=now + CLAIM_TIME)
        )
    return begun.rowcount == 1


def _deliver(context: Context, server: MailServer, row: DueMail) -> bool:
    """Send one letter, or schedule another attempt, or fail it; the result is recorded in each case."""
    error: str | None = None
    try:
        asyncio.run(_send(server, compose_message(row, context.settings)))
    except (aiosmtplib.SMTPException, OSError, TimeoutError, ValueError) as failure:
        error = f"{type(failure).__name__}: {failure}"
    now = context.clock()
    attempts = row.attempts + 1
    has_failed = error is not None and attempts > len(RETRY_DELAYS)
    if error is None:
        values = {"status": "sent", "sent_at": now, "next_at": None, "error": None}
    elif has_failed:
        values = {"status": "failed", "next_at": None, "error": error}
    else:
        values = {"status": "queued", "next_at": now + RETRY_DELAYS[attempts - 1], "error": error}
    with (
        context.database.writing() as connection,
        open_session(context, connection, row.negotiation_id, now) as session,
    ):
        mine = (mail.c.id == row.id, mail.c.status == "sending", mail.c.attempts == attempts)
        recorded = connection.execute(mail.update().where(*mine).values(**values)).rowcount
        if recorded and session is not None and (error is None or has_failed):
            how = "was sent" if error is None else f"could not be sent: {error}"
            session.add_entry("mail", {"mailId": row.id, "text": f"“{row.subject}” {how}."})
    if error is not None:
        logger.warning("mail %s was not sent: %s", row.id, error)
    return error is None


def compose_message(row: DueMail, settings: Settings) -> EmailMessage:
    """Compose the mail. Its Message-ID follows from the id of the row, so that a repeat is recognised."""
    message = EmailMessage()
    message["From"] = settings.mail_from
    message["To"] = row.recipient
    message["Reply-To"] = row.contact_email
    message["Subject"] = row.subject
    message["Date"] = format_datetime(row.created_at)
    message["Message-ID"] = f"<{row.id}@{settings.mail_from.rpartition('@')[2].strip('> ') or 'localhost'}>"
    message.set_content(row.body)
    return message


async def _send(server: MailServer, message: EmailMessage) -> None:
    await aiosmtplib.send(
        message,
        hostname=server.host,
        port=server.port,
        username=server.user,
        password=server.password,
        use_tls=server.tls,
        timeout=TIMEOUT_SECONDS,
    )
