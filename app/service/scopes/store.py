"""Store and load scopes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from decimal import Decimal
from typing import Any, Self

import sqlalchemy as sa
from pydantic import TypeAdapter
from sqlalchemy import Connection, RowMapping

from app.contract.catalog import Feature, PricingDimension
from app.contract.comments import Owner
from app.contract.scope import DocumentProcessing, NewProductTerm, NewScopeTerm, add_stated_prices
from app.service.access.caller import RecordOrigin
from app.service.database.rows import read_row
from app.service.database.tables import company, product, scope, scope_document
from app.service.database.visibility import CALLER, as_seen_by
from app.service.http.problems import ApiProblem, bad_request
from app.service.ids import new_id
from app.service.scopes.listing import refresh_listing, refresh_statuses, select_outcomes
from app.service.scopes.quote import QuoteLine, carry_over_lines
from app.service.scopes.terms import (
    StoredProductTerm,
    StoredScopeTerm,
    check_product_terms,
    find_months,
    find_quantity,
)
from app.service.scopes.units import units_agree


@dataclass(frozen=True, slots=True)
class StoredScope:
    """What one organisation wants to buy. `document_scope_id` names the scope whose document is the quote
    behind this one, often itself; `quote_lines` are the lines of that quote. `title`, `status` and the
    supplier are as `listing` stored them; `negotiation_id`, `agreement_id` and `requirement_id` are what was
    made of it. `document` is None for a scope that was made by hand."""

    id: str
    organisation_id: str
    source: str
    created_on: datetime
    currency: str
    scope_terms: Sequence[StoredScopeTerm]
    product_terms: Sequence[StoredProductTerm]
    previous_scope_id: str | None
    next_scope_id: str | None
    document_scope_id: str | None
    quote_lines: Sequence[QuoteLine] | None
    title: str
    status: str
    company_id: str | None
    supplier_name: str | None
    archived_at: datetime | None
    sample: bool
    owners: Sequence[Owner]
    negotiation_id: str | None
    agreement_id: str | None
    requirement_id: str | None
    document: DocumentProcessing | None

    @property
    def months(self) -> int:
        """The length of all its terms, one after the other."""
        return sum(term.months for term in self.scope_terms)

    @property
    def stated_months(self) -> int | None:
        """The length of all its terms; None where nobody has said it."""
        return None if any(term.term_assumed for term in self.scope_terms) else self.months or None

    @property
    def stated_currency(self) -> str | None:
        """The currency of its amounts; None where its document names none and nobody has said it."""
        return None if any(term.currency_assumed for term in self.scope_terms) else self.currency

    @property
    def stated_total(self) -> Decimal | None:
        """The price that it states for the whole, before tax; None where a term states none."""
        return add_stated_prices(self.scope_terms)

    @property
    def product_ids(self) -> set[str]:
        return {term.product_id for term in self.product_terms}

    @property
    def is_being_read(self) -> bool:
        """Whether its document is still to be read."""
        return self.document is not None and self.document.status in {"pending", "processing"}

    @property
    def is_complete(self) -> bool:
        """Whether all that it is to say is on record: it was made by hand, or its document was read."""
        return self.document is None or self.document.status == "completed"


_DIMENSIONS = TypeAdapter(list[PricingDimension])
_FEATURES = TypeAdapter(list[Feature])


@dataclass(frozen=True)
class ScopeProduct:
    """A product as the organisation sees it, for the terms of its scopes."""

    id: str
    name: str
    company_id: str
    company_name: str
    family_id: str | None
    quantity_dimension_id: str | None
    details: Mapping[str, Any]
    dimensions: Sequence[PricingDimension]
    features: Sequence[Feature]

    @classmethod
    def from_row(cls, row: RowMapping) -> Self:
        """Read a row of the columns that are named like the fields."""
        columns: dict[str, Any] = {str(name): value for name, value in row.items()}
        columns["dimensions"] = _DIMENSIONS.validate_python(row["dimensions"])
        columns["features"] = _FEATURES.validate_python(row["features"])
        return cls(**columns)


@dataclass(frozen=True, slots=True)
class LineCount:
    """How many of what a line of a quote is for. `is_corrected` says that its document states another
    number, or none."""

    quantity: Decimal | None
    unit: str | None
    is_corrected: bool


def count_line(
    term: StoredProductTerm | None, products: Mapping[str, ScopeProduct], item: Mapping[str, Any]
) -> LineCount:
    """Return how many of what a line is for, from the product term that it became and what was read of it in
    its document: a person may have corrected that."""
    number, unit = item.get("quantity"), str(item["unit"])[:100] if item.get("unit") else None
    read = None if number is None else Decimal(str(number))
    known = products.get(term.product_id) if term is not None else None
    if term is None or known is None or not known.quantity_dimension_id:
        return LineCount(read, unit, is_corrected=False)
    bought = find_quantity(term, known.quantity_dimension_id)
    if bought in (None, read):
        return LineCount(read, unit, is_corrected=False)
    label = next(one.form_field.label for one in known.dimensions if one.id == known.quantity_dimension_id)
    return LineCount(bought, unit if units_agree(unit, label) else label[:100], is_corrected=True)


def create_scope(
    connection: Connection,
    origin: RecordOrigin,
    *,
    scope_terms: Sequence[NewScopeTerm],
    product_terms: Sequence[NewProductTerm],
    currency: str,
    previous_scope_id: str | None = None,
    pointer_prefix: str = "",
) -> str:
    """Check and write a scope made by hand, and link it to the earlier one. It is sample data if that one is.
    Raises ApiProblem 400 with a pointer to each mistake."""
    organisation_id = origin.organisation_id
    before = find_followed_scope(connection, organisation_id, previous_scope_id)
    product_terms = follow_parts(product_terms, before)
    products = load_products(connection, (term.product_id for term in product_terms), organisation_id)
    wrong = check_product_terms(
        product_terms,
        {key: known.dimensions for key, known in products.items()},
        scope_terms,
        pointer_prefix,
    )
    if wrong:
        raise ApiProblem(400, "The scope is not valid.", errors=wrong)
    wanted = [StoredScopeTerm.from_request(term) for term in scope_terms]
    if before is not None:
        currency = before.currency
        if before.stated_currency is None:
            wanted = [replace(term, currency_assumed=True) for term in wanted]
    bought = [StoredProductTerm.from_request(term) for term in product_terms]
    document_scope_id, quote_lines = _carry_over_quote(before, wanted, bought)
    scope_id = insert_scope(
        connection,
        replace(origin, sample=origin.sample or (before is not None and before.sample)),
        source="manual",
        currency=currency,
        scope_terms=wanted,
        product_terms=bought,
        document_scope_id=document_scope_id,
        quote_lines=quote_lines,
    )
    if previous_scope_id is not None:
        link_scopes(connection, organisation_id, previous_scope_id, scope_id)
    return scope_id


def find_followed_scope(
    connection: Connection, organisation_id: str, previous_scope_id: str | None
) -> StoredScope | None:
    """Find the followed scope; None where none is named. Raises ApiProblem 400 when there is no such
    scope."""
    if previous_scope_id is None:
        return None
    followed = find_scope(connection, organisation_id, previous_scope_id)
    if followed is None:
        raise bad_request("/previousScopeId", "There is no such scope.")
    return followed


def follow_parts(terms: Sequence[NewProductTerm], before: StoredScope | None) -> list[NewProductTerm]:
    """Return the products of a scope; one that follows a scope of the same products, some for a part of the
    term, is for these parts where it states no others."""
    earlier = before.product_terms if before is not None else ()
    if [one.product_id for one in terms] != [one.product_id for one in earlier]:
        return list(terms)
    return [
        one.model_copy(update={"months": other.own_months, "first_month": other.first_month})
        if one.months is None and (one.start_date is None or one.end_date is None)
        else one
        for one, other in zip(terms, earlier, strict=True)
    ]


def _carry_over_quote(
    before: StoredScope | None,
    scope_terms: Sequence[StoredScopeTerm],
    product_terms: Sequence[StoredProductTerm],
) -> tuple[str | None, Sequence[QuoteLine] | None]:
    """Return the quote of the followed scope, with its lines assigned to the new terms."""
    if before is None or before.document_scope_id is None or before.quote_lines is None:
        return None, None
    earlier, new = (
        [(term, find_months(term, whole)) for term in terms]
        for terms, whole in ((before.product_terms, before.scope_terms), (product_terms, scope_terms))
    )
    return before.document_scope_id, carry_over_lines(before.quote_lines, earlier, new)


def insert_scope(
    connection: Connection,
    origin: RecordOrigin,
    *,
    source: str,
    currency: str,
    scope_terms: Sequence[StoredScopeTerm] = (),
    product_terms: Sequence[StoredProductTerm] = (),
    document_scope_id: str | None = None,
    quote_lines: Sequence[QuoteLine] | None = None,
    scope_id: str | None = None,
) -> str:
    """Write a scope and return its id, a new one by default. `quote_lines` are those of the document behind
    it."""
    scope_id = scope_id or new_id()
    connection.execute(
        scope.insert().values(
            id=scope_id,
            organisation_id=origin.organisation_id,
            source=source,
            created_on=origin.now,
            currency=currency,
            scope_terms=[term.to_record() for term in scope_terms],
            product_terms=[term.to_record() for term in product_terms],
            sample=origin.sample,
            end_user=origin.end_user,
            document_scope_id=document_scope_id,
            quote_lines=None if quote_lines is None else [line.to_record() for line in quote_lines],
        )
    )
    refresh_listing(connection, scope_id)
    return scope_id


def link_scopes(connection: Connection, organisation_id: str, previous_scope_id: str, scope_id: str) -> None:
    """Make `scope_id` follow an earlier scope of the same organisation. Raises ApiProblem 400."""
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
    refresh_statuses(connection, [previous_scope_id])


def find_scope(connection: Connection, organisation_id: str, scope_id: str) -> StoredScope | None:
    rows = connection.execute(_ONE_SCOPE, {"scope": scope_id, "organisation": organisation_id}).mappings()
    row = rows.first()
    return None if row is None else build_scope(row)


def lock_scope(connection: Connection, organisation_id: str, scope_id: str) -> StoredScope | None:
    """Find a scope of this organisation to change what follows from it: of several who do, one after the
    other."""
    connection.execute(sa.select(scope.c.id).where(scope.c.id == scope_id).with_for_update(key_share=True))
    return find_scope(connection, organisation_id, scope_id)


def load_products(
    connection: Connection, product_ids: Iterable[str], organisation_id: str
) -> dict[str, ScopeProduct]:
    """Load those of the products that the organisation sees, as it sees them."""
    rows = connection.execute(
        _VISIBLE_PRODUCTS, {"ids": list(set(product_ids)), "organisation": organisation_id}
    ).mappings()
    return {row["id"]: ScopeProduct.from_row(row) for row in rows}


_SEEN = as_seen_by(product, CALLER).c
_VISIBLE_PRODUCTS = (
    sa.select(
        *(
            company.c.name.label("company_name") if field.name == "company_name" else _SEEN[field.name]
            for field in fields(ScopeProduct)
        )
    )
    .join(company, company.c.id == _SEEN.company_id)
    .where(_SEEN.id.in_(sa.bindparam("ids", expanding=True)))
)


def select_scopes() -> sa.Select[*tuple[Any, ...]]:
    names = {field.name for field in fields(StoredScope)} - {"status"}
    return sa.select(
        *(column for column in scope.c if column.name in names),
        scope.c.status.label("scope_status"),
        *select_outcomes(),
        *(scope_document.c[name] for name in DocumentProcessing.model_fields),
    ).select_from(scope.outerjoin(scope_document))


def build_scope(row: RowMapping) -> StoredScope:
    quote_lines = row["quote_lines"]
    return read_row(
        StoredScope,
        row,
        scope_terms=[StoredScopeTerm.from_record(term) for term in row["scope_terms"]],
        product_terms=[StoredProductTerm.from_record(term) for term in row["product_terms"]],
        quote_lines=None if quote_lines is None else [QuoteLine.from_record(line) for line in quote_lines],
        status=row["scope_status"],
        owners=[Owner.model_validate(one) for one in row["owners"] or ()],
        document=None
        if row["status"] is None
        else DocumentProcessing(**{name: row[name] for name in DocumentProcessing.model_fields}),
    )


_ONE_SCOPE = select_scopes().where(
    scope.c.id == sa.bindparam("scope"), scope.c.organisation_id == sa.bindparam("organisation")
)
