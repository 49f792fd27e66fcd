"""The history of a scope, a negotiation or an agreement: what the audit log, the comments and the records of
the background say of it, in one order."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.comments import HistoryEntry
from app.contract.dates import format_day
from app.contract.money import join_words
from app.contract.page import PageRequest
from app.service.access.audit import (
    AGREEMENT_RECORDED,
    AGREEMENT_RENEWED,
    PURCHASES_CHANGED,
    STRATEGY_RECALCULATED,
    read_actor_name,
)
from app.service.catalog.names import shorten
from app.service.comments.objects import CommentedObject
from app.service.database.rows import count_rows
from app.service.database.tables import agreement_alert, audit_entry, comment, entry, scope_document
from app.service.database.visibility import owned_by

BACKGROUND_ENTRIES = ("planned", "purchase", "attachment", "mail")
"""Kinds of entries of a negotiation's timeline that the background makes."""
TOLD_BY_AUDIT = [
    outcome.action
    for outcome in (AGREEMENT_RECORDED, AGREEMENT_RENEWED, PURCHASES_CHANGED, STRATEGY_RECALCULATED)
]
"""What the service did by itself and only the audit log says."""


@dataclass(frozen=True, slots=True)
class _Source:
    """Where entries come from: a query of them with `at` and `key`, by which they are ordered, and what tells
    one of its rows."""

    query: sa.Select[*tuple[Any, ...]]
    tell: Callable[[Any], HistoryEntry]


def load_history(
    connection: Connection, subject: CommentedObject, page: PageRequest
) -> tuple[int, Sequence[HistoryEntry]]:
    """Return how many entries there are, and those of one page, the newest first."""
    total = 0
    newest: list[tuple[Any, Callable[[Any], HistoryEntry]]] = []
    for source in (_find_changes(subject), _find_comments(subject), _find_background(subject)):
        rows = source.query.subquery()
        total += count_rows(connection, rows)
        latest = sa.select(rows).order_by(rows.c.at.desc(), rows.c.key.desc()).limit(page.end)
        newest += [(row, source.tell) for row in connection.execute(latest)]
    newest.sort(key=lambda found: (found[0].at, found[0].key), reverse=True)
    return total, [tell(row) for row, tell in newest[page.offset : page.end]]


def _find_changes(subject: CommentedObject) -> _Source:
    """What calls changed. That a comment was written is told by the comment."""
    columns = audit_entry.c
    query = sa.select(
        columns.at,
        columns.id.label("key"),
        columns.actor_kind,
        read_actor_name().label("actor"),
        columns.action,
        columns.summary,
        columns.details,
    ).where(
        owned_by(columns, subject.organisation_id),
        columns.object_id == subject.id,
        columns.action != f"{subject.kind}Comments.create",
        # What the records of the background tell.
        (columns.actor_kind != "service") | columns.action.in_(TOLD_BY_AUDIT),
    )

    def tell(row: Any) -> HistoryEntry:
        text = _tell_change(_name(row), row.action, row.summary, row.details.get("fields", ()))
        kind = "background" if row.actor_kind == "service" else row.actor_kind
        return HistoryEntry(
            at=row.at, actor_kind=kind, actor=row.actor or None, text=text, operation=row.action
        )

    return _Source(query, tell)


def _find_comments(subject: CommentedObject) -> _Source:
    columns = comment.c
    query = sa.select(
        columns.created_at.label("at"),
        columns.id.label("key"),
        columns.author_kind.label("actor_kind"),
        columns.author_name.label("actor"),
        columns.on_behalf_of,
        columns.text,
        columns.deleted_at,
    ).where(owned_by(columns, subject.organisation_id), columns.object_id == subject.id)

    def tell(row: Any) -> HistoryEntry:
        on_behalf = f" on behalf of {row.on_behalf_of}" if row.on_behalf_of else ""
        is_deleted = row.deleted_at is not None
        return HistoryEntry(
            at=row.at,
            actor_kind=row.actor_kind,
            actor=row.actor or None,
            text=_tell_comment(_name(row) + on_behalf, None if is_deleted else row.text),
            comment_id=None if is_deleted else row.key,
        )

    return _Source(query, tell)


def _find_background(subject: CommentedObject) -> _Source:
    match subject.kind:
        case "scope":
            columns = scope_document.c
            query = sa.select(
                columns.updated_at.label("at"),
                columns.scope_id.label("key"),
                columns.status,
                columns.filename,
                columns.error,
            ).where(columns.scope_id == subject.id, columns.status.in_(("completed", "failed")))
            return _Source(query, _by_nobody(lambda row: _tell_reading(row.status, row.filename, row.error)))
        case "negotiation":
            columns = entry.c
            query = sa.select(
                columns.recorded_at.label("at"),
                columns.id.label("key"),
                columns.kind,
                columns.content["text"].as_string().label("text"),
            ).where(
                columns.negotiation_id == subject.id,
                columns.kind.in_(BACKGROUND_ENTRIES),
                columns.content["byHand"].as_string().is_(None),  # a call, which the audit log tells
            )
            return _Source(query, _by_nobody(lambda row: _tell_entry(row.kind, row.text)))
        case "agreement":
            columns = agreement_alert.c
            query = sa.select(columns.sent_at.label("at"), columns.name.label("key")).where(
                columns.agreement_id == subject.id
            )
            return _Source(query, _by_nobody(lambda row: _tell_alert(row.key)))


def _by_nobody(tell: Callable[[Any], str]) -> Callable[[Any], HistoryEntry]:
    return lambda row: HistoryEntry(at=row.at, actor_kind="background", text=tell(row))


def _name(row: Any) -> str:
    return f"The key “{row.actor}”" if row.actor_kind == "key" else row.actor


DONE = {
    "scopes.create": "made this scope by hand",
    "scopes.createFromDocument": "made this scope from a document",
    "scopes.update": "changed",
    "scopeDocuments.confirm": "confirmed the document; that made a follow-up scope",
    "listPrices.take": "changed which prices of this list are list prices of the catalog",
    "negotiations.start": "started this negotiation",
    "negotiations.update": "changed",
    "updates.create": "reported an update of this negotiation",
    "attachments.create": "attached a file",
    "strategies.recalculate": "calculated the strategy again",
    "mails.markSent": "marked a letter as sent",
    "agreements.create": "put this agreement on record",
    "agreements.createFromDocument": "put this agreement on record from a confirmed document",
    "agreements.update": "changed",
    "agreementDecisions.create": "decided what becomes of this agreement",
    "agreementRenewals.create": "started the renewal",
    "agreementPurchases.decide": "decided whether a purchase is that of a line",
    "service.recordAgreement": "put this agreement on record when its price was agreed",
    "service.renewAgreement": "noted that this agreement was renewed by negotiation",
    "service.recordPurchases": "brought the purchases of this agreement up to date with its lines",
    "service.recalculateStrategy": "calculated the strategy again after an offer was corrected",
    "scopeComments.delete": "deleted a comment",
    "negotiationComments.delete": "deleted a comment",
    "agreementComments.delete": "deleted a comment",
}
"""What who calls an operation has done. Where it is `changed`, the names of the fields follow."""

_MAX_QUOTED = 200


def _tell_change(actor: str, action: str, summary: str, fields: Sequence[str]) -> str:
    """Tell of an entry of the audit log. A newer version may have written one of an action that this one does
    not know: its own summary says what it is."""
    done = DONE.get(action)
    if done is None:
        return f"{actor}: {summary}."
    if done == "changed":
        done = f"changed {join_words([_say_field(name) for name in fields])}" if fields else "changed nothing"
    return f"{actor} {done}."


def _tell_comment(actor: str, text: str | None) -> str:
    """Tell of a comment; its text is None once it was deleted."""
    if text is None:
        return f"{actor} wrote a comment that was deleted later."
    return f"{actor} commented: “{shorten(' '.join(text.split()), _MAX_QUOTED)}”"


def _tell_reading(status: str, filename: str, error: str | None) -> str:
    """Tell how the reading of a scope's document ended."""
    if status == "completed":
        return f"Parley read the document “{filename}” in the background."
    return f"Parley could not read the document “{filename}” in the background. {error or ''}".strip()


def _tell_entry(kind: str, text: str | None) -> str:
    """Tell of an entry of a negotiation's timeline that the background made."""
    if text is None:
        return "Parley made the strategy in the background."
    known = {
        "planned": "Parley tried to make the strategy in the background",
        "purchase": "Parley recorded the agreed price in the background",
        "attachment": "Parley read an attached file in the background",
    }
    return f"{known.get(kind, 'Parley worked on the letters in the background')}: {text}"


def _tell_alert(name: str) -> str:
    """Tell of a date of an agreement that was reported; `name` is the event with its day."""
    event, _, day = name.partition(" ")
    known = {
        "ended": "its end on",
        "renewed": "its renewal on",
        "missed": "the missed deadline of",
        "approaching": "the coming date",  # the end of a term, where no deadline is known
    }
    found = re.search(r"\d{4}-\d\d-\d\d", day)
    when = format_day(date.fromisoformat(found[0])) if found else day
    return f"Parley reported {known.get(event, 'the date')} {when} in the background."


def _say_field(name: str) -> str:
    return "the " + re.sub(r"(?<=[a-z])([A-Z])", lambda found: f" {found[1].lower()}", name)
