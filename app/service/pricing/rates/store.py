"""Exchange rates in the database, written by imports; those that were read last also in memory."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from datetime import date, datetime
from pathlib import Path
from time import monotonic

import numpy as np
import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.catalog.estimate_check import request_estimate_check
from app.service.context import Context
from app.service.database.batches import batched
from app.service.database.process_memory import memory_of
from app.service.database.tables.pricing import exchange_rate
from app.service.pricing.rates.exchange import NO_RATES, ExchangeRates, Series
from app.service.pricing.rates.files import ExchangeRate, read_rates
from app.service.table_files.table import RejectedRow

MAX_AGE_SECONDS = 60.0
"""Seconds after which a process checks whether rates were imported, so that an estimate need not."""
MAX_REFUSALS = 20
_BATCH_SIZE = 2_000


@dataclass
class RateReport:
    """What an import did: the number of rates written and of rows refused, and the first of those as (file,
    line, reason)."""

    imported: int = 0
    refused: int = 0
    refusals: list[tuple[str, int, str]] = field(default_factory=list[tuple[str, int, str]])

    def add_refusal(self, path: Path, row: RejectedRow) -> None:
        """Count a row that was refused."""
        self.refused += 1
        if len(self.refusals) < MAX_REFUSALS:
            self.refusals.append((path.name, row.line, row.reason))


@dataclass
class RatesInMemory:
    """The rates that a process has read, with the time of the import that they are from (None before any) and
    the monotonic time of the last check for a later one (None before the first)."""

    rates: ExchangeRates = NO_RATES
    imported_at: datetime | None = None
    checked_at: float | None = None


def load_rates(connection: Connection) -> ExchangeRates:
    """All exchange rates, as they were at most `MAX_AGE_SECONDS` ago."""
    known, now = memory_of(connection).get(RatesInMemory), monotonic()
    if known.checked_at is not None and now - known.checked_at < MAX_AGE_SECONDS:
        return known.rates
    imported_at = connection.scalar(sa.select(sa.func.max(exchange_rate.c.imported_at)))
    if known.imported_at != imported_at:
        known.rates = _load_rates(connection)
        known.imported_at = imported_at
    known.checked_at = now
    return known.rates


def _load_rates(connection: Connection) -> ExchangeRates:
    columns = exchange_rate.c
    rows = connection.execute(
        sa.select(columns.base, columns.currency, columns.day, columns.rate).order_by(columns.day)
    )
    by_pair: dict[tuple[str, str], tuple[list[int], list[float]]] = {}
    for base, currency, day, rate in rows:
        days, rates = by_pair.setdefault((base, currency), ([], []))
        days.append(day.toordinal())
        rates.append(rate)
    series: dict[tuple[str, str], Series] = {
        pair: (np.array(days, dtype=np.int64), np.log(rates)) for pair, (days, rates) in by_pair.items()
    }
    return ExchangeRates(series) if series else NO_RATES


def import_rates(context: Context, paths: Iterable[Path], *, base: str = "EUR") -> RateReport:
    """Writes the rates of CSV files, all or none; one that is there already is replaced. Raises
    UnreadableTable with the file's name."""
    report = RateReport()
    rates: dict[tuple[str, str, date], ExchangeRate] = {}
    for path in paths:
        for row in read_rates(path, base=base):
            if isinstance(row, RejectedRow):
                report.add_refusal(path, row)
            else:
                rates[row.base, row.currency, row.day] = row
    _write_rates(context, list(rates.values()))
    report.imported = len(rates)
    return report


def _write_rates(context: Context, rates: list[ExchangeRate]) -> None:
    now = context.clock()
    with context.database.writing() as connection:
        for some in batched(rates, _BATCH_SIZE):
            connection.execute(
                _DELETE_RATE, [{"of": one.base, "to": one.currency, "on": one.day} for one in some]
            )
            connection.execute(exchange_rate.insert(), [{**asdict(one), "imported_at": now} for one in some])
        request_estimate_check(connection, None, now)
    context.database.memory.forget(RatesInMemory)


_DELETE_RATE = exchange_rate.delete().where(
    exchange_rate.c.base == sa.bindparam("of"),
    exchange_rate.c.currency == sa.bindparam("to"),
    exchange_rate.c.day == sa.bindparam("on"),
)
