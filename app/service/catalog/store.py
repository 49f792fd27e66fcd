"""What the catalog's rows hold, as stored wire records. Functions take the connection first, then who asks:
an organisation that has entries of its own, or None for what everybody sees."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import sqlalchemy as sa
from sqlalchemy import BindParameter, Connection, Select, bindparam

from app.contract.catalog import (
    CategoryQuery,
    CompanyPartSort,
    CompanyQuery,
    ProductFamilyQuery,
    ProductQuery,
    SortOrder,
)
from app.contract.page import PageRequest
from app.service.catalog.names import domain_key
from app.service.database.rows import COMPANIES, select_number
from app.service.database.tables import category, company, organisation_view, product, product_family
from app.service.database.visibility import Columns, as_seen_by, owned_by, shared, visible_to
from app.service.values.folding import fold_text


@dataclass(frozen=True)
class StoredPage:
    """Wire records of a list page, and their number on all pages."""

    records: Sequence[str]
    total: int


_VIEWER: BindParameter[str] = bindparam("viewer", type_=sa.String)
_TABLES = {"categories": category, "companies": company, "families": product_family, "products": product}
_HAS_OWN = sa.select(
    sa.or_(
        *(sa.exists().where(owned_by(table.c, _VIEWER)) for table in (organisation_view, company, category))
    )
)

Condition = Literal["top", "parent", "name", "domain", "category", "company", "family"]


def has_own(connection: Connection, organisation_id: str) -> bool:
    """Return whether the organisation sees something that others do not."""
    return bool(connection.scalar(_HAS_OWN, {"viewer": organisation_id}))


def read_company(connection: Connection, viewer: str | None, company_id: str) -> str | None:
    return _read(connection, viewer, company_id, "companies", "wire_read")


def read_family(connection: Connection, viewer: str | None, family_id: str) -> str | None:
    return _read(connection, viewer, family_id, "families", "wire_list")


def read_product(connection: Connection, viewer: str | None, product_id: str) -> str | None:
    return _read(connection, viewer, product_id, "products", "wire_read")


def company_exists(connection: Connection, viewer: str | None, company_id: str) -> bool:
    return _read(connection, viewer, company_id, "companies", "id") is not None


def _read(connection: Connection, viewer: str | None, record_id: str, what: str, column: str) -> str | None:
    statement = _build_read_statement(what, column, viewer is not None)
    return connection.scalar(statement, {"id": record_id} | _viewer_parameter(viewer))


def _viewer_parameter(viewer: str | None) -> dict[str, Any]:
    return {} if viewer is None else {"viewer": viewer}


@lru_cache(maxsize=16)
def _build_read_statement(what: str, column: str, with_own: bool) -> Select[str]:
    rows = _visible_rows(what, with_own)
    one = sa.select(rows[column]).where(rows.id == bindparam("id"))
    return one if with_own else one.where(shared(rows))


def list_categories(
    connection: Connection, viewer: str | None, query: CategoryQuery, page: PageRequest
) -> StoredPage:
    """List the children of a category, or the top level."""
    parent_id = query.get("parent_category_id")
    conditions: dict[Condition, Any] = {"top": None} if parent_id is None else {"parent": parent_id}
    return _load_page(connection, viewer, "categories", conditions, "sort_name", query, page)


def list_companies(
    connection: Connection, viewer: str | None, query: CompanyQuery, page: PageRequest
) -> StoredPage:
    """List companies by part of their name, by domain (or a web address) and by category with its
    children."""
    conditions: dict[Condition, Any] = _name_condition(query.get("name"))
    if (domain := query.get("domain") or "").strip():
        conditions["domain"] = domain_key(domain)
    if category_id := query.get("category_id"):
        conditions["category"] = category_id
    return _load_page(connection, viewer, "companies", conditions, "sort_name", query, page)


def list_families(
    connection: Connection, viewer: str | None, company_id: str, query: ProductFamilyQuery, page: PageRequest
) -> StoredPage:
    key = _sort_key(query.get("sort_by"))
    return _load_page(connection, viewer, "families", {"company": company_id}, key, query, page)


def list_products(
    connection: Connection, viewer: str | None, company_id: str, query: ProductQuery, page: PageRequest
) -> StoredPage:
    conditions: dict[Condition, Any] = {"company": company_id, **_name_condition(query.get("name"))}
    if family_id := query.get("product_family_id"):
        conditions["family"] = family_id
    return _load_page(
        connection, viewer, "products", conditions, _sort_key(query.get("sort_by")), query, page
    )


def _name_condition(part: str | None) -> dict[Condition, Any]:
    folded = fold_text(part or "")
    return {"name": "%" + re.sub(r"([%_\\])", r"\\\1", folded) + "%"} if folded else {}


def _sort_key(sort_by: CompanyPartSort | None) -> str:
    return "sort_name" if sort_by == "name" else "sort_order"


def _load_page(
    connection: Connection,
    viewer: str | None,
    what: str,
    conditions: dict[Condition, Any],
    key: str,
    query: CategoryQuery | CompanyQuery | ProductFamilyQuery | ProductQuery,
    page: PageRequest,
) -> StoredPage:
    values: dict[str, Any] = {
        condition: value for condition, value in conditions.items() if condition != "top"
    }
    values |= _viewer_parameter(viewer)
    ids = query.get("ids")
    if ids is not None:
        values["ids"] = ids
    listing = _Listing(
        what, tuple(conditions), key, query.get("sort_order") or "asc", ids is not None, viewer is not None
    )
    if page.offset == 0:
        # A page that is not full has the number: what few names match is looked for once.
        first = _read_page(connection, listing, values, page.limit, 0)
        if len(first) < page.limit:
            return StoredPage(first, len(first))
        return StoredPage(first, _count(connection, listing, values))
    total = _count(connection, listing, values)
    number = min(page.limit, total - page.offset)
    if number <= 0:
        return StoredPage((), total)
    after = total - page.offset - number
    if after < page.offset:
        return StoredPage(_read_page(connection, listing, values, number, after, from_end=True), total)
    return StoredPage(_read_page(connection, listing, values, number, page.offset), total)


@dataclass(frozen=True)
class _Listing:
    """Which rows a list has, and in which order."""

    what: str
    conditions: tuple[Condition, ...]
    key: str
    order: SortOrder
    with_ids: bool
    with_own: bool


def _read_page(
    connection: Connection,
    listing: _Listing,
    values: Mapping[str, Any],
    number: int,
    skipped: int,
    *,
    from_end: bool = False,
) -> Sequence[str]:
    place = {"limit": number, "offset": skipped}
    return connection.scalars(_page_statement(listing, from_end), {**values, **place}).all()


def _count(connection: Connection, listing: _Listing, values: Mapping[str, Any]) -> int:
    return connection.scalar(_count_statement(listing), values) or 0


@lru_cache(maxsize=256)
def _count_statement(listing: _Listing) -> Select[int]:
    """Select the number of rows of a list, which of a whole list is kept. Statements are cached, because
    building takes longer than running."""
    viewer = _VIEWER if listing.with_own else None
    match listing.what, listing.conditions, listing.with_ids:
        case "companies", (), False:
            return select_number(COMPANIES, viewer)
        case "products", ("company",), False:
            return select_number(bindparam("company"), viewer)
        case _:
            pass
    rows = _TABLES[listing.what].c
    return sa.select(sa.func.count(rows.id)).where(*_build_conditions(listing))


@lru_cache(maxsize=256)
def _page_statement(listing: _Listing, from_end: bool) -> Select[str]:
    """Select a page of records. Its ids are found in an index alone, from the nearer end of the list; only
    the rows of the page are read."""
    table = _TABLES[listing.what]
    descending = listing.order == "desc"
    ids = (
        sa.select(table.c.id)
        .where(*_build_conditions(listing))
        .order_by(*_order(table.c, listing.key, descending != from_end))
        .limit(bindparam("limit"))
        .offset(bindparam("offset"))
        .subquery("page")
    )
    rows = _visible_rows(listing.what, listing.with_own)
    return (
        sa.select(rows.wire_list)
        .where(rows.id.in_(sa.select(ids.c.id)))
        .order_by(*_order(rows, listing.key, descending))
    )


def _order(rows: Columns, key: str, descending: bool) -> list[sa.ColumnElement[Any]]:
    columns = [rows[key], rows.id]
    return [column.desc() for column in columns] if descending else columns


def _build_conditions(listing: _Listing) -> list[sa.ColumnElement[bool]]:
    """Select the rows of the table that are listed. An organisation sees none of these columns otherwise
    than everybody."""
    rows = _TABLES[listing.what].c
    clauses = [_build_condition(rows, condition) for condition in listing.conditions]
    clauses.append(visible_to(rows, _VIEWER if listing.with_own else None))
    if listing.with_ids:
        clauses.append(rows.id.in_(bindparam("ids", expanding=True)))
    return clauses


def _visible_rows(what: str, with_own: bool) -> Columns:
    """Return the rows that the parameter `viewer` sees, else the whole table, to be restricted to shared
    rows."""
    table = _TABLES[what]
    return as_seen_by(table, _VIEWER).c if with_own else table.c


def _build_condition(rows: Columns, condition: Condition) -> sa.ColumnElement[bool]:
    match condition:
        case "top":
            return rows.parent_id.is_(None)
        case "name":
            return rows.sort_name.like(bindparam("name"), escape="\\")
        case "category":
            children = sa.select(category.c.id).where(category.c.parent_id == bindparam("category"))
            return sa.or_(rows.category_id == bindparam("category"), rows.category_id.in_(children))
        case "domain":
            return _is_equal(rows.domain, "domain")
        case "parent" | "company" | "family":
            return _is_equal(rows[f"{condition}_id"], condition)


def _is_equal(column: sa.ColumnElement[Any], parameter: str) -> sa.ColumnElement[bool]:
    return column == bindparam(parameter)
