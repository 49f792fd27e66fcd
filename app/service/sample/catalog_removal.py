"""Delete the sample suppliers that nothing refers to, with their products and purchases."""

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, Select

from app.service.catalog.denormalise import rebuild_categories, rebuild_records
from app.service.database.tables.agreements import agreement
from app.service.database.tables.catalog import category, company, organisation_view, product, product_family
from app.service.database.tables.negotiation import negotiation
from app.service.database.tables.pricing import calibration
from app.service.database.tables.purchases import (
    article,
    attribute_column,
    list_price,
    purchase,
    quoted_price,
)
from app.service.database.tables.scopes import scope, scope_document
from app.service.database.tables.sourcing import requirement, sourcing_quote
from app.service.database.visibility import decided_for, shared
from app.service.sample.suppliers import SAMPLE_MARK

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass(frozen=True)
class RemovedCatalog:
    """How many suppliers, products and purchases were deleted, and the names of the suppliers that stay."""

    suppliers: int
    products: int
    purchases: int
    kept: list[str]


def remove_catalog(connection: Connection, now: datetime) -> RemovedCatalog:
    """Delete the sample suppliers that no record names, whoever's it is."""
    names = {
        row.id: row.name
        for row in connection.execute(
            sa.select(company.c.id, company.c.name).where(company.c.sample.is_(sa.true()))
        )
    }
    kept = _find_named_suppliers(connection) & names.keys()
    gone = sorted(names.keys() - kept)
    products = list(connection.scalars(sa.select(product.c.id).where(product.c.company_id.in_(gone))))
    families = sa.select(product_family.c.id).where(product_family.c.company_id.in_(gone))
    views = [*gone, *products, *connection.scalars(families)]
    purchases = connection.execute(purchase.delete().where(purchase.c.company_id.in_(gone))).rowcount
    connection.execute(organisation_view.delete().where(organisation_view.c.record_id.in_(views)))
    connection.execute(
        article.delete().where(
            article.c.product_id.in_(sa.select(product.c.id).where(product.c.company_id.in_(gone)))
        )
    )
    for table in (product, product_family):
        connection.execute(table.delete().where(table.c.company_id.in_(gone)))
    connection.execute(company.delete().where(company.c.id.in_(gone)))
    _unlink_competitors(connection, {*gone, *products})
    _delete_categories(connection)
    if kept:
        rebuild_records(connection, kept, now)
    else:
        connection.execute(calibration.delete().where(calibration.c.sample.is_(sa.true())))
    if connection.scalar(sa.select(purchase.c.id).where(shared(purchase.c)).limit(1)) is None:
        # The next import of everybody's decides anew what its columns become.
        connection.execute(attribute_column.delete().where(decided_for(attribute_column.c, None)))
    rebuild_categories(connection, now)
    return RemovedCatalog(len(gone), len(products), purchases, sorted(names[one] for one in kept))


def _find_named_suppliers(connection: Connection) -> set[str]:
    """Return the suppliers that a scope, negotiation, agreement, requirement, quote or quoted price names, by
    themselves or by a product, and those with an entry or a purchase of an organisation's own."""
    sample = sa.select(company.c.id).where(company.c.sample.is_(sa.true()))
    found: set[str] = set()
    for table in (product, product_family, purchase):
        own = sa.select(table.c.company_id).where(table.c.company_id.in_(sample), ~shared(table.c))
        found.update(connection.scalars(own.distinct()))
    named = set(_read_named_ids(connection))
    supplier_of = {
        row.id: row.company_id
        for row in connection.execute(
            sa.select(product.c.id, product.c.company_id).where(product.c.company_id.in_(sample))
        )
    }
    return found | named | {supplier_of[one] for one in named & supplier_of.keys()}


def _read_named_ids(connection: Connection) -> Iterator[str]:
    """Yield every id in the terms, readings and suppliers that are on record."""
    queries: tuple[Select[*tuple[Any, ...]], ...] = (
        sa.select(scope.c.product_terms, scope.c.quote_lines, scope.c.company_id),
        sa.select(scope_document.c.reading),
        sa.select(negotiation.c.company_id, negotiation.c.supplier),
        sa.select(agreement.c.company_id, agreement.c.content),
        sa.select(requirement.c.content),
        sa.select(sourcing_quote.c.content),
        sa.select(quoted_price.c.product_id),
        sa.select(list_price.c.product_id),
    )
    for query in queries:
        for row in connection.execute(query):
            for value in row:
                yield from _UUID.findall(value if isinstance(value, str) else json.dumps(value))


def _unlink_competitors(connection: Connection, gone: Collection[str]) -> None:
    """Remove deleted entries from the competitors of the sample suppliers and products that stay."""
    sample = sa.select(company.c.id).where(company.c.sample.is_(sa.true()))
    for table, owner in ((product, product.c.company_id), (company, company.c.id)):
        for row in connection.execute(sa.select(table.c.id, table.c.details).where(owner.in_(sample))).all():
            named: list[str] = row.details.get("competitorIds", [])
            if not set(named).isdisjoint(gone):
                left = [one for one in named if one not in gone]
                details = {**row.details, "competitorIds": left}
                connection.execute(table.update().where(table.c.id == row.id).values(details=details))


def _delete_categories(connection: Connection) -> None:
    """Delete the sample's categories that nothing is in, those of the lower level first."""
    lower = category.alias()
    for _ in range(2):
        empty = sa.select(category.c.id).where(
            category.c.description.endswith(SAMPLE_MARK, autoescape=True),
            ~sa.exists().where(company.c.category_id == category.c.id),
            ~sa.exists().where(lower.c.parent_id == category.c.id),
        )
        ids = list(connection.scalars(empty))
        connection.execute(organisation_view.delete().where(organisation_view.c.record_id.in_(ids)))
        connection.execute(category.delete().where(category.c.id.in_(ids)))
