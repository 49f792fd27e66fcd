"""Undo an import of purchases or of a catalog: take back the rows that it brought, give those that it changed
their values again, and say what stays and why.

A purchase stays while another import that is not undone brought it too. An entry of the catalog stays while
anything refers to it; the next import that is undone looks at it again.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

import sqlalchemy as sa
from sqlalchemy import Connection, Table

from app.contract.money import format_count
from app.service.agreements.store import rename_suppliers
from app.service.catalog.catalog_plan import Values, company_values
from app.service.catalog.catalog_writer import restore_company
from app.service.catalog.denormalise import rebuild_categories, rebuild_records
from app.service.catalog.estimate_check import request_estimate_check
from app.service.catalog.rows import CompanyRow, select_rows
from app.service.context import Context
from app.service.database.dialect import (
    dialect_of,
    existing_values,
    list_parameter,
    listed_values,
    lock_imports,
)
from app.service.database.imported_rows import (
    LIVE_STATUSES,
    RowChanges,
    forget_rows,
    load_changes,
    save_changes,
)
from app.service.database.tables import category, company, data_import, imported_row, purchase
from app.service.imports.entry_removal import ENTRY_TABLES, describe_kept_entries, remove_entries
from app.service.imports.store import StoredImport, finish_undoing, save_removal
from app.service.purchases.agreement_lines import recheck_agreements
from app.service.purchases.product_refresh import delete_purchases, refresh_stale_products


def restore_companies(
    connection: Connection, import_id: str, company_ids: Sequence[str]
) -> tuple[set[str], set[str]]:
    """Take what the import said about these companies out of them, for good. Returns those that have values
    again from before, and those that have others since."""
    known = load_changes(connection, company, company_ids)
    query = sa.select(company).where(company.c.id.in_(company_ids))
    rows = {row["id"]: row for row in select_rows(connection, CompanyRow, query)}
    restored: set[str] = set()
    since: set[str] = set()
    for company_id in company_ids:
        by_import = known[company_id]
        mine = by_import.pop(import_id)
        save_changes(connection, company, company_id, import_id, None)
        if company_id not in rows:
            continue
        later = {key: each for key, each in by_import.items() if each.number > mine.number}
        current = company_values(rows[company_id])
        values = undo_changes(mine, later.values(), current)
        for key, each in later.items():
            save_changes(connection, company, company_id, key, each)
        category_id = values.get("category_id")
        if category_id is not None and not existing_values(connection, category.c.id, [category_id]):
            values["category_id"] = None
        if values:
            restore_company(connection, rows[company_id], values)
            restored.add(company_id)
        said_later = {name for each in later.values() for name in each.after}
        if any(
            current.get(name) != after and mine.before.get(name) != after and name not in said_later
            for name, after in mine.after.items()
        ):
            since.add(company_id)  # something that is no import changed what this one had changed
    return restored, since


def undo_changes(mine: RowChanges, later: Iterable[RowChanges], current: Values) -> Values:
    """Return the values that a row gets back. What it had before is handed on to the first of the `later`
    imports that says something about the same."""
    values: Values = {}
    in_order = sorted(later, key=lambda each: each.number)
    for name, after in mine.after.items():
        before = mine.before.get(name)
        following = next((each for each in in_order if name in each.after), None)
        if following is not None:
            following.before[name] = before
        elif current.get(name) == after and before != after:
            values[name] = before
    return values


BATCH_ROWS = 5_000
ENTRY_BATCH = 500


def take_back(context: Context, one: StoredImport) -> None:
    """Take back the rows of an import that is being undone, a batch in each transaction."""
    while _remove_purchases(context, one):
        pass
    while _restore_companies(context, one):
        pass
    for table in ENTRY_TABLES:
        last: str | None = ""
        while last is not None:
            last = _remove_entries(context, one, table, last)
    refresh_stale_products(context.database, context.clock())
    with context.database.writing() as connection:
        rebuild_categories(connection, context.clock())
        end_removal(context, connection, one, kept=describe_kept_entries(connection, one.id))
        request_estimate_check(connection, one.organisation_id, context.clock())


def end_removal(context: Context, connection: Connection, one: StoredImport, *, kept: Sequence[str]) -> None:
    """Store what was taken back and what is `kept`, and end the undoing."""
    removal = _load_removal(connection, one.id)
    sentences = list(kept)
    if number := removal["changed_since"]:
        sentences.insert(0, f"{format_count(number, 'supplier')}: changed again since.")
    if number := removal["shared"]:
        sentences.insert(0, f"{format_count(number, 'purchase')}: another import brought them too.")
    record = {"rows": removal["rows"], "entries": removal["entries"], "kept": sentences}
    if one.kind == "catalog":
        record["restored"] = removal["restored"]
    save_removal(connection, one.id, record, context.clock())
    finish_undoing(connection, one.id, context.clock())


def _remove_purchases(context: Context, one: StoredImport) -> bool:
    """Delete some of the import's purchases; whether there may be more."""
    with context.database.writing() as connection:
        lock_imports(connection)
        brought = imported_row.c.import_id == one.id, imported_row.c.table_name == purchase.name
        row_ids = list_brought(connection, brought, most=BATCH_ROWS)
        if not row_ids:
            return False
        shared = find_rows_of_live_imports(connection, purchase.name, row_ids)
        gone = {"values": [each for each in row_ids if each not in shared]}
        listed = listed_values(dialect_of(connection), list_parameter("values"))
        products, deleted = delete_purchases(connection, one.organisation_id, purchase.c.id.in_(listed), gone)
        recheck_agreements(connection, one.organisation_id, products, context.clock())
        forget_rows(connection, purchase.name, gone["values"])
        connection.execute(
            imported_row.delete().where(*brought, imported_row.c.row_id.in_(listed)), {"values": list(shared)}
        )
        add_to_removal(context, connection, one.id, rows=deleted, shared=len(shared))
    return len(row_ids) == BATCH_ROWS


def _restore_companies(context: Context, one: StoredImport) -> bool:
    """Give some companies the values again that they had before the import; whether there may be more."""
    with context.database.writing() as connection:
        lock_imports(connection)
        brought = imported_row.c.import_id == one.id, imported_row.c.table_name == company.name
        changed = (*brought, imported_row.c.changes.is_not(None))
        row_ids = list_brought(connection, changed, most=ENTRY_BATCH)
        restored, since = restore_companies(connection, one.id, row_ids)
        rebuild_records(connection, restored, context.clock(), one.organisation_id)
        rename_suppliers(connection, one.organisation_id, restored)
        add_to_removal(context, connection, one.id, restored=len(restored), changed_since=len(since))
    return len(row_ids) == ENTRY_BATCH


def _remove_entries(context: Context, one: StoredImport, table: Table, last: str) -> str | None:
    """Delete the entries after the key `last` that undone imports of the organisation have brought and that
    nothing needs; return the last key that was looked at, None at the end."""
    with context.database.writing() as connection:
        lock_imports(connection)
        undone = (
            sa.select(imported_row.c.row_id)
            .join(data_import, data_import.c.id == imported_row.c.import_id)
            .where(
                data_import.c.organisation_id == one.organisation_id,
                data_import.c.status.not_in(LIVE_STATUSES),
                imported_row.c.table_name == table.name,
                imported_row.c.row_id > last,
                imported_row.c.added,
            )
            .distinct()
            .order_by(imported_row.c.row_id)
            .limit(ENTRY_BATCH)
        )
        row_ids = list(connection.scalars(undone))
        if not row_ids:
            return None
        shared = find_rows_of_live_imports(connection, table.name, row_ids)
        candidates = [each for each in row_ids if each not in shared]
        gone = remove_entries(connection, table, candidates, one.organisation_id, context.clock())
        forget_rows(connection, table.name, gone)
        add_to_removal(context, connection, one.id, entries=len(gone))
    return row_ids[-1] if len(row_ids) == ENTRY_BATCH else None


def list_brought(
    connection: Connection,
    conditions: Iterable[sa.ColumnElement[bool]],
    last: str = "",
    most: int | None = None,
) -> list[str]:
    """Return the ids of rows that imports brought, in their order, those after the id `last`."""
    query = sa.select(imported_row.c.row_id).where(*conditions, imported_row.c.row_id > last)
    return list(connection.scalars(query.order_by(imported_row.c.row_id).limit(most)))


def find_rows_of_live_imports(
    connection: Connection, table_name: str, row_ids: Collection[str]
) -> frozenset[str]:
    """Return those of the rows that an import brought which is not undone."""
    listed = listed_values(dialect_of(connection), list_parameter("values"))
    live = (
        sa.select(imported_row.c.row_id)
        .join(data_import, data_import.c.id == imported_row.c.import_id)
        .where(
            imported_row.c.table_name == table_name,
            imported_row.c.row_id.in_(listed),
            data_import.c.status.in_(LIVE_STATUSES),
        )
    )
    return frozenset(connection.scalars(live, {"values": list(row_ids)}))


def _load_removal(connection: Connection, import_id: str) -> dict[str, int]:
    """Return what was taken back so far."""
    query = sa.select(data_import.c.removal).where(data_import.c.id == import_id)
    stored: Mapping[str, int] = connection.scalar(query) or {}
    names = ("rows", "entries", "shared", "restored", "changed_since")
    return {name: int(stored.get(name, 0)) for name in names}


def add_to_removal(context: Context, connection: Connection, import_id: str, **more: int) -> None:
    """Add to the numbers of what was taken back so far."""
    so_far = _load_removal(connection, import_id)
    added = {name: number + more.get(name, 0) for name, number in so_far.items()}
    save_removal(connection, import_id, added, context.clock())
