"""Add products for one organisation by hand, unless something similar is there already."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

import sqlalchemy as sa
from rapidfuzz import fuzz
from sqlalchemy import Connection, Row

from app.contract.catalog import CatalogEntry, EntryDimension, EntryProduct, EntrySupplier, NewCatalogEntry
from app.contract.problem import EntryCandidate
from app.service.catalog.company_rows import HOST_PATTERN
from app.service.catalog.denormalise import rebuild_records
from app.service.catalog.entries import company_row, product_row
from app.service.catalog.estimate_check import request_estimate_check
from app.service.catalog.names import company_key, domain_key, name_key
from app.service.catalog.rows import (
    QUANTITY_NAME,
    CompanyRow,
    DimensionRecord,
    add_option,
    checkbox_dimension,
    number_dimension,
    option_labels,
    quantity_dimension,
    select_dimension,
    select_rows,
)
from app.service.catalog.supplier_match import find_similar_names
from app.service.database.dialect import lock_imports
from app.service.database.tables import company, product
from app.service.database.visibility import visible_to
from app.service.http.problems import ApiProblem, InvalidField, bad_request
from app.service.ids import new_id

DESCRIPTION = "Added by hand."
MIN_NAME_SIMILARITY = 90.0
"""Similarity of two folded names, in per cent, from which one may be a misspelling of the other."""
MAX_CANDIDATES = 10

SAME_NAME, NEAR_NAME, SAME_DOMAIN = "has the same name", "has nearly the same name", "has the same domain"

KnownCompany = Row[str, str, str, str, str | None]
"""Id, name, folded name, domain and owner."""


def add_entry(
    connection: Connection, organisation_id: str, body: NewCatalogEntry, now: datetime
) -> CatalogEntry:
    """Create the product, and its supplier where that is new, for this organisation alone. An entry that the
    organisation has already gets the dimensions and options that it lacks. Raises ApiProblem 400 with
    pointers, and 409 with candidates: where something similar is there, unless it is confirmed to be new, and
    where the organisation has exactly this entry."""
    lock_imports(connection)
    _require_valid(body)
    entry = _EntryRequest(connection, organisation_id, body)
    own = entry.find_own()
    if own:
        extended = entry.extend(own[0], now)
        if extended is None:
            raise _conflict("Your organisation has this entry already", own)
        return extended
    similar = () if body.confirm_new else entry.find_similar()
    if similar:
        raise _conflict("Something very similar is on record: use it, or confirm that this is new", similar)
    request_estimate_check(connection, organisation_id, now)
    return entry.create(now)


class _EntryRequest:
    """A request for a new entry, with the companies on record that its supplier may be."""

    def __init__(self, connection: Connection, organisation_id: str, body: NewCatalogEntry) -> None:
        self._connection = connection
        self._organisation_id = organisation_id
        self._supplier: EntrySupplier = body.supplier
        self._product: EntryProduct = body.product
        self._product_key = name_key(body.product.name)
        self._companies = list(self._find_similar_companies())

    def find_own(self) -> Sequence[EntryCandidate]:
        """Return the organisation's own product of this name at this supplier."""
        same = [seller for seller, why in self._companies if why == SAME_NAME or self._supplier.company_id]
        return [
            candidate
            for seller in same
            for candidate, owner in self._find_similar_products(seller, exactly=True)
            if owner == self._organisation_id
        ]

    def find_similar(self) -> Sequence[EntryCandidate]:
        """Return similar products, then suppliers that the requested one may be."""
        candidates = [
            candidate
            for seller, _ in self._companies
            for candidate, _ in self._find_similar_products(seller, exactly=False)
        ]
        if self._supplier.company_id is None:
            candidates += [
                EntryCandidate(company_id=seller.id, name=seller.name, why=f"The supplier {why}.")
                for seller, why in self._companies
                # The organisation's own supplier of this name is the requested one.
                if why != SAME_NAME or seller.organisation_id != self._organisation_id
            ]
        return candidates[:MAX_CANDIDATES]

    def extend(self, known: EntryCandidate, now: datetime) -> CatalogEntry | None:
        """Add the requested dimensions that the organisation's own product lacks; None where it lacks
        nothing."""
        assert known.product_id is not None
        row = self._connection.execute(sa.select(product).where(product.c.id == known.product_id)).one()
        dimensions, sources = extend_dimensions(
            row.dimensions, row.dimension_source, self._product.dimensions or ()
        )
        if dimensions == row.dimensions:
            return None
        changed = product.update().where(product.c.id == row.id)
        self._connection.execute(changed.values(dimensions=dimensions, dimension_source=sources))
        rebuild_records(self._connection, [row.company_id], now, self._organisation_id)
        return CatalogEntry(company_id=row.company_id, product_id=row.id)

    def create(self, now: datetime) -> CatalogEntry:
        seller = self._find_or_create_supplier(now)
        orders = sa.select(sa.func.max(product.c.sort_order)).where(product.c.company_id == seller["id"])
        last: int | None = self._connection.scalar(orders)
        quantity_id = new_id()
        dimensions = [quantity_dimension(quantity_id, self._product.unit)]
        sources: dict[str, str] = {}
        for entry in self._product.dimensions or ():
            dimension = _build_dimension(entry)
            dimensions.append(dimension)
            sources[dimension["id"]] = _column_name(entry.name)
        row = product_row(
            new_id(),
            seller,
            " ".join(self._product.name.split()),
            now,
            sort_order=0 if last is None else last + 1,
            dimensions=dimensions,
            quantity_dimension_id=quantity_id,
            sources=sources,
            details={"description": DESCRIPTION},
            organisation_id=self._organisation_id,
        )
        self._connection.execute(product.insert().values(**row))
        rebuild_records(self._connection, [seller["id"]], now, self._organisation_id)
        return CatalogEntry(company_id=seller["id"], product_id=row["id"])

    def _find_or_create_supplier(self, now: datetime) -> CompanyRow:
        """Return the row of the supplier: the given one, the organisation's own of that name, or a new
        one."""
        for seller, why in self._companies:
            own = seller.organisation_id == self._organisation_id and why == SAME_NAME
            if own or self._supplier.company_id:
                known = sa.select(company).where(company.c.id == seller.id)
                return select_rows(self._connection, CompanyRow, known)[0]
        row = company_row(
            new_id(),
            " ".join((self._supplier.name or "").split()),
            now,
            domain=domain_key(self._supplier.domain or ""),
            organisation_id=self._organisation_id,
            details={"description": DESCRIPTION},
        )
        self._connection.execute(company.insert().values(**row))
        return row

    def _find_similar_companies(self) -> Iterator[tuple[KnownCompany, str]]:
        """Yield the supplier of the given id, else those that the name and domain may mean, the likeliest
        first, with the reason. Sample suppliers are never found by name. Raises ApiProblem 400 for an id that
        the caller cannot see."""
        columns = (
            company.c.id,
            company.c.name,
            company.c.name_key,
            company.c.domain,
            company.c.organisation_id,
        )
        visible = (
            sa.select(*columns).where(visible_to(company.c, self._organisation_id)).order_by(company.c.id)
        )
        if self._supplier.company_id is not None:
            known = self._connection.execute(visible.where(company.c.id == self._supplier.company_id)).first()
            if known is None:
                raise bad_request("/supplier/companyId", "There is no such company.")
            yield known, SAME_NAME
            return
        key, host = company_key(self._supplier.name or ""), domain_key(self._supplier.domain or "")
        near: list[tuple[KnownCompany, str]] = []
        similar = [row.id for row in find_similar_names(self._connection, self._organisation_id, key)]
        alike = sa.or_(
            company.c.name_key == key,
            company.c.domain == host if host else sa.false(),
            company.c.id.in_(similar),
        )
        for seller in self._connection.execute(visible.where(company.c.sample.is_(sa.false()), alike)):
            if seller.name_key == key:
                yield seller, SAME_NAME
            elif host and seller.domain == host:
                near.insert(0, (seller, SAME_DOMAIN))
            elif fuzz.token_sort_ratio(key, seller.name_key, score_cutoff=MIN_NAME_SIMILARITY):
                near.append((seller, NEAR_NAME))
        yield from near

    def _find_similar_products(
        self, seller: KnownCompany, *, exactly: bool
    ) -> Iterator[tuple[EntryCandidate, str | None]]:
        """Yield the supplier's products of this or a similar name, each with its owner."""
        sold = (
            sa.select(product.c.id, product.c.name, product.c.name_key, product.c.organisation_id)
            .where(product.c.company_id == seller.id, visible_to(product.c, self._organisation_id))
            .order_by(product.c.id)
        )
        if exactly:
            sold = sold.where(product.c.name_key == self._product_key)
        for row in self._connection.execute(sold):
            same = row.name_key == self._product_key
            if same or fuzz.token_sort_ratio(
                self._product_key, row.name_key, score_cutoff=MIN_NAME_SIMILARITY
            ):
                why = f"The product {SAME_NAME if same else NEAR_NAME}, and {seller.name} sells it."
                yield (
                    EntryCandidate(company_id=seller.id, product_id=row.id, name=row.name, why=why),
                    row.organisation_id,
                )


def extend_dimensions(
    dimensions: Sequence[DimensionRecord], sources: Mapping[str, str], requested: Sequence[EntryDimension]
) -> tuple[list[DimensionRecord], dict[str, str]]:
    """Return the dimensions with the requested ones that they lack, and with new options at the end of a
    select. Raises ApiProblem 400 where one is requested with another type."""
    dimensions_now, column_of = list(dimensions), dict(sources)
    places = {name_key(dimension["name"]): at for at, dimension in enumerate(dimensions_now)}
    for index, one in enumerate(requested):
        at = places.get(name_key(one.name))
        if at is None:
            added = _build_dimension(one)
            dimensions_now.append(added)
            column_of[added["id"]] = _column_name(one.name)
            continue
        kind = dimensions_now[at]["formField"]["type"]
        if kind != one.type:
            raise ApiProblem(
                400,
                "The entry is not valid.",
                errors=[
                    InvalidField(f"/product/dimensions/{index}/type", f"“{one.name}” is a {kind} on record.")
                ],
            )
        if one.type == "select":
            there = {name_key(label) for label in option_labels(dimensions_now[at])}
            for label in one.options or ():
                if name_key(label) not in there:
                    dimensions_now[at] = add_option(dimensions_now[at], label)
    return dimensions_now, column_of


def _build_dimension(entry: EntryDimension) -> DimensionRecord:
    label = entry.name[:1].lower() + entry.name[1:]
    match entry.type:
        case "number":
            return number_dimension(new_id(), entry.name, label)
        case "checkbox":
            return checkbox_dimension(new_id(), entry.name, label)
        case "select":
            return select_dimension(new_id(), entry.name, label, entry.options or [])


def _column_name(name: str) -> str:
    """Return the column of purchase files that a dimension of this name belongs to."""
    return re.sub(r"\W+", "_", name.lower()).strip("_")


def _require_valid(body: NewCatalogEntry) -> None:
    wrong = [
        *_check_supplier(body.supplier),
        *_check_not_blank("/product/name", body.product.name),
        *_check_not_blank("/product/unit", body.product.unit),
        *_check_dimensions(body.product.dimensions or []),
    ]
    if wrong:
        raise ApiProblem(400, "The entry is not valid.", errors=wrong)


def _check_not_blank(pointer: str, name: str | None) -> Iterator[InvalidField]:
    if name is not None and not name.strip():
        yield InvalidField(pointer, "must not be blank")


def _check_supplier(supplier: EntrySupplier) -> Iterator[InvalidField]:
    if (supplier.company_id is None) == (supplier.name is None):
        yield InvalidField(
            "/supplier", "has either the companyId of a company on record or the name of a new one"
        )
    yield from _check_not_blank("/supplier/name", supplier.name)
    if supplier.domain is not None:
        if supplier.company_id is not None:
            yield InvalidField("/supplier/domain", "is for a new company")
        elif not HOST_PATTERN.fullmatch(domain_key(supplier.domain)):
            yield InvalidField("/supplier/domain", "must be a domain name")


def _check_dimensions(dimensions: Sequence[EntryDimension]) -> Iterator[InvalidField]:
    names = {name_key(QUANTITY_NAME)}
    for index, dimension in enumerate(dimensions):
        at = f"/product/dimensions/{index}"
        yield from _check_not_blank(f"{at}/name", dimension.name)
        for place, option in enumerate(dimension.options or ()):
            yield from _check_not_blank(f"{at}/options/{place}", option)
        if name_key(dimension.name) in names:
            yield InvalidField(
                f"{at}/name", f"“{dimension.name}” appears twice; every product has a {QUANTITY_NAME}."
            )
        names.add(name_key(dimension.name))
        if dimension.type != "select":
            if dimension.options is not None:
                yield InvalidField(f"{at}/options", "are for a dimension of type select")
        elif not dimension.options:
            yield InvalidField(f"{at}/options", "are required: what can be chosen")
        elif len({name_key(option) for option in dimension.options}) < len(dimension.options):
            yield InvalidField(f"{at}/options", "must differ from each other")


def _conflict(detail: str, candidates: Sequence[EntryCandidate]) -> ApiProblem:
    names = ", ".join(dict.fromkeys(candidate.name for candidate in candidates))
    return ApiProblem(409, f"{detail} ({names}).", candidates=candidates)
