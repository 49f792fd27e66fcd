"""By what words negotiations and the files attached to them are found."""

from collections.abc import Collection, Mapping
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.database.search_index import SearchEntry, index_records
from app.service.database.tables import attachment, company, file, negotiation, scope
from app.service.scopes.listing import load_bought_products

INDEXED_COLUMNS = frozenset({"supplier", "company_id", "scope_id"})
"""The columns of a negotiation that it is found by and that can change."""

UNKNOWN_SUPPLIER = "Unknown supplier"


def index_negotiations(connection: Connection, negotiation_ids: Collection[str]) -> None:
    """Write the entries of negotiations and of all files attached to them, as they are now."""
    entries: list[SearchEntry] = []
    for row in connection.execute(_NEGOTIATIONS.where(negotiation.c.id.in_(negotiation_ids))).all():
        bought = load_bought_products(connection, [term["productId"] for term in row.product_terms or ()])
        names = [one.name for one in bought]
        given = row.supplier
        entries.append(
            SearchEntry(
                kind="negotiation",
                record_id=row.id,
                organisation_id=row.organisation_id,
                title=_name_supplier(row.company_name, given),
                created_at=row.created_at,
                detail=", ".join(names[:2]),
                words=[given.get("name") or "", given.get("domain") or "", row.contact_name, *names],
            )
        )
    index_records(connection, entries)
    _index_attachments(connection, attachment.c.negotiation_id.in_(negotiation_ids))


def index_attachment(connection: Connection, attachment_id: str) -> None:
    """Write the entry of one file that is attached to a negotiation."""
    _index_attachments(connection, attachment.c.id == attachment_id)


def _index_attachments(connection: Connection, which: sa.ColumnElement[bool]) -> None:
    entries = [
        SearchEntry(
            kind="document",
            record_id=row.id,
            organisation_id=row.organisation_id,
            title=row.filename,
            created_at=row.created_at,
            detail=_name_supplier(row.company_name, row.supplier),
            negotiation_id=row.negotiation_id,
        )
        for row in connection.execute(_ATTACHMENTS.where(which))
    ]
    index_records(connection, entries)


def _name_supplier(company_name: str | None, given: Mapping[str, Any]) -> str:
    return company_name or given.get("name") or given.get("domain") or UNKNOWN_SUPPLIER


_NEGOTIATIONS = (
    sa.select(
        negotiation.c.id,
        negotiation.c.organisation_id,
        negotiation.c.supplier,
        negotiation.c.contact_name,
        negotiation.c.created_at,
        company.c.name.label("company_name"),
        scope.c.product_terms,
    )
    .outerjoin(company, company.c.id == negotiation.c.company_id)
    .outerjoin(scope, scope.c.id == negotiation.c.scope_id)
)
_ATTACHMENTS = (
    sa.select(
        attachment.c.id,
        attachment.c.negotiation_id,
        attachment.c.created_at,
        file.c.filename,
        file.c.organisation_id,
        negotiation.c.supplier,
        company.c.name.label("company_name"),
    )
    .join(file, file.c.id == attachment.c.file_id)
    .join(negotiation, negotiation.c.id == attachment.c.negotiation_id)
    .outerjoin(company, company.c.id == negotiation.c.company_id)
)
