"""Which documents of an organisation are the same quote: the same place in the same file, or a document with
the same number of the same supplier."""

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.scope import DuplicateScope
from app.service.catalog.names import company_key, item_key
from app.service.database.tables.files import file
from app.service.database.tables.scopes import scope, scope_document
from app.service.scopes.stored_reading import StoredReading

MAX_EARLIER = 10


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
        .limit(MAX_EARLIER)
    )
    return [DuplicateScope.build_from(row) for row in rows]
