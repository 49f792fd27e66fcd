"""The history of a scope, a negotiation or an agreement: what the audit log, the comments and the records of
the background say of it, in one order."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.comments import HistoryEntry
from app.contract.page import PageRequest
from app.service.access.audit import read_actor_name
from app.service.access.outcomes import (
    AGREEMENT_RECORDED,
    AGREEMENT_RENEWED,
    PURCHASES_CHANGED,
    STRATEGY_RECALCULATED,
)
from app.service.comments.objects import CommentedObject
from app.service.comments.sentences import tell_alert, tell_change, tell_comment, tell_entry, tell_reading
from app.service.database.tables.agreements import agreement_alert
from app.service.database.tables.comments import comment
from app.service.database.tables.negotiation import entry
from app.service.database.tables.people import audit_entry
from app.service.database.tables.scopes import scope_document
from app.service.database.visibility import owned_by

BACKGROUND_ENTRIES = ("planned", "purchase", "attachment", "mail")
"""Kinds of entries of a negotiation's timeline that no call makes at that moment."""
TOLD_BY_AUDIT = [
    outcome.action
    for outcome in (AGREEMENT_RECORDED, AGREEMENT_RENEWED, PURCHASES_CHANGED, STRATEGY_RECALCULATED)
]
"""What the service did by itself and only the audit log says."""


def load_history(
    connection: Connection, subject: CommentedObject, page: PageRequest
) -> tuple[int, Sequence[HistoryEntry]]:
    """Return how many entries there are, and those of one page, the newest first."""
    parts = [_select_changes(subject), _select_comments(subject), _select_background(subject)]
    every = sa.union_all(*parts).subquery()
    total = connection.scalar(sa.select(sa.func.count()).select_from(every)) or 0
    rows = connection.execute(
        sa.select(every).order_by(every.c.at.desc(), every.c.id.desc()).limit(page.limit).offset(page.offset)
    )
    return total, [_build_entry(row) for row in rows]


def _columns(
    source: str, *, at: Any, key: Any, actor_kind: Any, actor: Any, what: Any, more: Any, detail: Any
) -> Iterator[sa.ColumnElement[Any]]:
    """The columns that every source has: `what` and `more` are its words, `detail` a text of its own."""
    named = {"source": sa.literal(source), "id": key, "actor_kind": actor_kind, "actor": actor}
    yield at.label("at")
    for name, value in {**named, "what": what, "more": more, "detail": detail}.items():
        yield sa.cast(value, sa.Text).label(name)


def _select_changes(subject: CommentedObject) -> sa.Select[*tuple[Any, ...]]:
    """What calls changed. That a comment was written is told by the comment."""
    columns = audit_entry.c
    return sa.select(
        *_columns(
            "change",
            at=columns.at,
            key=columns.id,
            actor_kind=columns.actor_kind,
            actor=read_actor_name(),
            what=columns.action,
            more=columns.summary,
            detail=columns.details,
        )
    ).where(
        owned_by(columns, subject.organisation_id),
        columns.object_id == subject.id,
        columns.action != f"{subject.kind}Comments.create",
        # What the records of the background tell.
        (columns.actor_kind != "service") | columns.action.in_(TOLD_BY_AUDIT),
    )


def _select_comments(subject: CommentedObject) -> sa.Select[*tuple[Any, ...]]:
    columns = comment.c
    return sa.select(
        *_columns(
            "comment",
            at=columns.created_at,
            key=columns.id,
            actor_kind=columns.author_kind,
            actor=columns.author_name,
            what=columns.on_behalf_of,
            more=sa.null(),
            detail=sa.case((columns.deleted_at.is_(None), columns.text)),
        )
    ).where(owned_by(columns, subject.organisation_id), columns.object_id == subject.id)


def _select_background(subject: CommentedObject) -> sa.Select[*tuple[Any, ...]]:
    by_nobody = {"actor_kind": sa.literal("background"), "actor": sa.null()}
    match subject.kind:
        case "scope":
            columns = scope_document.c
            return sa.select(
                *_columns(
                    "reading",
                    at=columns.updated_at,
                    key=columns.scope_id,
                    what=columns.status,
                    more=columns.filename,
                    detail=columns.error,
                    **by_nobody,
                )
            ).where(columns.scope_id == subject.id, columns.status.in_(("completed", "failed")))
        case "negotiation":
            columns = entry.c
            return sa.select(
                *_columns(
                    "entry",
                    at=columns.recorded_at,
                    key=columns.id,
                    what=columns.kind,
                    more=sa.null(),
                    detail=columns.content["text"].as_string(),
                    **by_nobody,
                )
            ).where(columns.negotiation_id == subject.id, columns.kind.in_(BACKGROUND_ENTRIES))
        case "agreement":
            columns = agreement_alert.c
            return sa.select(
                *_columns(
                    "alert",
                    at=columns.sent_at,
                    key=columns.name,
                    what=columns.name,
                    more=sa.null(),
                    detail=sa.null(),
                    **by_nobody,
                )
            ).where(columns.agreement_id == subject.id)


def _build_entry(row: sa.Row[Any]) -> HistoryEntry:
    actor = f"The key “{row.actor}”" if row.actor_kind == "key" else row.actor
    comment_id: str | None = None
    kind = "background" if row.actor_kind == "service" else row.actor_kind
    match row.source:
        case "change":
            text = tell_change(actor, row.what, row.more, json.loads(row.detail).get("fields", ()))
        case "comment":
            on_behalf = f" on behalf of {row.what}" if row.what else ""
            text = tell_comment(actor + on_behalf, row.detail)
            comment_id = row.id if row.detail is not None else None
        case "reading":
            text = tell_reading(row.what, row.more, row.detail)
        case "entry":
            text = tell_entry(row.what, row.detail)
        case _:
            text = tell_alert(row.what)
    return HistoryEntry(at=row.at, actor_kind=kind, actor=row.actor or None, text=text, comment_id=comment_id)
