"""Give companies the values again that they had before an import.

Imports that changed a company one after the other may be undone in any order: what an undone import said is
left out, and the company has what the last of the others said, or had before all of them.
"""

from collections.abc import Iterable, Sequence

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.catalog.catalog_plan import Values, company_values
from app.service.catalog.catalog_writer import restore_company
from app.service.catalog.rows import CompanyRow, select_rows
from app.service.database.dialect import existing_values
from app.service.database.imported_rows import RowChanges, load_changes, save_changes
from app.service.database.tables.catalog import category, company


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
        if _needs_category(connection, values):
            values["category_id"] = None
        if values:
            restore_company(connection, rows[company_id], values)
            restored.add(company_id)
        if _is_changed_since(mine, list(later.values()), current):
            since.add(company_id)
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


def _is_changed_since(mine: RowChanges, later: Sequence[RowChanges], current: Values) -> bool:
    """Whether something that is no import changed what this one had changed."""
    return any(
        current.get(name) != after
        for name, after in mine.after.items()
        if mine.before.get(name) != after and not any(name in each.after for each in later)
    )


def _needs_category(connection: Connection, values: Values) -> bool:
    """Whether the values name a category that is gone."""
    category_id = values.get("category_id")
    return category_id is not None and not existing_values(connection, category.c.id, [category_id])
