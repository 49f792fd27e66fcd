"""By what words negotiations and the files attached to them are found."""

from collections.abc import Collection

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.database.search_index import SearchEntry, index_records
from app.service.database.tables.catalog import company
from app.service.database.tables.files import file
from app.service.database.tables.negotiation import attachment, negotiation
from app.service.database.tables.scopes import scope
from app.service.scopes.search_entries import load_bought_products

INDEXED_COLUMNS = frozenset({"supplier", "company_id", "scope_id"})
"""The columns of a negotiation that it is found by and that can change."""

UNKNOWN_SUPPLIER = "Unknown supplier"


def index_negotiations(connection: Connection, negotiation_ids: Collection[str]) -> None:
    """Write the entries of negotiations and of the files attached to them, as they are now."""
    rows = connection.execute(_NEGOTIATIONS, {"ids": list(negotiation_ids)}).all()
    titles: dict[str, str] = {}
    entries: list[SearchEntry] = []
    for row in rows:
        given = row.supplier
        domain = given.get("domain") or ""
        titles[row.id] = row.company_name or given.get("name") or domain or UNKNOWN_SUPPLIER
        terms = row.product_terms or ()
        bought = load_bought_products(connection, [term["productId"] for term in terms])
        names = [name for name, _ in bought]
        entries.append(
            SearchEntry(
                kind="negotiation",
                record_id=row.id,
                organisation_id=row.organisation_id,
                title=titles[row.id],
                created_at=row.created_at,
                detail=", ".join(names[:2]),
                words=[given.get("name") or "", domain, row.contact_name, *names],
            )
        )
    entries += [
        SearchEntry(
            kind="document",
            record_id=row.id,
            organisation_id=row.organisation_id,
            title=row.filename,
            created_at=row.created_at,
            detail=titles[row.negotiation_id],
            negotiation_id=row.negotiation_id,
        )
        for row in connection.execute(_ATTACHMENTS, {"ids": list(negotiation_ids)})
    ]
    index_records(connection, entries)


_IDS: sa.BindParameter[str] = sa.bindparam("ids", type_=sa.String, expanding=True)
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
    .where(negotiation.c.id.in_(_IDS))
)
_ATTACHMENTS = (
    sa.select(
        attachment.c.id,
        attachment.c.negotiation_id,
        attachment.c.created_at,
        file.c.filename,
        file.c.organisation_id,
    )
    .join(file, file.c.id == attachment.c.file_id)
    .where(attachment.c.negotiation_id.in_(_IDS))
)
