"""Forgets which rows an import brought once it can no longer be undone, and cancels what nobody confirmed."""

from datetime import timedelta

import sqlalchemy as sa

from app.contract.imports import UNDO_TIME
from app.service.access.audit import IMPORT_UNCONFIRMED, Subject, write_outcomes
from app.service.context import Context
from app.service.database.imported_rows import settle_rows
from app.service.database.tables import data_import, imported_row
from app.service.pricing.rates.store import delete_superseded_rates

UNCONFIRMED_TIME = timedelta(days=7)
"""How long a checked file waits for a person."""
BATCH_ROWS = 5_000


def forget_old_imports(context: Context) -> None:
    """Make the rows of imports that can no longer be undone stay for good, a batch in each transaction, and
    cancel imports that wait too long."""
    before = context.clock() - UNDO_TIME
    while _forget_some(context, data_import.c.completed_at <= before, data_import.c.status == "completed"):
        pass
    delete_superseded_rates(context, before)
    # What an undone import left behind is looked at again while a later one can be undone.
    ended = data_import.c.status.in_(("undone", "cancelled", "failed"))
    while _forget_some(context, data_import.c.updated_at <= before - UNDO_TIME, ended):
        pass
    waits = data_import.c.status.in_(("incomplete", "ready"))
    unconfirmed = data_import.c.updated_at <= context.clock() - UNCONFIRMED_TIME
    with context.database.writing() as connection:
        cancelled = connection.execute(
            data_import.update()
            .where(waits, unconfirmed)
            .values(status="cancelled")
            .returning(data_import.c.organisation_id, data_import.c.id)
        ).all()
        outcomes = [(IMPORT_UNCONFIRMED, Subject(*found)) for found in cancelled]
        write_outcomes(connection, outcomes, context.clock())


def _forget_some(context: Context, *of_imports: sa.ColumnElement[bool]) -> bool:
    """Forget some rows of these imports; whether there were any."""
    some = (
        sa.select(imported_row.c.import_id, imported_row.c.table_name, imported_row.c.row_id)
        .join(data_import, data_import.c.id == imported_row.c.import_id)
        .where(*of_imports)
        .limit(BATCH_ROWS)
    )
    with context.database.writing() as connection:
        row_ids: dict[tuple[str, str], list[str]] = {}
        for import_id, table_name, row_id in connection.execute(some):
            row_ids.setdefault((import_id, table_name), []).append(row_id)
        for (import_id, table_name), some_ids in row_ids.items():
            settle_rows(connection, table_name, some_ids, import_id)
    return bool(row_ids)
