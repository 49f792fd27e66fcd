"""Store the document behind a scope and how far its reading is.

Documents of an organisation are the same quote where they are the same place in the same file, or a document
with the same number of the same supplier.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

import sqlalchemy as sa
from sqlalchemy import ColumnElement, Connection

from app.contract.events import ScopeExtracted
from app.contract.scope import DuplicateScope, PurchaseType
from app.service.access.audit import DOCUMENT_FAILED, DOCUMENT_READ, Subject
from app.service.access.caller import RecordOrigin
from app.service.background.tasks import enqueue_task, finish_task
from app.service.catalog.names import company_key, item_key
from app.service.catalog.supplier_match import match_supplier
from app.service.database.rows import read_row
from app.service.database.tables import file, scope, scope_document
from app.service.files.store import StoredFile, clean_filename
from app.service.ids import new_id
from app.service.scopes.listing import refresh_listing, refresh_statuses
from app.service.scopes.quote import QuoteLine
from app.service.scopes.store import insert_scope
from app.service.scopes.stored_reading import StoredReading, name_quotes
from app.service.scopes.terms import StoredProductTerm, StoredScopeTerm
from app.service.webhooks.outbox import ToldChange, record_changes

FETCH_TASK = "fetch_document"
EXTRACT_TASK = "extract"


class FetchedBefore(Exception):
    """The document of a scope was fetched twice at once, and the other fetching was stored."""


@dataclass(frozen=True)
class ExtractedScope:
    """The scope that a document describes, and all that was read."""

    currency: str
    document_type: str
    scope_terms: Sequence[StoredScopeTerm]
    product_terms: Sequence[StoredProductTerm]
    reading: StoredReading
    quote_lines: Sequence[QuoteLine]


@dataclass(frozen=True, slots=True)
class ScopeDocument:
    """A document that a scope is read from. It has a file, or a foreign address until that was fetched;
    `sha256` is the file's. There is no `reading` until it was read."""

    scope_id: str
    organisation_id: str
    file_id: str | None
    url: str | None
    purchase_type: PurchaseType | None
    status: str
    filename: str
    sha256: str | None
    reading: StoredReading | None


def begin_reading(
    connection: Connection,
    origin: RecordOrigin,
    *,
    currency: str,
    stored: StoredFile | None,
    url: str | None,
    purchase_type: str | None,
    task: str = EXTRACT_TASK,
) -> str:
    """Write a scope without terms, its document and the task to fetch or to read it; return the scope's
    id. It is sample data if its file is. `task` is another kind of task that reads a stored file."""
    scope_id = insert_scope(
        connection,
        replace(origin, sample=origin.sample or (stored is not None and stored.sample)),
        source="document",
        currency=currency,
    )
    connection.execute(
        scope_document.insert().values(
            scope_id=scope_id,
            file_id=stored.id if stored else None,
            url=url,
            purchase_type=purchase_type,
            status="pending",
            filename=stored.filename
            if stored
            else clean_filename(unquote(PurePosixPath(urlsplit(url or "").path).name)),
            mime_type=stored.media_type if stored else "application/octet-stream",
            document_type="other",
            updated_at=origin.now,
        )
    )
    refresh_listing(connection, scope_id)
    kind = FETCH_TASK if stored is None else task
    owner, now = origin.organisation_id, origin.now
    enqueue_task(connection, kind=kind, subject_id=scope_id, organisation_id=owner, now=now)
    return scope_id


def find_document(connection: Connection, scope_id: str) -> ScopeDocument | None:
    """Find the document that this scope was, or will be, read from."""
    found = connection.execute(
        sa.select(scope_document, scope.c.organisation_id, file.c.sha256)
        .join(scope, scope.c.id == scope_document.c.scope_id)
        .outerjoin(file, file.c.id == scope_document.c.file_id)
        .where(scope_document.c.scope_id == scope_id)
    )
    row = found.mappings().first()
    return None if row is None else read_row(ScopeDocument, row)


def find_document_behind(connection: Connection, scope_id: str) -> ScopeDocument | None:
    """Find the document of a scope; for a scope that follows another, the document that is its quote."""
    document_scope_id = connection.scalar(sa.select(scope.c.document_scope_id).where(scope.c.id == scope_id))
    return find_document(connection, document_scope_id or scope_id)


def find_document_number(connection: Connection, scope_id: str) -> str | None:
    document = find_document_behind(connection, scope_id)
    return document.reading.get("document_number") if document is not None and document.reading else None


def mark_processing(connection: Connection, scope_id: str, now: datetime) -> None:
    _update_unread(connection, scope_id, now, status="processing")


def save_fetched_file(
    connection: Connection, scope_id: str, organisation_id: str, stored: StoredFile, now: datetime
) -> None:
    """Store the file that was fetched from a foreign address, and ask for its reading in place of its
    fetching. Raises FetchedBefore when one was stored before."""
    saved = _update_unread(
        connection,
        scope_id,
        now,
        scope_document.c.file_id.is_(None),
        file_id=stored.id,
        filename=stored.filename,
        mime_type=stored.media_type,
    )
    if not saved:
        raise FetchedBefore
    refresh_listing(connection, scope_id)
    enqueue_task(connection, kind=EXTRACT_TASK, subject_id=scope_id, organisation_id=organisation_id, now=now)
    finish_task(connection, kind=FETCH_TASK, subject_id=scope_id)


def complete_reading(
    connection: Connection,
    scope_id: str,
    organisation_id: str,
    quotes: Sequence[ExtractedScope],
    now: datetime,
) -> None:
    """Fill the scope with the first of the quotes that its file holds, write a scope for each other one, emit
    the event of each, and finish the task; only the last when it was read before."""
    finish_task(connection, kind=EXTRACT_TASK, subject_id=scope_id)
    if not _update_unread(connection, scope_id, now, status="completed", error=None):
        return
    scope_ids = [scope_id, *(new_id() for _ in quotes[1:])]
    named = name_quotes(scope_ids, [quote.reading for quote in quotes]) if len(quotes) > 1 else None
    for other in scope_ids[1:]:
        _copy_document(connection, scope_id, other, now)
    for position, (each, quote) in enumerate(zip(scope_ids, quotes, strict=True), 1):
        reading: StoredReading = quote.reading if named is None else {**quote.reading, "quotes": named}
        _fill_scope(connection, each, quote, reading, position)
    filename = _find_filename(connection, scope_id)
    changes = [
        ToldChange(
            DOCUMENT_READ,
            Subject(organisation_id, each, filename, asked_of=scope_id),
            ScopeExtracted(scope_id=each, status="completed"),
        )
        for each in scope_ids
    ]
    record_changes(connection, changes, now)


def _find_filename(connection: Connection, scope_id: str) -> str | None:
    return connection.scalar(
        sa.select(scope_document.c.filename).where(scope_document.c.scope_id == scope_id)
    )


def _copy_document(connection: Connection, scope_id: str, other: str, now: datetime) -> None:
    """Write another scope, still without terms, of the same file."""
    like = connection.execute(scope.select().where(scope.c.id == scope_id)).one()
    insert_scope(
        connection,
        RecordOrigin(like.organisation_id, now, like.sample, like.end_user),
        source="document",
        currency=like.currency,
        scope_id=other,
    )
    document = scope_document.select().where(scope_document.c.scope_id == scope_id)
    row = connection.execute(document).mappings().one()
    connection.execute(scope_document.insert().values({**row, "scope_id": other}))


def _fill_scope(
    connection: Connection, scope_id: str, read: ExtractedScope, reading: StoredReading, position: int
) -> None:
    connection.execute(
        scope_document.update()
        .where(scope_document.c.scope_id == scope_id)
        .values(
            document_type=read.document_type,
            reading=reading,
            quote_key=make_quote_key(reading),
            quote_position=position,
        )
    )
    connection.execute(
        scope.update()
        .where(scope.c.id == scope_id)
        .values(
            currency=read.currency,
            scope_terms=[term.to_record() for term in read.scope_terms],
            product_terms=[term.to_record() for term in read.product_terms],
            document_scope_id=scope_id,
            quote_lines=[line.to_record() for line in read.quote_lines],
        )
    )
    refresh_listing(connection, scope_id)


def save_supplier(
    connection: Connection, document: ScopeDocument, reading: StoredReading, supplier_name: str
) -> None:
    """Store who a person says that a document is from, and the company of the catalog that it is."""
    match = match_supplier(connection, document.organisation_id, supplier_name).to_record()
    connection.execute(
        scope_document.update()
        .where(scope_document.c.scope_id == document.scope_id)
        .values(reading={**reading, "supplier_match": {"companyName": supplier_name, **match}})
    )


def fail_reading(
    connection: Connection, scope_id: str, organisation_id: str, reason: str, now: datetime
) -> None:
    """Store why the document could not be read, emit the event and finish the tasks; only the last when it
    was read before."""
    for kind in (FETCH_TASK, EXTRACT_TASK):
        finish_task(connection, kind=kind, subject_id=scope_id)
    if _update_unread(connection, scope_id, now, status="failed", error=reason):
        refresh_statuses(connection, [scope_id])
        subject = Subject(organisation_id, scope_id, _find_filename(connection, scope_id))
        event = ScopeExtracted(scope_id=scope_id, status="failed", error_message=reason)
        record_changes(connection, [ToldChange(DOCUMENT_FAILED, subject, event)], now)


def _update_unread(
    connection: Connection, scope_id: str, now: datetime, *conditions: ColumnElement[bool], **values: Any
) -> bool:
    """Change a document that is neither read nor failed; whether it was. Of two workers that end the same
    reading one gets True, and what follows from it happens once."""
    changed = connection.execute(
        scope_document.update()
        .where(
            scope_document.c.scope_id == scope_id,
            scope_document.c.status.in_(("pending", "processing")),
            *conditions,
        )
        .values(updated_at=now, **values)
    )
    return changed.rowcount == 1


_MAX_EARLIER = 10


def make_quote_key(reading: StoredReading) -> str | None:
    """Return a key that is equal for documents with the same number of the same supplier; None where one of
    the two is not known."""
    number, supplier = reading.get("document_number"), reading.get("supplier")
    return f"{company_key(supplier)} {item_key(number)}" if number and supplier else None


def select_same_quotes(organisation_id: str, scope_id: str) -> sa.Select[str]:
    """Select the ids of the organisation's scopes with the document of `scope_id`, that scope among them."""
    by_file = select_same_files(organisation_id, scope_id)
    own_key = sa.select(scope_document.c.quote_key).where(scope_document.c.scope_id == scope_id)
    by_number = (
        sa.select(scope_document.c.scope_id)
        .join(scope, scope.c.id == scope_document.c.scope_id)
        .where(
            scope.c.organisation_id == organisation_id,
            scope_document.c.quote_key == own_key.scalar_subquery(),
        )
    )
    same = sa.union(by_file, by_number).subquery()
    return sa.select(same.c.scope_id)


def select_same_files(organisation_id: str, scope_id: str) -> sa.Select[str]:
    """Select the ids of the organisation's scopes that were read from the same place in the same file as
    `scope_id`, that scope among them."""
    own_file = (
        sa.select(file.c.sha256)
        .join(scope_document, scope_document.c.file_id == file.c.id)
        .where(scope_document.c.scope_id == scope_id)
    )
    own_position = sa.select(scope_document.c.quote_position).where(scope_document.c.scope_id == scope_id)
    return select_scopes_of_file(organisation_id, own_file.scalar_subquery()).where(
        scope_document.c.quote_position == own_position.scalar_subquery()
    )


def select_scopes_of_file(organisation_id: str, sha256: str | sa.ScalarSelect[str]) -> sa.Select[str]:
    """Select the ids of the organisation's scopes that were read from a file with this content."""
    return (
        sa.select(scope_document.c.scope_id)
        .join(file, file.c.id == scope_document.c.file_id)
        .where(file.c.organisation_id == organisation_id, file.c.sha256 == sha256)
    )


def find_earlier_quotes(connection: Connection, organisation_id: str, scope_id: str) -> list[DuplicateScope]:
    """Return the earlier scopes that were read from the same quote as `scope_id`, the newest first."""
    documents = scope.join(scope_document, scope_document.c.scope_id == scope.c.id).outerjoin(
        file, file.c.id == scope_document.c.file_id
    )
    of_scope = sa.select(scope.c.created_on, file.c.sha256).select_from(documents)
    this = connection.execute(of_scope.where(scope.c.id == scope_id)).one()
    rows = connection.execute(
        sa.select(
            scope.c.id.label("scope_id"),
            scope_document.c.filename,
            scope.c.created_on,
            (file.c.sha256 == this.sha256).label("same_file"),
        )
        .select_from(documents)
        .where(
            scope.c.organisation_id == organisation_id,
            scope.c.id.in_(select_same_quotes(organisation_id, scope_id)),
            sa.or_(
                scope.c.created_on < this.created_on,
                sa.and_(scope.c.created_on == this.created_on, scope.c.id < scope_id),
            ),
        )
        .order_by(scope.c.created_on.desc(), scope.c.id.desc())
        .limit(_MAX_EARLIER)
    )
    return [DuplicateScope.build_from(row) for row in rows]
