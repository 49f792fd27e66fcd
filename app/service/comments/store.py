"""Store and load comments."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.access import has_role
from app.contract.comments import Comment, NamedPerson
from app.contract.page import PageRequest
from app.service.access.caller import Caller
from app.service.access.people import read_caller_name
from app.service.comments.naming_mail import queue_naming_mails
from app.service.comments.objects import CommentedObject
from app.service.comments.people import (
    Person,
    RefusedName,
    describe_caller,
    find_named,
    find_own_address,
    load_people,
)
from app.service.context import Context
from app.service.database.rows import count_rows, read_page
from app.service.database.tables import comment
from app.service.database.visibility import owned_by
from app.service.http.problems import ApiProblem, bad_request, require
from app.service.ids import new_id

MAX_COMMENTS = 1_000
"""Of one object, deleted ones not counted."""


def load_comments(
    connection: Connection, subject: CommentedObject, caller: Caller, page: PageRequest
) -> tuple[int, Sequence[Comment]]:
    """Return how many comments there are, and those of one page, the newest first."""
    present = _of(subject), comment.c.deleted_at.is_(None)
    newest_first = comment.c.created_at.desc(), comment.c.id.desc()
    total, rows = read_page(connection, sa.select(comment).where(*present).order_by(*newest_first), page)
    return total, [_build_comment(row, caller) for row in rows]


def add_comment(
    connection: Connection, context: Context, subject: CommentedObject, caller: Caller, text: str
) -> Comment:
    """Write a comment, and note a letter to each whom it names but the caller. Raises ApiProblem 400 where it
    names somebody who cannot be named, and 409 where the object has as many as it may have."""
    named = _find_named(connection, subject, text)
    present = _of(subject), comment.c.deleted_at.is_(None)
    count = count_rows(connection, comment, *present)
    if count >= MAX_COMMENTS:
        raise ApiProblem(
            409,
            f"The {subject.kind} has {MAX_COMMENTS:,} comments, as many as it may have. Delete one that"
            " nobody needs any more.",
        )
    author = read_caller_name(connection, caller)
    comment_id = new_id()
    connection.execute(
        comment.insert().values(
            id=comment_id,
            organisation_id=subject.organisation_id,
            object_kind=subject.kind,
            object_id=subject.id,
            author_kind="person" if caller.user_id else "key",
            author_id=caller.key_id,
            author_name=author,
            on_behalf_of=caller.end_user.named,
            text=text,
            named=[asdict(one) for one in named] or None,
            created_at=context.clock(),
        )
    )
    own = find_own_address(connection, caller)
    queue_naming_mails(
        connection,
        context,
        subject,
        [one for one in named if one.email.lower() != own],
        named_by=describe_caller(connection, caller),
        comment_id=comment_id,
    )
    return _build_comment(
        connection.execute(sa.select(comment).where(comment.c.id == comment_id)).one(), caller
    )


def delete_comment(
    connection: Connection, subject: CommentedObject, caller: Caller, comment_id: str, now: datetime
) -> None:
    """Delete a comment with its text. Raises ApiProblem 404 where there is none of that id, and 403 for a
    caller who neither wrote it nor is an admin."""
    this = _of(subject), comment.c.id == comment_id, comment.c.deleted_at.is_(None)
    row = require(connection.execute(sa.select(comment).where(*this)).one_or_none(), "comment")
    if not _may_delete(row, caller):
        raise ApiProblem(403, f"Only its author, {row.author_name}, or an admin may delete this comment.")
    connection.execute(comment.update().where(*this).values(text="", named=None, deleted_at=now))


def _find_named(connection: Connection, subject: CommentedObject, text: str) -> Sequence[Person]:
    if "@" not in text:
        return ()
    try:
        return find_named(text, load_people(connection, subject.organisation_id))
    except RefusedName as refusal:
        raise bad_request("/text", str(refusal)) from None


def _of(subject: CommentedObject) -> sa.ColumnElement[bool]:
    return sa.and_(owned_by(comment.c, subject.organisation_id), comment.c.object_id == subject.id)


def _may_delete(row: sa.Row[Any], caller: Caller) -> bool:
    is_author = row.author_id == caller.key_id and has_role(caller.role, "buyer")
    return is_author or has_role(caller.role, "admin")


def _build_comment(row: sa.Row[Any], caller: Caller) -> Comment:
    return Comment.build_from(
        row,
        author=row.author_name,
        may_delete=_may_delete(row, caller),
        named=[NamedPerson(**one) for one in row.named or ()],
    )
