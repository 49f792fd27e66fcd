"""Exchange rates on record: written by imports, read once and kept in memory."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from datetime import date, datetime
from pathlib import Path
from time import monotonic
from weakref import WeakKeyDictionary

import numpy as np
import sqlalchemy as sa
from sqlalchemy import Connection, Engine

from app.service.context import Context
from app.service.database.batches import batched
from app.service.database.tables.pricing import exchange_rate
from app.service.pricing.rates.exchange import NO_RATES, ExchangeRates, Series
from app.service.pricing.rates.files import ExchangeRate, read_rates
from app.service.table_files.table import RejectedRow

SEEN_AFTER = 60.0
"""Seconds after which a process looks whether rates were imported: an estimate reads none."""
MAX_REFUSALS = 20
_BATCH_SIZE = 2_000


@dataclass
class RateReport:
    """What an import did: rates written, rows refused, and the first of those as (file, line, reason)."""

    imported: int = 0
    refused: int = 0
    refusals: list[tuple[str, int, str]] = field(default_factory=list[tuple[str, int, str]])

    def add_refusal(self, path: Path, row: RejectedRow) -> None:
        """Counts a row that was not taken."""
        self.refused += 1
        if len(self.refusals) < MAX_REFUSALS:
            self.refusals.append((path.name, row.line, row.reason))


@dataclass(frozen=True)
class _Read:
    looked_at: float
    version: datetime | None
    rates: ExchangeRates


_read: WeakKeyDictionary[Engine, _Read] = WeakKeyDictionary()


def rates_on_record(connection: Connection) -> ExchangeRates:
    """All of them, as they were at most `SEEN_AFTER` seconds ago."""
    known, now = _read.get(connection.engine), monotonic()
    if known is not None and now - known.looked_at < SEEN_AFTER:
        return known.rates
    version = connection.scalar(sa.select(sa.func.max(exchange_rate.c.imported_at)))
    rates = known.rates if known is not None and known.version == version else _load_rates(connection)
    _read[connection.engine] = _Read(now, version, rates)
    return rates


def _load_rates(connection: Connection) -> ExchangeRates:
    columns = exchange_rate.c
    rows = connection.execute(
        sa.select(columns.base, columns.currency, columns.day, columns.rate).order_by(columns.day)
    )
    found: dict[tuple[str, str], tuple[list[int], list[float]]] = {}
    for base, currency, day, rate in rows:
        days, worth = found.setdefault((base, currency), ([], []))
        days.append(day.toordinal())
        worth.append(rate)
    series: dict[tuple[str, str], Series] = {
        pair: (np.array(days, dtype=np.int64), np.log(worth)) for pair, (days, worth) in found.items()
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
    _read.clear()


_DELETE_RATE = exchange_rate.delete().where(
    exchange_rate.c.base == sa.bindparam("of"),
    exchange_rate.c.currency == sa.bindparam("to"),
    exchange_rate.c.day == sa.bindparam("on"),
)
