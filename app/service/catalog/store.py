"""What the catalog's rows hold, as stored wire records. Functions take the connection first."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import sqlalchemy as sa
from sqlalchemy import Connection, Select, Table, bindparam

from app.contract.catalog import CompanyPartSort, SortOrder
from app.service.catalog.names import domain_key, folded
from app.service.database.tables.catalog import category, company, product, product_family


@dataclass(frozen=True)
class Window:
    """Which part of a list, and which way round. `ids` None means all."""

    limit: int
    offset: int
    order: SortOrder = "asc"
    ids: Sequence[str] | None = None


@dataclass(frozen=True)
class StoredPage:
    """Wire records of a list page, and how many there are on all pages."""

    records: Sequence[str]
    total: int


_READ_COMPANY = sa.select(company.c.wire_read).where(company.c.id == bindparam("id"))
_READ_FAMILY = sa.select(product_family.c.wire_list).where(product_family.c.id == bindparam("id"))
_READ_PRODUCT = sa.select(product.c.wire_read).where(product.c.id == bindparam("id"))
_COMPANY_EXISTS = sa.select(company.c.id).where(company.c.id == bindparam("id"))

Condition = Literal["top", "parent", "name", "domain", "category", "company", "family"]

_CHILDREN = sa.select(category.c.id).where(category.c.parent_id == bindparam("category"))
_CONDITIONS = {
    "top": category.c.parent_id.is_(None),
    "parent": category.c.parent_id == bindparam("parent"),
    "name": company.c.sort_name.like(bindparam("name"), escape="\\"),
    "domain": company.c.domain == bindparam("domain"),
    "category": sa.or_(company.c.category_id == bindparam("category"), company.c.category_id.in_(_CHILDREN)),
    "family": product.c.family_id == bindparam("family"),
}
_TABLES = {"categories": category, "companies": company, "families": product_family, "products": product}


def read_company(connection: Connection, company_id: str) -> str | None:
    return connection.scalar(_READ_COMPANY, {"id": company_id})


def read_family(connection: Connection, family_id: str) -> str | None:
    return connection.scalar(_READ_FAMILY, {"id": family_id})


def read_product(connection: Connection, product_id: str) -> str | None:
    return connection.scalar(_READ_PRODUCT, {"id": product_id})


def company_exists(connection: Connection, company_id: str) -> bool:
    return connection.scalar(_COMPANY_EXISTS, {"id": company_id}) is not None


def list_categories(connection: Connection, parent_id: str | None, window: Window) -> StoredPage:
    """The children of a category, or the top level."""
    asked: dict[Condition, Any] = {"top": None} if parent_id is None else {"parent": parent_id}
    return _page(connection, "categories", asked, "sort_name", window)


def list_companies(
    connection: Connection, *, name: str | None, domain: str | None, category_id: str | None, window: Window
) -> StoredPage:
    """Companies by part of their name, by domain (or an address pasted from a browser) and category. A
    category finds the companies of its children too."""
    asked: dict[Condition, Any] = {}
    if name and (part := folded(name)):
        asked["name"] = "%" + re.sub(r"([%_\\])", r"\\\1", part) + "%"
    if domain and domain.strip():
        asked["domain"] = domain_key(domain)
    if category_id is not None:
        asked["category"] = category_id
    return _page(connection, "companies", asked, "sort_name", window)


def list_families(
    connection: Connection, company_id: str, sort: CompanyPartSort, window: Window
) -> StoredPage:
    return _page(connection, "families", {"company": company_id}, _SORTED[sort], window)


def list_products(
    connection: Connection, company_id: str, family_id: str | None, sort: CompanyPartSort, window: Window
) -> StoredPage:
    asked: dict[Condition, Any] = {"company": company_id}
    if family_id is not None:
        asked["family"] = family_id
    return _page(connection, "products", asked, _SORTED[sort], window)


_SORTED: dict[CompanyPartSort, str] = {"name": "sort_name", "sortOrder": "sort_order"}


def _page(
    connection: Connection, what: str, asked: dict[Condition, Any], key: str, window: Window
) -> StoredPage:
    values: dict[str, Any] = {condition: value for condition, value in asked.items() if condition != "top"}
    if window.ids is not None:
        values["ids"] = window.ids
    count, page = _statements(what, tuple(asked), key, window.order, window.ids is not None)
    total = connection.scalar(count, values) or 0
    if window.offset >= total:
        return StoredPage((), total)
    place = {"limit": window.limit, "offset": window.offset}
    return StoredPage(connection.scalars(page, {**values, **place}).all(), total)


@lru_cache(maxsize=256)
def _statements(
    what: str, conditions: tuple[Condition, ...], key: str, order: SortOrder, with_ids: bool
) -> tuple[Select[int], Select[str]]:
    """How many there are, and one page. Building a statement takes longer than running it."""
    table: Table = _TABLES[what]
    found = [
        table.c.company_id == bindparam("company") if condition == "company" else _CONDITIONS[condition]
        for condition in conditions
    ]
    if with_ids:
        found.append(table.c.id.in_(bindparam("ids", expanding=True)))
    keys = [table.c[key], table.c.id]
    page = (
        sa.select(table.c.wire_list)
        .where(*found)
        .order_by(*(column.desc() for column in keys) if order == "desc" else keys)
        .limit(bindparam("limit"))
        .offset(bindparam("offset"))
    )
    return sa.select(sa.func.count()).select_from(table).where(*found), page
