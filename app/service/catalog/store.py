"""What the catalog's rows hold, as stored wire records. Functions take the connection first."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy import ColumnElement, Connection, Table

from app.contract.catalog import CompanyPartSort, SortOrder
from app.service.catalog.names import domain_key, folded
from app.service.database.tables.catalog import category, company, product, product_family

FURTHEST = 2**62
"""Databases count no further; past the end a page is empty wherever it starts."""


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


def read_company(connection: Connection, company_id: str) -> str | None:
    return connection.scalar(sa.select(company.c.wire_read).where(company.c.id == company_id))


def read_family(connection: Connection, family_id: str) -> str | None:
    return connection.scalar(sa.select(product_family.c.wire_list).where(product_family.c.id == family_id))


def read_product(connection: Connection, product_id: str) -> str | None:
    return connection.scalar(sa.select(product.c.wire_read).where(product.c.id == product_id))


def company_exists(connection: Connection, company_id: str) -> bool:
    return connection.scalar(sa.select(company.c.id).where(company.c.id == company_id)) is not None


def list_categories(connection: Connection, parent_id: str | None, window: Window) -> StoredPage:
    """The children of a category, or the top level."""
    found = category.c.parent_id.is_(None) if parent_id is None else category.c.parent_id == parent_id
    return _page(connection, category, [found], category.c.sort_name, window)


def list_companies(
    connection: Connection, *, name: str | None, domain: str | None, category_id: str | None, window: Window
) -> StoredPage:
    """Companies by part of their name, by domain (or an address pasted from a browser) and category. A
    category finds the companies of its children too."""
    found: list[ColumnElement[bool]] = []
    if name and (part := folded(name)):
        found.append(company.c.sort_name.contains(part, autoescape=True))
    if domain and domain.strip():
        found.append(company.c.domain == domain_key(domain))
    if category_id is not None:
        children = sa.select(category.c.id).where(category.c.parent_id == category_id)
        found.append(sa.or_(company.c.category_id == category_id, company.c.category_id.in_(children)))
    return _page(connection, company, found, company.c.sort_name, window)


def list_families(
    connection: Connection, company_id: str, sort: CompanyPartSort, window: Window
) -> StoredPage:
    key = product_family.c.sort_name if sort == "name" else product_family.c.sort_order
    return _page(connection, product_family, [product_family.c.company_id == company_id], key, window)


def list_products(
    connection: Connection, company_id: str, family_id: str | None, sort: CompanyPartSort, window: Window
) -> StoredPage:
    found = [product.c.company_id == company_id]
    if family_id is not None:
        found.append(product.c.family_id == family_id)
    return _page(
        connection, product, found, product.c.sort_name if sort == "name" else product.c.sort_order, window
    )


def _page(
    connection: Connection,
    table: Table,
    found: list[ColumnElement[bool]],
    key: ColumnElement[Any],
    window: Window,
) -> StoredPage:
    if window.ids is not None:
        found = [*found, table.c.id.in_(window.ids)]
    total = connection.scalar(sa.select(sa.func.count()).select_from(table).where(*found)) or 0
    if window.offset >= total:
        return StoredPage((), total)
    order = (key.desc(), table.c.id.desc()) if window.order == "desc" else (key, table.c.id)
    page = (
        sa.select(table.c.wire_list)
        .where(*found)
        .order_by(*order)
        .limit(window.limit)
        .offset(min(window.offset, FURTHEST))
    )
    return StoredPage(connection.scalars(page).all(), total)
