"""Sends letters through the mail server of the settings.

Each letter is claimed right before it is sent, so that two workers do not send it both. When a worker stops
in between, the claim runs out and the letter is sent again under the same Message-ID, by which mail systems
recognise a repeat. What an attempt came to is recorded only by the worker that still has the claim."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.policy import Policy
from email.utils import format_datetime
from typing import Any
from urllib.parse import unquote, urlsplit

import aiosmtplib
import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.background.mail_recipients import (
    UNSUBSCRIBING,
    MailRoom,
    ensure_token,
    find_mail_room,
    find_refusing,
    find_strangers,
)
from app.service.context import Context
from app.service.database.letters import LetterKind
from app.service.database.tables import letter
from app.settings import Settings

logger = logging.getLogger("parley.mail")

CLAIM_TIME = timedelta(minutes=5)
LATER = timedelta(hours=1)
"""How long a letter waits that there was no room for today."""
TIMEOUT_SECONDS = 30.0
PORTS = {"smtp": 587, "smtps": 465}
PERMANENT = 500
"""Replies of mail servers from this code on are final (RFC 5321)."""
WITHDRAWN = "It went out of date while it was being sent. It may have left, and is not tried again."


class _UnsubscribeHeader(str):
    """The address by which letters are ended, on one line: folded, Python would encode it, and no mail
    program would find it (RFC 2369)."""

    name = "List-Unsubscribe"

    def fold(self, *, policy: Policy) -> str:
        return f"{self.name}: {self}{policy.linesep}"


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
    """A letter whose time to be sent has come. `attempts` were made before; replies go to `reply_to`, else to
    the sender. `automatic` mail asks for no automatic reply (RFC 3834). At `unsubscribe_url` its recipient
    ends such mail, the mail program by itself (RFC 8058)."""

    id: str
    recipient: str
    subject: str
    body: str
    attempts: int
    created_at: datetime
    organisation_id: str
    reply_to: str | None = None
    automatic: bool = False
    unsubscribe_url: str | None = None


def make_due_mail(
    row: Any, subject: str, body: str, *, reply_to: str | None = None, automatic: bool = False
) -> DueMail:
    """Make a letter of a row of `LetterKind.select_due`."""
    sent = row.attempts, row.created_at, row.organisation_id
    return DueMail(row.id, row.recipient, subject, body, *sent, reply_to, automatic)


@dataclass(frozen=True, slots=True)
class MailAttempt:
    """What an attempt at a letter came to: sent, to be tried again at `next_at`, or failed for good."""

    mail: DueMail
    error: str | None
    next_at: datetime | None
    ended_at: datetime

    @property
    def is_last(self) -> bool:
        return self.next_at is None

    def save(self, connection: Connection) -> bool:
        """Record it; False when another worker has the claim by now, or the letter was withdrawn meanwhile
        and not sent."""
        columns = letter.c
        # One that was withdrawn and has left nevertheless is on record as sent.
        expected = ("sending", "failed") if self.error is None else ("sending",)
        saved = connection.execute(
            letter.update()
            .where(
                columns.id == self.mail.id,
                columns.status.in_(expected),
                columns.attempts == self.mail.attempts + 1,
            )
            .values(
                status="sent" if self.error is None else "failed" if self.is_last else "queued",
                next_at=self.next_at,
                error=self.error,
                sent_at=self.ended_at if self.error is None else None,
            )
        )
        return saved.rowcount == 1


def withdraw_mails(connection: Connection, outdated: sa.ColumnElement[bool]) -> None:
    """Withdraw the letters that are out of date: those that wait are deleted, those under way are not tried
    again."""
    connection.execute(letter.delete().where(outdated, letter.c.status.in_(("draft", "queued"))))
    # After those that wait, so that none is missed whose attempt begins in between.
    connection.execute(
        letter.update()
        .where(outdated, letter.c.status == "sending")
        .values(status="failed", next_at=None, error=WITHDRAWN)
    )


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


def send_mails(
    context: Context, kind: LetterKind, due: Iterable[DueMail], record: Callable[[MailAttempt], None]
) -> int:
    """Send letters of a kind, as many of an organisation as may leave within a day; return how many were
    sent. The others wait for an hour. A letter that fails once more after the last of the kind's delays, or
    whose recipient the server refuses for good, is not tried again. `record` saves each attempt."""
    if context.settings.smtp_url is None:
        return 0
    server = parse_mail_server(context.settings.smtp_url.get_secret_value())
    sent = 0
    for mail in _hold_back(context, due):
        if _claim(context, mail):
            attempt = _attempt(context, server, kind, mail)
            record(attempt)
            sent += attempt.error is None
    return sent


def send_or_drop(
    context: Context,
    kind: LetterKind,
    compose: Callable[[Connection, Sequence[Any]], Iterator[tuple[str, str] | None]],
) -> int:
    """Send the letters of a kind that are due, and drop those that are out of date, those to strangers and
    those to people who want none. Return how many were sent.

    `compose` yields for each of the rows the subject and the text of its letter as they are true now, or None
    where it is out of date."""
    with context.database.reading() as connection:
        rows = connection.execute(kind.select_due(context.clock())).all()
        written = list(compose(connection, rows))
    due = [
        make_due_mail(row, *text, automatic=True)
        for row, text in zip(rows, written, strict=True)
        if text is not None
    ]
    wanted = {one.id for one in due} - _find_unwanted(context, due)
    outdated = {row.id for row in rows} - wanted
    if outdated:
        with context.database.writing() as connection:
            connection.execute(
                letter.update()
                .where(letter.c.id.in_(outdated), letter.c.next_at <= context.clock())
                .values(status="outdated", next_at=None)
            )

    def record(attempt: MailAttempt) -> None:
        with context.database.writing() as connection:
            attempt.save(connection)

    return send_mails(context, kind, [_add_link(context, one) for one in due if one.id in wanted], record)


def _add_link(context: Context, mail: DueMail) -> DueMail:
    """The letter with the link by which its recipient ends such letters."""
    with context.database.writing() as connection:
        token = ensure_token(connection, mail.organisation_id, mail.recipient)
    url = f"{context.settings.public_url}{UNSUBSCRIBING}?token={token}"
    return replace(mail, unsubscribe_url=url, body=f"{mail.body}\nTo get no more mail like this: {url}\n")


def _find_unwanted(context: Context, letters: Sequence[DueMail]) -> set[str]:
    """Return the ids of the letters to strangers, and to those who want none."""
    recipients: dict[str, set[str]] = {}
    for one in letters:
        recipients.setdefault(one.organisation_id, set()).add(one.recipient)
    with context.database.reading() as connection:
        strangers = {
            id: find_strangers(connection, context.settings, id, addresses)
            for id, addresses in recipients.items()
        }
        refusing = {id: find_refusing(connection, id, addresses) for id, addresses in recipients.items()}
    unknown = {one.id for one in letters if one.recipient in strangers[one.organisation_id]}
    if unknown:
        logger.warning(
            "%d letters are not sent: to no members, and to no domain of PARLEY_MAIL_DOMAINS",
            len(unknown),
        )
    return unknown | {one.id for one in letters if one.recipient.lower() in refusing[one.organisation_id]}


def _hold_back(context: Context, due: Iterable[DueMail]) -> Iterator[DueMail]:
    """Yield the letters that there is room for; the others wait."""
    rooms: dict[str, MailRoom] = {}
    now = context.clock()
    later: list[str] = []
    for one in due:
        if one.organisation_id not in rooms:
            with context.database.reading() as connection:
                rooms[one.organisation_id] = find_mail_room(
                    connection, context.settings, one.organisation_id, now
                )
        if rooms[one.organisation_id].take(one.recipient):
            yield one
        else:
            later.append(one.id)
    if later:
        logger.warning("%d letters wait: their organisations sent as many today as they may", len(later))
        with context.database.writing() as connection:
            connection.execute(
                letter.update()
                .where(letter.c.id.in_(later), letter.c.next_at <= now)
                .values(next_at=now + LATER)
            )


def _claim(context: Context, mail: DueMail) -> bool:
    """Begin the next attempt at a letter; False when another worker began one, or there is nothing to send
    any more."""
    now = context.clock()
    with context.database.writing() as connection:
        begun = connection.execute(
            letter.update()
            .where(
                letter.c.id == mail.id,
                letter.c.status.in_(("queued", "sending")),
                letter.c.attempts == mail.attempts,
                letter.c.next_at <= now,
            )
            .values(status="sending", attempts=mail.attempts + 1, next_at=now + CLAIM_TIME)
        )
    return begun.rowcount == 1


def _attempt(context: Context, server: MailServer, kind: LetterKind, mail: DueMail) -> MailAttempt:
    error: str | None = None
    may_retry = mail.attempts < len(kind.retry_delays)
    try:
        asyncio.run(_send(server, compose_message(mail, context.settings)))
    except (aiosmtplib.SMTPException, OSError, ValueError) as failure:
        error = f"{type(failure).__name__}: {failure}"
        may_retry = may_retry and not _is_permanent(failure)
        # What a mail server says may name the recipient: it is on the letter's row, and not in the log.
        code = f" {failure.code}" if isinstance(failure, aiosmtplib.SMTPResponseException) else ""
        logger.warning("mail %s was not sent: %s%s", mail.id, type(failure).__name__, code)
    now = context.clock()
    next_at = now + kind.retry_delays[mail.attempts] if error is not None and may_retry else None
    return MailAttempt(mail, error, next_at, now)


def _is_permanent(failure: Exception) -> bool:
    """Whether the server said that there is no such recipient."""
    return isinstance(failure, aiosmtplib.SMTPRecipientsRefused) and all(
        refused.code >= PERMANENT for refused in failure.recipients
    )


def compose_message(mail: DueMail, settings: Settings) -> EmailMessage:
    """Compose the mail. Its Message-ID follows from the id of the row, so that a repeat is recognised."""
    message = EmailMessage()
    message["From"] = settings.mail_from
    message["To"] = mail.recipient
    if mail.reply_to is not None:
        message["Reply-To"] = mail.reply_to
    if mail.automatic:
        message["Auto-Submitted"] = "auto-generated"
    if mail.unsubscribe_url is not None:
        message["List-Unsubscribe"] = _UnsubscribeHeader(f"<{mail.unsubscribe_url}>")
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message["Subject"] = mail.subject
    message["Date"] = format_datetime(mail.created_at)
    message["Message-ID"] = f"<{mail.id}@{settings.mail_from.rpartition('@')[2].strip('> ') or 'localhost'}>"
    message.set_content(mail.body)
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
