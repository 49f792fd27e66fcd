"""Delete rates that count no more, because an import brought later ones that will not be undone."""

from collections.abc import Iterable
from datetime import date, datetime, timedelta

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.context import Context
from app.service.database.tables import data_import, exchange_rate
from app.service.pricing.rates.exchange import Pair
from app.service.pricing.rates.store import BY_COMMAND, list_pairs, of_pair

_LOOKED_AT = timedelta(days=2)
"""For so long after an import can no longer be undone, the rates of its organisation are looked at."""


def delete_superseded_rates(context: Context, settled_before: datetime) -> None:
    """Delete them, a pair in each transaction. An import that was completed before that is not undone."""
    settled = (
        sa.select(data_import.c.organisation_id)
        .where(
            data_import.c.kind == "rates",
            data_import.c.status == "completed",
            data_import.c.completed_at <= settled_before,
            data_import.c.completed_at > settled_before - _LOOKED_AT,
        )
        .distinct()
    )
    with context.database.reading() as connection:
        owners = connection.scalars(settled).all()
        pairs = [(owner, pair) for owner in owners for pair in list_pairs(connection, owner)]
    for owner, pair in pairs:
        with context.database.writing() as connection:
            _delete_superseded(connection, owner, pair, settled_before)


def _delete_superseded(connection: Connection, owner: str, pair: Pair, settled_before: datetime) -> None:
    columns = exchange_rate.c
    counts_from = sa.func.coalesce(data_import.c.completed_at, columns.imported_at)
    is_settled = sa.or_(
        columns.import_id == BY_COMMAND,
        sa.and_(data_import.c.status == "completed", data_import.c.completed_at <= settled_before),
    )
    rows = connection.execute(
        sa.select(columns.day, columns.import_id, is_settled)
        .outerjoin(data_import, data_import.c.id == columns.import_id)
        .where(*of_pair(owner, pair), sa.or_(is_settled, data_import.c.status == "completed"))
        .order_by(columns.day, counts_from, columns.import_id)
    )
    superseded = list(_find_superseded((day, import_id, settled) for day, import_id, settled in rows))
    if superseded:
        connection.execute(
            exchange_rate.delete().where(
                *of_pair(owner, pair),
                columns.day == sa.bindparam("of_day"),
                columns.import_id == sa.bindparam("of_import"),
            ),
            [{"of_day": day, "of_import": import_id} for day, import_id in superseded],
        )


def _find_superseded(rows: Iterable[tuple[date, str, bool]]) -> Iterable[tuple[date, str]]:
    """Yield of each day those before the last that is settled."""
    earlier: list[tuple[date, str]] = []
    for day, import_id, settled in rows:
        if earlier and earlier[0][0] != day:
            earlier = []
        if settled:
            yield from earlier
            earlier = []
        earlier.append((day, import_id))
