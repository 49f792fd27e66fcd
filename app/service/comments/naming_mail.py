"""Mail to those whom a comment names and who were made owners.

A row says who is to be told what; the letter is written when it is sent, so none is sent about a comment that
was deleted, or to somebody who is no owner any more."""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.comments import CommentedKind
from app.service.background.mail_limits import find_strangers
from app.service.background.mail_queue import DueMail, count_turns, send_or_drop
from app.service.comments.naming import Person
from app.service.comments.naming_letter import (
    compose_approval_letter,
    compose_comment_letter,
    compose_owner_letter,
)
from app.service.comments.objects import CommentedObject, load_owners, load_title
from app.service.comments.people import list_reachable
from app.service.context import Context
from app.service.database.tables.approvals import approval
from app.service.database.tables.comments import comment, naming_mail
from app.service.database.visibility import owned_by
from app.service.http.problems import ApiProblem
from app.service.ids import new_id

RETRY_DELAYS = (timedelta(seconds=30), timedelta(minutes=5), *[timedelta(hours=1)] * 7 * 24)
"""A mail server may be away for a week."""
BATCH_SIZE = 100


def queue_naming_mails(
    connection: Connection,
    context: Context,
    subject: CommentedObject,
    people: Iterable[Person],
    *,
    named_by: str,
    comment_id: str | None = None,
) -> None:
    """Note a letter to each of the people, where there is a mail server; a sample record causes none. Where
    the organisation has had as many letters within a day as it may, or one of the people is a stranger,
    raises ApiProblem 409 for a comment; letters to new owners wait, and strangers get none."""
    if context.settings.smtp_url is None or subject.sample:
        return
    people, organisation_id = [*people], subject.organisation_id
    strangers = find_strangers(connection, context.settings, organisation_id, [one.email for one in people])
    if strangers and comment_id is not None:
        raise ApiProblem(
            409,
            f"No mail goes to {', '.join(sorted(strangers))}: only to members of your organisation and to the"
            " domains that the operator allows (PARLEY_MAIL_DOMAINS). Write their names without @.",
        )
    now = context.clock()
    rows = [
        {
            "id": new_id(),
            "organisation_id": subject.organisation_id,
            "object_kind": subject.kind,
            "object_id": subject.id,
            "comment_id": comment_id,
            "named_by": named_by,
            "recipient_name": one.name,
            "status": "queued",
            "recipient": one.email,
            "attempts": 0,
            "next_at": now,
            "created_at": now,
        }
        for one in people
        if one.email not in strangers
    ]
    if not rows:
        return
    if comment_id is not None:
        _require_room(connection, context, organisation_id, len(rows))
    connection.execute(naming_mail.insert(), rows)


def _require_room(connection: Connection, context: Context, organisation_id: str, added: int) -> None:
    today = naming_mail.c.created_at > context.clock() - timedelta(days=1)
    query = sa.select(sa.func.count()).where(owned_by(naming_mail.c, organisation_id), today)
    count, most = connection.scalar(query) or 0, context.settings.max_mails
    if count + added > most:
        raise ApiProblem(
            409,
            f"Your organisation has named people {count:,} times within a day, and may {most:,} times,"
            " as each gets a mail. Name nobody, or try again tomorrow.",
        )


def send_due_naming_mail(context: Context) -> int:
    """Send the letters that are due, and drop those that are out of date; return how many were sent."""
    with context.database.reading() as connection:
        due = dict(_load_due_mail(connection, context))
    return send_or_drop(context, naming_mail, due, retry_delays=RETRY_DELAYS)


def _load_due_mail(connection: Connection, context: Context) -> Iterator[tuple[str, DueMail | None]]:
    """Yield the ids of the letters that are due, with the letter, or None where it is out of date."""
    rows = connection.execute(
        sa.select(naming_mail)
        .where(naming_mail.c.next_at <= context.clock())
        .order_by(count_turns(naming_mail, naming_mail.c.organisation_id), naming_mail.c.next_at)
        .limit(BATCH_SIZE)
    ).all()
    for row in rows:
        letter = _compose(connection, row, context.settings.dashboard_url)
        if letter is None:
            yield row.id, None
        else:
            sent = row.attempts, row.created_at, row.organisation_id
            yield row.id, DueMail(row.id, row.recipient, *letter, *sent, automatic=True)


def _compose(connection: Connection, row: Any, dashboard_url: str) -> tuple[str, str] | None:
    if row.object_kind == "approval":
        return _compose_approval(connection, row, dashboard_url)
    kind: CommentedKind = row.object_kind
    title = load_title(connection, kind, row.object_id)
    address = f"{dashboard_url}/{kind}?id={row.object_id}"
    if row.comment_id is None:
        owners = {one.email.lower() for one in list_reachable(load_owners(connection, kind, row.object_id))}
        if row.recipient.lower() not in owners:
            return None
        return compose_owner_letter(kind, title, row.recipient_name, row.named_by, address)
    text = connection.scalar(
        sa.select(comment.c.text).where(comment.c.id == row.comment_id, comment.c.deleted_at.is_(None))
    )
    if text is None:
        return None
    return compose_comment_letter(kind, title, row.recipient_name, row.named_by, text, address)


def _compose_approval(connection: Connection, row: Any, dashboard_url: str) -> tuple[str, str] | None:
    waits = approval.c.id == row.object_id, approval.c.status == "waiting"
    found = connection.execute(sa.select(approval.c.kind, approval.c.expires_at).where(*waits)).first()
    if found is None:
        return None
    address = f"{dashboard_url}/approvals"
    return compose_approval_letter(found.kind, row.recipient_name, found.expires_at, address)
