"""Mail to those whom a comment names and who were made owners.

A row says who is to be told what; the letter is written when it is sent, so none is sent about a comment that
was deleted, or to somebody who is no owner any more."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.approvals import APPROVED_THINGS
from app.contract.comments import CommentedKind, Owner
from app.contract.dates import format_day
from app.contract.money import on_one_line
from app.service.access.caller import Caller
from app.service.background.mail_queue import send_or_drop
from app.service.background.mail_recipients import find_strangers
from app.service.comments.objects import CommentedObject, load_owners, load_title, require_object
from app.service.comments.people import Person, describe_caller, find_own_address, list_reachable
from app.service.context import Context
from app.service.database.letters import NAMING_LETTERS
from app.service.database.rows import count_rows
from app.service.database.tables import approval, comment, letter
from app.service.database.visibility import owned_by
from app.service.http.problems import ApiProblem
from app.service.ids import new_id


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
    letters = [
        {
            "id": new_id(),
            "organisation_id": subject.organisation_id,
            "object_kind": subject.kind,
            "object_id": subject.id,
            "comment_id": comment_id,
            "named_by": named_by,
            "recipient_name": one.name,
            "recipient": one.email,
        }
        for one in people
        if one.email not in strangers
    ]
    if letters and comment_id is not None:
        _require_room(connection, context, organisation_id, len(letters))
    NAMING_LETTERS.queue(connection, letters, context.clock())


def _require_room(connection: Connection, context: Context, organisation_id: str, added: int) -> None:
    today = letter.c.kind == NAMING_LETTERS.name, letter.c.created_at > context.clock() - timedelta(days=1)
    count = count_rows(connection, letter, owned_by(letter.c, organisation_id), *today)
    most = context.settings.max_mails
    if count + added > most:
        raise ApiProblem(
            409,
            f"Your organisation has named people {count:,} times within a day, and may {most:,} times,"
            " as each gets a mail. Name nobody, or try again tomorrow.",
        )


def send_due_naming_mail(context: Context) -> int:
    """Send the letters that are due, and drop those that are out of date; return how many were sent."""
    return send_or_drop(
        context,
        NAMING_LETTERS,
        lambda connection, rows: (_compose(context, connection, row) for row in rows),
    )


def _compose(context: Context, connection: Connection, row: Any) -> tuple[str, str] | None:
    dashboard_url = context.settings.dashboard_url
    if row.object_kind == "approval":
        return _compose_approval(connection, row, f"{dashboard_url}/approvals", context.clock())
    kind: CommentedKind = row.object_kind
    title = load_title(connection, kind, row.object_id)
    address = f"{dashboard_url}/{kind}?id={row.object_id}"
    if row.comment_id is None:
        owners = {one.email.lower() for one in list_reachable(load_owners(connection, kind, row.object_id))}
        if row.recipient.lower() not in owners:
            return None
        return _compose_owner_letter(kind, title, row.recipient_name, row.named_by, address)
    text = connection.scalar(
        sa.select(comment.c.text).where(comment.c.id == row.comment_id, comment.c.deleted_at.is_(None))
    )
    if text is None:
        return None
    return _compose_comment_letter(kind, title, row.recipient_name, row.named_by, text, address)


def _compose_approval(
    connection: Connection, row: Any, address: str, now: datetime
) -> tuple[str, str] | None:
    waits = approval.c.id == row.object_id, approval.c.status == "waiting", approval.c.expires_at > now
    found = connection.execute(sa.select(approval.c.kind, approval.c.expires_at).where(*waits)).first()
    if found is None:
        return None
    return _compose_approval_letter(found.kind, row.recipient_name, found.expires_at, address)


_NAMES: Mapping[CommentedKind, str] = {
    "scope": "a scope",
    "negotiation": "a negotiation",
    "agreement": "an agreement",
}


def _compose_comment_letter(
    kind: CommentedKind, title: str, reader: str, author: str, text: str, address: str
) -> tuple[str, str]:
    """Return the subject and the text of a letter to somebody whom a comment names."""
    title, author = on_one_line(title), on_one_line(author)
    quoted = "\n".join(f"> {line}".rstrip() for line in text.splitlines())
    return "You are named in a comment", "\n\n".join(
        (
            f"Dear {on_one_line(reader)},",
            f"{author} named you in a comment on the {kind} “{title}”:",
            quoted,
            f"The {kind}, and the form to answer:\n{address}",
            "You get this mail because the comment names you. Answers to this mail are read by nobody.",
        )
    )


def _compose_owner_letter(
    kind: CommentedKind, title: str, reader: str, author: str, address: str
) -> tuple[str, str]:
    """Return the subject and the text of a letter to somebody who was made an owner."""
    title, author = on_one_line(title), on_one_line(author)
    return f"You are an owner of {_NAMES[kind]} now", "\n\n".join(
        (
            f"Dear {on_one_line(reader)},",
            f"{author} named you as an owner of the {kind} “{title}”.",
            f"The {kind}:\n{address}",
            f"You get this mail once. Owners are changed on the page of the {kind}.",
        )
    )


def _compose_approval_letter(kind: str, reader: str, until: datetime, address: str) -> tuple[str, str]:
    """Return the subject and the text of a letter to somebody who may approve what another asked for."""
    return "Something waits for your approval", "\n\n".join(
        (
            f"Dear {on_one_line(reader)},",
            f"{APPROVED_THINGS[kind]} waits for another person than who asked for it, until"
            f" {format_day(until.date())}. You may approve or refuse it:\n{address}",
            "You get this mail because your role lets you approve it. Whoever is first decides.",
        )
    )


def tell_new_owners(
    connection: Connection,
    context: Context,
    caller: Caller,
    kind: CommentedKind,
    object_id: str,
    *,
    before: Sequence[Owner] | None,
    after: Sequence[Owner] | None,
) -> None:
    """Note a letter to each owner with an address who was none before and is not the caller."""
    known = {one.email.lower() for one in before or () if one.email}
    new = {one.email.lower(): Person(one.name, one.email) for one in after or () if one.email}
    own = find_own_address(connection, caller)
    people = [person for address, person in new.items() if address not in {*known, own}]
    if not people:
        return
    subject = require_object(connection, caller.organisation_id, kind, object_id, to_change=False)
    named_by = describe_caller(connection, caller)
    queue_naming_mails(connection, context, subject, people, named_by=named_by)
