"""Import files of exchange rates that an operator names, and delete rates that count no more, because an
import brought later ones that will not be undone."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.access.keys import find_organisation
from app.service.catalog.estimate_check import request_estimate_check
from app.service.context import Context
from app.service.database.tables import data_import, exchange_rate
from app.service.database.visibility import EVERYBODY
from app.service.pricing.rates.exchange import Pair
from app.service.pricing.rates.files import ExchangeRate, read_rate_rows, take_titles
from app.service.pricing.rates.store import BY_COMMAND, RatesInMemory, list_pairs, of_pair, write_rates
from app.service.purchases.agreement_lines import reprice_agreements
from app.service.table_files.isolated_reading import open_table_file
from app.service.table_files.options import NOTHING_STATED, FileOptions
from app.service.table_files.reading import name_file_in_errors
from app.service.tables.reading import list_rows
from app.service.tables.table import RejectedRow

MAX_REFUSALS = 20


@dataclass
class RateReport:
    """What an import did: the number of rates written and of those refused, and the first of these as (file,
    line, reason)."""

    imported: int = 0
    refused: int = 0
    refusals: list[tuple[str, int, str]] = field(default_factory=list[tuple[str, int, str]])

    def add_refusal(self, path: Path, row: RejectedRow) -> None:
        """Count a rate that was refused."""
        self.refused += 1
        if len(self.refusals) < MAX_REFUSALS:
            self.refusals.append((path.name, row.line, row.reason))


def import_rates(
    context: Context,
    paths: Iterable[Path],
    said: FileOptions = NOTHING_STATED,
    *,
    organisation: str | None = None,
) -> RateReport:
    """Write the rates of files, all or none; one that is there already is replaced. With `organisation`, a
    name, they count for it alone. Raises UnreadableTable with the file's name, and UnknownOrganisation."""
    with context.database.reading() as connection:
        owner = None if organisation is None else find_organisation(connection, organisation)
    report = RateReport()
    rates: dict[tuple[str, str, date], ExchangeRate] = {}
    for path in paths:
        opened = open_table_file(path, said)
        with name_file_in_errors(path), opened as found:
            table, stated, _ = take_titles(found, said)
            for row in read_rate_rows(list_rows(table), stated):
                if isinstance(row, RejectedRow):
                    report.add_refusal(path, row)
                else:
                    rates[row.base, row.currency, row.day] = row
    now = context.clock()
    with context.database.writing() as connection:
        write_rates(connection, list(rates.values()), now, owner=owner or EVERYBODY)
        request_estimate_check(connection, owner, now)
        if owner is not None:
            reprice_agreements(connection, owner, now)
    context.database.memory.forget(RatesInMemory)
    report.imported = len(rates)
    return report


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
