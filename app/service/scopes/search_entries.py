"""By what words scopes and their documents are found."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.database.search_index import SearchEntry, index_records
from app.service.database.tables.catalog import company, product
from app.service.database.tables.scopes import scope, scope_document

BoughtProduct = tuple[str, str]
"""The names of a product and of its supplier."""


def index_scope(connection: Connection, scope_id: str) -> None:
    """Write the entries of a scope and of its document, as they are now."""
    row = connection.execute(_SCOPE, {"scope": scope_id}).one()
    bought = load_bought_products(connection, [term["productId"] for term in row.product_terms])
    reading: Mapping[str, Any] = row.reading or {}
    suppliers = list(dict.fromkeys(supplier for _, supplier in bought))
    as_read = reading.get("supplier")
    if as_read and as_read not in suppliers:
        suppliers.append(as_read)
    number = reading.get("document_number")
    names = [name for name, _ in bought]
    of_scope = SearchEntry(
        kind="scope",
        record_id=scope_id,
        organisation_id=row.organisation_id,
        title=_make_title(names) or row.filename or f"Scope {scope_id[:8]}",
        created_at=row.created_on,
        detail=", ".join(suppliers[:2]),
        words=[*names, *suppliers, row.filename or ""],
        numbers=[number] if number else [],
    )
    entries = [of_scope]
    if row.document_of == scope_id:
        entries.append(
            SearchEntry(
                kind="document",
                record_id=scope_id,
                organisation_id=row.organisation_id,
                title=row.filename,
                created_at=row.created_on,
                detail=" · ".join(filter(None, (as_read, number))),
                words=suppliers,
                numbers=of_scope.numbers,
            )
        )
    index_records(connection, entries)


def load_bought_products(connection: Connection, product_ids: Collection[str]) -> Sequence[BoughtProduct]:
    """Return the names of the products and of their suppliers, in the order of the ids."""
    if not product_ids:
        return []
    rows = connection.execute(_PRODUCTS, {"ids": list(set(product_ids))})
    names: dict[str, BoughtProduct] = {row.id: (row.name, row.supplier) for row in rows}
    return [names[each] for each in product_ids if each in names]


def _make_title(names: Sequence[str]) -> str | None:
    if not names:
        return None
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"


_SCOPE = (
    sa.select(
        scope.c.organisation_id,
        scope.c.created_on,
        scope.c.product_terms,
        scope_document.c.scope_id.label("document_of"),
        scope_document.c.filename,
        scope_document.c.reading,
    )
    # A confirmed scope is found by the number of its quote, which is the document of an earlier scope.
    .outerjoin(
        scope_document, scope_document.c.scope_id == sa.func.coalesce(scope.c.document_scope_id, scope.c.id)
    )
    .where(scope.c.id == sa.bindparam("scope"))
)
_PRODUCTS = (
    sa.select(product.c.id, product.c.name, company.c.name.label("supplier"))
    .join(company, company.c.id == product.c.company_id)
    .where(product.c.id.in_(sa.bindparam("ids", expanding=True)))
)
