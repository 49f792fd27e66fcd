"""Which rows each import brought, so that undoing it takes back these and no others.

A row that was added by one import and named by another belongs to both: it stays until both are undone. A row
that was named without an import (by the command) stays for good.
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, Table

from app.service.database.dialect import dialect_of, insert_missing, list_parameter, listed_values
from app.service.database.tables.imports import data_import, imported_row


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
        listed = listed_values(dialect_of(connection), list_parameter("values"))
        brought = (
            sa.select(imported_row.c.row_id)
            .where(imported_row.c.table_name == table.name, imported_row.c.row_id.in_(listed))
            .distinct()
        )
        known = connection.scalars(brought, {"values": list(row_ids)}).all()
        if self._import_id is not None:
            self._record(connection, table, known, added=False)
        elif known:
            forget_rows(connection, table.name, known)

    def change(
        self, connection: Connection, table: Table, row_id: str, changes: Mapping[str, Mapping[str, Any]]
    ) -> None:
        """Record that the import changed a row, with the values `before` and `after`."""
        if self._import_id is None:
            return
        row = self._row(table, row_id, added=False)
        insert_missing(connection, imported_row, [row])
        mine = [imported_row.c[name] == row[name] for name in ("import_id", "table_name", "row_id")]
        connection.execute(imported_row.update().where(*mine).values(changes=changes))

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


def forget_rows(connection: Connection, table_name: str, row_ids: Collection[str]) -> None:
    """Forget which imports brought these rows: they stay for good, or are gone."""
    listed = listed_values(dialect_of(connection), list_parameter("values"))
    connection.execute(
        imported_row.delete().where(
            imported_row.c.table_name == table_name, imported_row.c.row_id.in_(listed)
        ),
        {"values": list(row_ids)},
    )


def find_last_removal(connection: Connection) -> datetime | None:
    """Return when rows of an import were last taken back: what was read of the catalog before may be gone."""
    return connection.scalar(sa.select(sa.func.max(data_import.c.removed_at)))
