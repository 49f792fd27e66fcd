"""What scopes are listed and found by: title, supplier, status and words, stored when one of them changes."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.dates import format_day
from app.service.database.search_index import SearchEntry, index_records
from app.service.database.tables import (
    agreement,
    company,
    negotiation,
    product,
    scope,
    scope_document,
    sourcing_quote,
)
from app.service.values.folding import fold_text

MAX_SEARCH_TEXT = 300
"""Characters of what a list is searched by; two indexes hold them."""


class BoughtProduct(NamedTuple):
    """The names of a product and of its supplier."""

    name: str
    supplier: str
    company_id: str


def refresh_listing(connection: Connection, scope_id: str) -> None:
    """Store what a scope is listed and found by, and the entry of its document, as they are now."""
    # The row is locked before it is read, so that a name which is given meanwhile is seen.
    connection.execute(_LOCKED, {"scopes": [scope_id]})
    row = connection.execute(_SCOPE, {"scope": scope_id}).one()
    bought = load_bought_products(connection, [term["productId"] for term in row.product_terms])
    reading: Mapping[str, Any] = row.reading or {}
    as_read: str | None = reading.get("supplier")
    match: Mapping[str, Any] = reading.get("supplier_match") or {}
    supplier, company_id = find_seller(bought, as_read, match)
    title = row.name or make_title([one.name for one in bought], supplier, row.filename, row.created_on)
    if not row.name and (quote := _name_quote(reading, row.document_of)):
        title = f"{title} ({quote})"
    connection.execute(
        scope.update()
        .where(scope.c.id == scope_id)
        .values(
            title=title,
            company_id=company_id,
            supplier_name=supplier,
            search_text=fold_text(f"{title} {supplier or ''} {row.filename or ''}")[:MAX_SEARCH_TEXT],
            status=_STATUS,
        )
    )
    said = match.get("companyName") or as_read
    suppliers = list(dict.fromkeys(name for name in (*(one.supplier for one in bought), said) if name))
    numbers = [number] if (number := reading.get("document_number")) else []
    entries = [
        SearchEntry(
            kind="scope",
            record_id=scope_id,
            organisation_id=row.organisation_id,
            title=title,
            created_at=row.created_on,
            detail=", ".join(suppliers[:2]),
            words=[*(one.name for one in bought), *suppliers, row.filename or ""],
            numbers=numbers,
        )
    ]
    if row.document_of == scope_id:
        entries.append(
            SearchEntry(
                kind="document",
                record_id=scope_id,
                organisation_id=row.organisation_id,
                title=row.filename,
                created_at=row.created_on,
                detail=" · ".join(filter(None, (as_read, *numbers))),
                words=suppliers,
                numbers=numbers,
            )
        )
    index_records(connection, entries)


def find_seller(
    bought: Sequence[BoughtProduct], as_read: str | None, match: Mapping[str, Any]
) -> tuple[str | None, str | None]:
    """Return the name and the company of who sells: who sent the document, also where others make what is
    bought; without one, the maker. `match` is the document's supplier as it was matched with the catalog, or
    as a person said it. A name that was read and is not in the catalog is a reseller's where no maker is
    called like it."""
    if match.get("companyId") is not None or match.get("companyName") is not None:
        return match.get("companyName") or as_read, match.get("companyId")
    if as_read is not None and all(_first_word(one.supplier) != _first_word(as_read) for one in bought):
        return as_read, None
    return (bought[0].supplier, bought[0].company_id) if bought else (as_read, None)


def make_title(
    products: Sequence[str], supplier: str | None, filename: str | None, created_on: datetime
) -> str:
    """Return what a scope is called that nobody gave a name: `Northgate Ltd: Desk and 2 more`. The supplier
    is left out where the product begins with the same word."""
    different = list(dict.fromkeys(products))
    if different:
        what = different[0] if len(different) == 1 else f"{different[0]} and {len(different) - 1} more"
    else:
        what = filename or f"Request of {format_day(created_on.date())}"
    repeats = supplier is not None and _first_word(what) == _first_word(supplier)
    return what if supplier is None or repeats else f"{supplier}: {what}"


def _name_quote(reading: Mapping[str, Any], scope_id: str | None) -> str | None:
    """Return what tells a quote from the others of its file; None for the only one of a file."""
    quotes: Sequence[Mapping[str, Any]] = reading.get("quotes") or ()
    for position, quote in enumerate(quotes, 1):
        if quote["scope_id"] == scope_id:
            return quote.get("document_number") or f"quote {position} of {len(quotes)}"
    return None


def _first_word(text: str) -> str:
    return fold_text(text).partition(" ")[0]


def refresh_statuses(connection: Connection, scope_ids: Collection[str]) -> None:
    """Store the status of scopes. To be called when their document, their next version or a negotiation of
    them changed, in the same transaction."""
    # First the rows, then what their status depends on: another transaction that changes a part of it is
    # waited for, and its change is seen.
    connection.execute(_LOCKED, {"scopes": list(scope_ids)})
    connection.execute(scope.update().where(scope.c.id.in_(scope_ids)).values(status=_STATUS))


def load_bought_products(connection: Connection, product_ids: Collection[str]) -> Sequence[BoughtProduct]:
    """Return the names of the products and of their suppliers, in the order of the ids."""
    if not product_ids:
        return []
    rows = connection.execute(_PRODUCTS, {"ids": list(set(product_ids))})
    known = {row.id: BoughtProduct(row.name, row.supplier, row.company_id) for row in rows}
    return [known[each] for each in product_ids if each in known]


_SCOPE = (
    sa.select(
        scope.c.organisation_id,
        scope.c.created_on,
        scope.c.name,
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
    sa.select(product.c.id, product.c.name, company.c.name.label("supplier"), product.c.company_id)
    .join(company, company.c.id == product.c.company_id)
    .where(product.c.id.in_(sa.bindparam("ids", expanding=True)))
)
_LOCKED = (
    sa.select(scope.c.id)
    .where(scope.c.id.in_(sa.bindparam("scopes", expanding=True)))
    .order_by(scope.c.id)
    .with_for_update(key_share=True)
)
_DOCUMENT_STATUS = (
    sa.select(scope_document.c.status).where(scope_document.c.scope_id == scope.c.id).scalar_subquery()
)


def _is_negotiated(*statuses: str) -> sa.ColumnElement[bool]:
    return sa.exists().where(negotiation.c.scope_id == scope.c.id, negotiation.c.status.in_(statuses))


def select_outcomes() -> list[sa.ColumnElement[str | None]]:
    """Return the columns for what was made of a scope: its negotiation, its agreement and its requirement."""
    made = (
        ("negotiation_id", negotiation.c.id, negotiation.c.status != "cancelled"),
        ("agreement_id", agreement.c.id, sa.true()),
        ("requirement_id", sourcing_quote.c.requirement_id, sa.true()),
    )
    return [
        sa.select(sa.func.max(key))
        .where(key.table.c.scope_id == scope.c.id, condition)
        .scalar_subquery()
        .label(name)
        for name, key, condition in made
    ]


_STATUS = sa.case(
    (_DOCUMENT_STATUS.in_(("pending", "processing")), "reading"),
    (_is_negotiated("planning", "pending", "active"), "in_negotiation"),
    (_is_negotiated("complete"), "agreed"),
    (scope.c.next_scope_id.is_not(None), "replaced"),
    (_DOCUMENT_STATUS == "failed", "unreadable"),
    (_DOCUMENT_STATUS == "completed", "review"),
    else_="ready",
)
"""The first that is true. A negotiated document that nobody reviewed is negotiated: a review makes another
scope, which the negotiation does not follow."""
