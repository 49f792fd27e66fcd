"""What the columns of purchase files became, as it is stored: decided once, kept over imports."""

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.database.dialect import lock_imports, upsert
from app.service.database.engine import Database
from app.service.database.imported_rows import ImportedRows
from app.service.database.tables.purchases import attribute_column
from app.service.database.visibility import EVERYBODY, decided_for, owned_by
from app.service.purchases.attributes import ColumnDecision, ImportedColumns

KEY_SEPARATOR = "/"
"""Between the organisation and the name in the key by which an import records a column."""


def save_column_decisions(
    database: Database, columns: ImportedColumns, owner: str | None, imported_rows: ImportedRows
) -> dict[str, ColumnDecision]:
    """Decide about the columns of an import, for the owner or for everybody, and store the decisions. Returns
    those of this import."""
    organisation_id = owner or EVERYBODY
    with database.writing() as connection:
        lock_imports(connection)
        decisions = columns.decide(load_column_decisions(connection, owner))
        if decisions:
            of_owner = owned_by(attribute_column.c, organisation_id)
            stored = set(connection.scalars(sa.select(attribute_column.c.name).where(of_owner)))
            keys = {name: f"{organisation_id}{KEY_SEPARATOR}{name}" for name in decisions}
            imported_rows.add(
                connection, attribute_column, [key for name, key in keys.items() if name not in stored]
            )
            imported_rows.name_again(
                connection, attribute_column, [key for name, key in keys.items() if name in stored]
            )
            rows = [
                {"organisation_id": organisation_id, "name": name, "kind": one.kind, "reason": one.reason}
                for name, one in decisions.items()
            ]
            upsert(connection, attribute_column, rows)
    return decisions


def load_column_decisions(connection: Connection, owner: str | None) -> dict[str, ColumnDecision]:
    """Load the owner's decisions, and the shared ones for columns on which it has none."""
    rows = connection.execute(
        sa.select(attribute_column)
        .where(decided_for(attribute_column.c, owner))
        .order_by(attribute_column.c.organisation_id)
    )
    return {row.name: ColumnDecision(row.kind, row.reason) for row in rows}
