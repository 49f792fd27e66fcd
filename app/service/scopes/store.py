"""Rows of scopes and of the documents that some are read from."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.catalog import PricingDimension
from app.contract.page import PageRequest
from app.contract.scope import NewProductTerm, NewScopeTerm, ScopeQuery
from app.service.database.tables.catalog import company, product
from app.service.database.tables.scopes import scope, scope_document
from app.service.database.visibility import CALLER, as_seen_by
from app.service.http.problems import ApiProblem, InvalidField, bad_request
from app.service.ids import new_id
from app.service.scopes.quote import QuoteLine, followed_lines
from app.service.scopes.stored_scope import DocumentState, StoredScope
from app.service.scopes.term_checks import check_product_terms
from app.service.scopes.terms import ProductTerm, ScopeTerm


@dataclass(frozen=True)
class ScopeProduct:
    """What a scope says of a product, besides its terms."""

    id: str
    name: str
    company_id: str
    company_name: str
    family_id: str | None
    details: dict[str, Any]
    dimensions: list[dict[str, Any]]
    features: list[dict[str, Any]]


def create_scope(
    connection: Connection,
    *,
    organisation_id: str,
    scope_terms: Sequence[NewScopeTerm],
    product_terms: Sequence[NewProductTerm],
    currency: str,
    now: datetime,
    end_user: dict[str, str] | None = None,
    previous_scope_id: str | None = None,
    pointer_prefix: str = "",
) -> str:
    """Checks and writes a scope made by hand, and links it to the earlier one. Raises ApiProblem 400 with a
    pointer to each thing that is wrong."""
    products = products_of(connection, (term.product_id for term in product_terms), organisation_id)
    wrong = check_scope_terms(scope_terms, pointer_prefix)
    wrong += check_product_terms(
        product_terms,
        {
            key: [PricingDimension.model_validate(dimension) for dimension in one.dimensions]
            for key, one in products.items()
        },
        pointer_prefix,
    )
    if wrong:
        raise ApiProblem(400, "The scope is not valid.", errors=wrong)
    before = followed_scope(connection, organisation_id, previous_scope_id)
    if before is not None:
        currency = before.currency
    document_scope_id, quote_lines = _kept_quote(before, product_terms)
    scope_id = insert_scope(
        connection,
        organisation_id=organisation_id,
        source="manual",
        currency=currency,
        now=now,
        end_user=end_user,
        scope_terms=[ScopeTerm.from_request(term) for term in scope_terms],
        product_terms=[ProductTerm.from_request(term) for term in product_terms],
        document_scope_id=document_scope_id,
        quote_lines=quote_lines,
    )
    if previous_scope_id is not None:
        link(connection, organisation_id, previous_scope_id, scope_id)
    return scope_id


def currency_after(
    connection: Connection, organisation_id: str, previous_scope_id: str | None, *, otherwise: str
) -> str:
    """The currency of the scope that is followed: its corrections are amounts of the same document. Raises
    ApiProblem 400 when there is no such scope."""
    found = followed_scope(connection, organisation_id, previous_scope_id)
    return otherwise if found is None else found.currency


def followed_scope(
    connection: Connection, organisation_id: str, previous_scope_id: str | None
) -> StoredScope | None:
    """The scope that is followed; None where none is. Raises ApiProblem 400 when there is no such scope."""
    if previous_scope_id is None:
        return None
    found = scope_of(connection, organisation_id, previous_scope_id)
    if found is None:
        raise bad_request("/previousScopeId", "There is no such scope.")
    return found


def _kept_quote(
    before: StoredScope | None, product_terms: Sequence[NewProductTerm]
) -> tuple[str | None, Sequence[QuoteLine] | None]:
    """The quote of the scope that is followed, its lines led to the new terms."""
    if before is None or before.document_scope_id is None or before.quote_lines is None:
        return None, None
    lines = followed_lines(
        before.quote_lines,
        [term.product_id for term in before.product_terms],
        [(term.product_id, term.final_price) for term in product_terms],
    )
    return before.document_scope_id, lines


def check_scope_terms(terms: Sequence[NewScopeTerm], prefix: str = "") -> list[InvalidField]:
    """A term that ends before it starts."""
    return [
        InvalidField(f"{prefix}/scopeTerms/{index}/endDate", "The term ends before it starts.")
        for index, term in enumerate(terms)
        if term.start_date and term.end_date and term.end_date < term.start_date
    ]


def insert_scope(
    connection: Connection,
    *,
    organisation_id: str,
    source: str,
    currency: str,
    now: datetime,
    end_user: dict[str, str] | None,
    scope_terms: Sequence[ScopeTerm],
    product_terms: Sequence[ProductTerm],
    document_scope_id: str | None = None,
    quote_lines: Sequence[QuoteLine] | None = None,
) -> str:
    """Writes a scope and returns its id. `quote_lines` are those of the document behind it."""
    scope_id = new_id()
    connection.execute(
        scope.insert().values(
            id=scope_id,
            organisation_id=organisation_id,
            source=source,
            created_on=now,
            currency=currency,
            scope_terms=[term.record() for term in scope_terms],
            product_terms=[term.record() for term in product_terms],
            end_user=end_user,
            document_scope_id=document_scope_id,
            quote_lines=None if quote_lines is None else [line.record() for line in quote_lines],
        )
    )
    return scope_id


def link(connection: Connection, organisation_id: str, previous_scope_id: str, scope_id: str) -> None:
    """Makes `scope_id` follow an earlier scope of the same organisation. Raises ApiProblem 400."""
    followed = connection.execute(
        scope.update()
        .where(scope.c.id == previous_scope_id, scope.c.organisation_id == organisation_id)
        .values(next_scope_id=scope_id)
    )
    if followed.rowcount == 0:
        raise bad_request("/previousScopeId", "There is no such scope.")
    connection.execute(
        scope.update().where(scope.c.id == scope_id).values(previous_scope_id=previous_scope_id)
    )


def scope_of(connection: Connection, organisation_id: str, scope_id: str) -> StoredScope | None:
    """The scope, if this organisation owns it."""
    row = connection.execute(_ONE, {"scope": scope_id, "organisation": organisation_id}).first()
    return None if row is None else _stored_scope(row)


def list_scopes(
    connection: Connection, organisation_id: str, query: ScopeQuery, page: PageRequest
) -> tuple[int, list[StoredScope]]:
    """How many there are, and one page of them, newest first."""
    wanted = [scope.c.organisation_id == organisation_id]
    if source := query.get("source"):
        wanted.append(scope.c.source == source)
    if status := query.get("status"):
        wanted.append(scope_document.c.status == status)
    total = connection.scalar(
        sa.select(sa.func.count()).select_from(scope.outerjoin(scope_document)).where(*wanted)
    )
    listing = _with_document().where(*wanted).order_by(scope.c.created_on.desc(), scope.c.id.desc())
    rows = connection.execute(listing.limit(page.limit).offset(page.offset))
    return total or 0, [_stored_scope(row) for row in rows]


def products_of(
    connection: Connection, product_ids: Iterable[str], organisation_id: str
) -> dict[str, ScopeProduct]:
    """The products that exist for this organisation among `product_ids`, as it sees them."""
    rows = connection.execute(_PRODUCTS, {"ids": list(set(product_ids)), "organisation": organisation_id})
    return {row.id: ScopeProduct(*row) for row in rows}


_SEEN = as_seen_by(product, CALLER).c
_PRODUCTS = (
    sa.select(
        _SEEN.id,
        _SEEN.name,
        _SEEN.company_id,
        company.c.name.label("company_name"),
        _SEEN.family_id,
        _SEEN.details,
        _SEEN.dimensions,
        _SEEN.features,
    )
    .join(company, company.c.id == _SEEN.company_id)
    .where(_SEEN.id.in_(sa.bindparam("ids", expanding=True)))
)


def _with_document() -> sa.Select[*tuple[Any, ...]]:
    document = scope_document.c
    return sa.select(
        scope.c.id,
        scope.c.organisation_id,
        scope.c.source,
        scope.c.created_on,
        scope.c.currency,
        scope.c.scope_terms,
        scope.c.product_terms,
        scope.c.previous_scope_id,
        scope.c.next_scope_id,
        scope.c.document_scope_id,
        scope.c.quote_lines,
        document.status,
        document.filename,
        document.document_type,
        document.mime_type,
        document.error,
        document.updated_at,
    ).select_from(scope.outerjoin(scope_document))


def _stored_scope(row: sa.Row[Any]) -> StoredScope:
    """Of a row of `_with_document`."""
    return StoredScope(
        id=row.id,
        organisation_id=row.organisation_id,
        source=row.source,
        created_on=row.created_on,
        currency=row.currency,
        scope_terms=[ScopeTerm.from_record(term) for term in row.scope_terms],
        product_terms=[ProductTerm.from_record(term) for term in row.product_terms],
        previous_scope_id=row.previous_scope_id,
        next_scope_id=row.next_scope_id,
        document_scope_id=row.document_scope_id,
        quote_lines=None
        if row.quote_lines is None
        else [QuoteLine.from_record(line) for line in row.quote_lines],
        document=None
        if row.status is None
        else DocumentState(
            row.status, row.filename, row.document_type, row.mime_type, row.error, row.updated_at
        ),
    )


_ONE = _with_document().where(
    scope.c.id == sa.bindparam("scope"), scope.c.organisation_id == sa.bindparam("organisation")
)
