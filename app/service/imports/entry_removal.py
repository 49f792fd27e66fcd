"""Delete entries of the catalog that an import brought, as far as nothing refers to them."""

from collections.abc import Collection, Mapping, Sequence, Set
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, Table

from app.contract.money import format_count
from app.service.catalog.denormalise import rebuild_records
from app.service.database.imported_rows import LIVE_STATUSES
from app.service.database.removal import NAMED_BY, find_named_ids
from app.service.database.tables import (
    agreement,
    article,
    attribute_column,
    category,
    company,
    data_import,
    imported_row,
    organisation_view,
    product,
    product_family,
)
from app.service.database.visibility import owned_by
from app.service.purchases.attributes import KEY_SEPARATOR

ENTRY_TABLES = (article, product, product_family, company, category, category, attribute_column)
"""The tables of entries, each before those that it refers to: categories below others before these."""

MAX_NAMES = 3
"""Names that a sentence about several entries gives."""


def remove_entries(
    connection: Connection, table: Table, row_ids: Sequence[str], organisation_id: str, now: datetime
) -> list[str]:
    """Delete those of the entries that nothing refers to, and bring the records that showed them up to date.
    Returns the keys of those deleted."""
    if table is attribute_column:
        return _remove_columns(connection, row_ids)
    other = table.alias("other")
    named = [
        sa.exists().where((other if source is table else source).c[key.parent.name] == table.c.id)
        for source in table.metadata.tables.values()
        for key in source.foreign_keys
        if key.references(table)
    ]
    query = sa.select(table.c.id).where(table.c.id.in_(_keys(table, row_ids)), ~sa.or_(*named))
    free = {str(each) for each in connection.scalars(query)}
    if table in (product, company) and free:
        free -= find_named_ids(connection, organisation_id)
    if not free:
        return []
    keys = _keys(table, free)
    affected: set[str] = set()
    if table in (product, product_family):
        affected.update(connection.scalars(sa.select(table.c.company_id).where(table.c.id.in_(keys))))
    connection.execute(table.delete().where(table.c.id.in_(keys)))
    if table in (product, company):
        connection.execute(organisation_view.delete().where(organisation_view.c.record_id.in_(keys)))
        affected |= _unlink_competitors(connection, free, organisation_id)
    if affected:
        rebuild_records(connection, affected, now, organisation_id)
    return sorted(free)


_REASON = f"{NAMED_BY} refer to"
NOUNS: Mapping[Table, tuple[str, str, str]] = {
    product: ("product", "products", _REASON),
    company: ("supplier", "suppliers", _REASON),
    category: ("category", "categories", "suppliers or other categories refer to"),
    agreement: ("agreement", "agreements", "a person, or what followed, has changed or decided on"),
}
"""What the rows of a table are called, one and several, and why one may have to stay."""


def describe_kept_entries(connection: Connection, import_id: str) -> list[str]:
    """Return sentences about what the import brought and that is still there."""
    sentences: list[str] = []
    another = imported_row.alias("another")
    named_too = sa.exists(
        sa.select(another.c.row_id)
        .join(data_import, data_import.c.id == another.c.import_id)
        .where(
            another.c.table_name == imported_row.c.table_name,
            another.c.row_id == imported_row.c.row_id,
            data_import.c.status.in_(LIVE_STATUSES),
        )
    )
    for table, (one, several, reason) in NOUNS.items():
        query = (
            sa.select(table.c.name)
            .join(imported_row, imported_row.c.row_id == table.c.id)
            .where(
                imported_row.c.import_id == import_id,
                imported_row.c.table_name == table.name,
                imported_row.c.added,
            )
            .order_by(table.c.name)
        )
        for why, condition in ((reason, ~named_too), ("another import brought", named_too)):
            names: list[str] = list(connection.scalars(query.where(condition)))
            if names:
                shown = ", ".join(names[:MAX_NAMES]) + (", …" if len(names) > MAX_NAMES else "")
                them = ("it" if len(names) == 1 else "them") + (" too" if condition is named_too else "")
                number = format_count(len(names), one, several)
                sentences.append(f"{number} ({shown}): {why} {them}.")
    return sentences


def _keys(table: Table, row_ids: Collection[str]) -> list[Any]:
    return sorted(map(int, row_ids)) if table is article else sorted(row_ids)


def _unlink_competitors(connection: Connection, gone: Set[str], organisation_id: str) -> set[str]:
    """Remove deleted entries from the competitors of others; return the companies whose records show that."""
    affected: set[str] = set()
    for table in (product, company):
        owner = table.c.company_id if table is product else table.c.id
        query = sa.select(table.c.id, owner, table.c.details).where(owned_by(table.c, organisation_id))
        for row_id, company_id, details in connection.execute(query).all():
            named: list[str] = details.get("competitorIds", [])
            if not gone.isdisjoint(named):
                left = [each for each in named if each not in gone]
                values = {"details": {**details, "competitorIds": left}}
                connection.execute(table.update().where(table.c.id == row_id).values(**values))
                affected.add(company_id)
    return affected


def _remove_columns(connection: Connection, row_ids: Sequence[str]) -> list[str]:
    """Delete what columns of purchase files became: a later import decides anew."""
    for row_id in row_ids:
        organisation_id, _, name = row_id.partition(KEY_SEPARATOR)
        connection.execute(
            attribute_column.delete().where(
                owned_by(attribute_column.c, organisation_id), attribute_column.c.name == name
            )
        )
    return list(row_ids)
