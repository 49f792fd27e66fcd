"""Which rows each import brought, so that undoing it takes back these and no others.

A row that was added by one import and named by another belongs to both: it stays until both are undone. A row
that was named without an import (by the command) stays for good.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, Table

from app.service.database.dialect import (
    dialect_of,
    insert_missing,
    list_parameter,
    listed_values,
    upsert,
)
from app.service.database.tables import data_import, imported_row

LIVE_STATUSES = ("importing", "completed")
"""What an import in one of these brought stays."""

Values = Mapping[str, Any]
Change = tuple[Values, Values]
"""The values of a row before an import, and those that it states."""


@dataclass
class RowChanges:
    """What an import said about a row: the values before and after, and which in the order of the imports
    that changed the row it was (0 where it has only named it)."""

    number: int = 0
    before: dict[str, Any] = field(default_factory=dict[str, Any])
    after: dict[str, Any] = field(default_factory=dict[str, Any])
    added: bool = False

    def stored(self) -> dict[str, Any]:
        return {"number": self.number, "before": self.before, "after": self.after}


class ImportedRows:
    """The rows of one import, or, with None, of what is brought without one."""

    def __init__(self, import_id: str | None) -> None:
        self._import_id = import_id

    def add(self, connection: Connection, table: Table, row_ids: Collection[object]) -> None:
        """Record rows that the import has inserted."""
        if self._import_id is not None:
            self._record(connection, table, row_ids, added=True)

    def name_again(self, connection: Connection, table: Table, row_ids: Collection[str]) -> None:
        """Record rows that the import names and that were there before."""
        of_rows = _select_of_rows(connection, table.name)
        brought = sa.select(imported_row.c.row_id).where(of_rows).distinct()
        known = connection.scalars(brought, {"values": list(row_ids)}).all()
        if self._import_id is not None:
            self._record(connection, table, known, added=False)
        elif known:
            forget_rows(connection, table.name, known)

    def change(self, connection: Connection, table: Table, changes: Mapping[str, Change]) -> None:
        """Record by row what the import says about rows that it has not added: the values before and after.
        Where it says something twice, the values before are those before the first."""
        if self._import_id is None:
            return
        changed: list[dict[str, Any]] = []
        known_by_row = load_changes(connection, table, changes.keys())
        for row_id, (before, after) in changes.items():
            known = known_by_row[row_id]
            mine = known.pop(self._import_id, None)
            if mine is not None and mine.added:
                continue
            numbers = [0, *(each.number for each in known.values())]
            record = RowChanges(
                number=mine.number if mine and mine.number else max(numbers) + 1,
                before={**before, **(mine.before if mine else {})},
                after={**(mine.after if mine else {}), **after},
            )
            changed.append({**self._row(table, row_id, added=False), "changes": record.stored()})
        if changed:
            upsert(connection, imported_row, changed)

    def _record(
        self, connection: Connection, table: Table, row_ids: Collection[object], *, added: bool
    ) -> None:
        if row_ids:
            insert_missing(
                connection, imported_row, [self._row(table, each, added=added) for each in row_ids]
            )

    def _row(self, table: Table, row_id: object, *, added: bool) -> dict[str, Any]:
        return {
            "import_id": self._import_id,
            "table_name": table.name,
            "row_id": str(row_id),
            "added": added,
        }


def load_changes(
    connection: Connection, table: Table, row_ids: Collection[str]
) -> dict[str, dict[str, RowChanges]]:
    """Load what imports said about each of these rows, by their ids."""
    query = sa.select(imported_row).where(_select_of_rows(connection, table.name))
    found: dict[str, dict[str, RowChanges]] = {row_id: {} for row_id in row_ids}
    for row in connection.execute(query, {"values": list(row_ids)}):
        stored: dict[str, Any] = row.changes or {}
        found[row.row_id][row.import_id] = RowChanges(**stored, added=row.added)
    return found


def save_changes(
    connection: Connection, table: Table, row_id: str, import_id: str, changes: RowChanges | None
) -> None:
    """Replace what an import said about a row; None where it does not count any more."""
    of_row = [imported_row.c.table_name == table.name, imported_row.c.row_id == row_id]
    connection.execute(
        imported_row.update()
        .where(*of_row, imported_row.c.import_id == import_id)
        .values(changes=None if changes is None else changes.stored())
    )


def forget_rows(
    connection: Connection, table_name: str, row_ids: Collection[str], *only: sa.ColumnElement[bool]
) -> None:
    """Forget which imports brought these rows, or only some of what they said: they stay for good, or are
    gone."""
    of_rows = _select_of_rows(connection, table_name)
    connection.execute(imported_row.delete().where(of_rows, *only), {"values": list(row_ids)})


def settle_rows(connection: Connection, table_name: str, row_ids: Collection[str], import_id: str) -> None:
    """Make rows that this import brought stay for good. What other imports changed of them can still be
    undone."""
    is_over = sa.or_(imported_row.c.import_id == import_id, imported_row.c.changes.is_(None))
    forget_rows(connection, table_name, row_ids, is_over)


def _select_of_rows(connection: Connection, table_name: str) -> sa.ColumnElement[bool]:
    """Select what imports said about the rows of a table whose ids are the parameter `values`."""
    listed = listed_values(dialect_of(connection), list_parameter("values"))
    return sa.and_(imported_row.c.table_name == table_name, imported_row.c.row_id.in_(listed))


def find_last_removal(connection: Connection) -> datetime | None:
    """Return when rows of an import were last taken back: what was read of the catalog before may be gone."""
    return connection.scalar(sa.select(sa.func.max(data_import.c.removed_at)))
