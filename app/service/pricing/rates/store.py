"""Exchange rates in the database, written by imports; those that were read last also in memory.

Each import has rows of its own, and an import over HTTP counts while it is completed: undoing it makes the
rates before it count again. An organisation's own rates come before those of the deployment.
"""

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from threading import Lock
from time import monotonic
from typing import Any

import numpy as np
import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.context import Context
from app.service.database.dialect import upsert
from app.service.database.engine import memory_of
from app.service.database.rows import batched
from app.service.database.tables import data_import, exchange_rate
from app.service.database.visibility import CALLER, EVERYBODY, owned_by
from app.service.pricing.rates.exchange import NO_RATES, ExchangeRates, Pair, Series
from app.service.pricing.rates.files import ExchangeRate

MAX_AGE_SECONDS = 5.0
"""Seconds after which a process checks whether rates of the deployment were imported, so that not every
estimate does."""
MAX_RATES_IN_MEMORY = 4_000_000
"""Rates of organisations that a process keeps, in 16 bytes each."""
BY_COMMAND = ""
"""The import of rates that a command brought: they are not undone."""
_BATCH_SIZE = 2_000

_VERSION = sa.select(
    sa.select(sa.func.max(exchange_rate.c.imported_at))
    .where(owned_by(exchange_rate.c, CALLER))
    .scalar_subquery(),
    sa.select(sa.func.max(data_import.c.updated_at))
    .where(owned_by(data_import.c, CALLER), data_import.c.kind == "rates")
    .scalar_subquery(),
)

RatesByDay = dict[Pair, dict[date, float]]


@dataclass
class _RatesOfOwner:
    """The rates of one owner, what of the database they are from, and the monotonic time of the last check
    whether that is still so (None before the first)."""

    series: Mapping[Pair, Series] = field(default_factory=dict[Pair, Series])
    rates: ExchangeRates = NO_RATES
    version: tuple[object, ...] = ()
    checked_at: float | None = None


@dataclass
class RatesInMemory:
    """The rates that a process has read, by owner, the one that was asked for last at the end."""

    by_owner: OrderedDict[str, _RatesOfOwner] = field(default_factory=OrderedDict[str, _RatesOfOwner])
    lock: Lock = field(default_factory=Lock)

    def find(self, owner: str) -> _RatesOfOwner:
        """Return what is known of the owner, and forget the owners that were not asked for longest."""
        with self.lock:
            known = self.by_owner.setdefault(owner, _RatesOfOwner())
            self.by_owner.move_to_end(owner)
            total = sum(map(_count_rates, self.by_owner.values()))
            while total > MAX_RATES_IN_MEMORY and len(self.by_owner) > 1:
                total -= _count_rates(self.by_owner.popitem(last=False)[1])
            return known


def _count_rates(known: _RatesOfOwner) -> int:
    return sum(len(days) for days, _ in known.series.values())


def load_rates(connection: Connection, organisation_id: str) -> ExchangeRates:
    """All exchange rates that count for the organisation: its own as they are, those of the deployment as
    they were at most `MAX_AGE_SECONDS` ago; with `EVERYBODY` these alone."""
    memory = memory_of(connection).get(RatesInMemory)
    everybodys = _refresh(connection, memory, EVERYBODY, max_age=MAX_AGE_SECONDS)
    if everybodys.rates.series is not everybodys.series:
        everybodys.rates = ExchangeRates(everybodys.series)
    if organisation_id == EVERYBODY:
        return everybodys.rates
    own = _refresh(connection, memory, organisation_id, max_age=0)
    if not own.series:
        return everybodys.rates
    if own.rates.series is not own.series or own.rates.fallback is not everybodys.rates:
        own.rates = ExchangeRates(own.series, everybodys.rates)
    return own.rates


def _refresh(connection: Connection, memory: RatesInMemory, owner: str, *, max_age: float) -> _RatesOfOwner:
    """Return the owner's rates, read anew when they have changed and are older than `max_age` seconds."""
    known, now = memory.find(owner), monotonic()
    if known.checked_at is None or now - known.checked_at >= max_age:
        version = _find_version(connection, owner)
        if version != known.version:
            known.series = {
                pair: (
                    np.array([day.toordinal() for day in by_day], dtype=np.int64),
                    np.log(np.fromiter(by_day.values(), dtype=np.float64)),
                )
                for pair, by_day in load_rates_by_day(connection, owner).items()
            }
            known.version = version
        known.checked_at = now
    return known


def _find_version(connection: Connection, owner: str) -> tuple[object, ...]:
    """Return what changes whenever the rates of the owner do."""
    return tuple(connection.execute(_VERSION, {CALLER.key: owner}).one())


def load_rates_by_day(connection: Connection, owner: str) -> RatesByDay:
    columns = exchange_rate.c
    counts_from = sa.func.coalesce(data_import.c.completed_at, columns.imported_at)
    rows = connection.execute(
        sa.select(columns.base, columns.currency, columns.day, columns.rate)
        .outerjoin(data_import, data_import.c.id == columns.import_id)
        .where(
            owned_by(columns, owner),
            sa.or_(columns.import_id == BY_COMMAND, data_import.c.status == "completed"),
        )
        .order_by(columns.base, columns.currency, columns.day, counts_from, columns.import_id)
    )
    found: RatesByDay = {}
    for base, currency, day, rate in rows:
        found.setdefault((base, currency), {})[day] = rate  # of several, the last
    return found


def _list_columns(rate: ExchangeRate) -> dict[str, Any]:
    return {"day": rate.day, "base": rate.base, "currency": rate.currency, "rate": rate.rate}


def write_rates(
    connection: Connection,
    rates: Sequence[ExchangeRate],
    now: datetime,
    *,
    owner: str = EVERYBODY,
    import_id: str = BY_COMMAND,
) -> None:
    """Store rates of an import; those that it has stored before are replaced."""
    beside = {"organisation_id": owner, "import_id": import_id, "imported_at": now}
    for some in batched(rates, _BATCH_SIZE):
        upsert(connection, exchange_rate, [{**_list_columns(rate), **beside} for rate in some])


def count_rates(connection: Connection, owner: str) -> int:
    """Count the rows of an owner, those that do not count any more included."""
    return (
        connection.scalar(
            sa.select(sa.func.count()).select_from(exchange_rate).where(owned_by(exchange_rate.c, owner))
        )
        or 0
    )


def list_pairs(connection: Connection, owner: str, *conditions: sa.ColumnElement[bool]) -> list[Pair]:
    """List the pairs of an owner, of which each has at most a rate for each day."""
    columns = exchange_rate.c
    query = sa.select(columns.base, columns.currency).where(owned_by(columns, owner), *conditions).distinct()
    return [(base, currency) for base, currency in connection.execute(query)]


def of_pair(owner: str, pair: Pair) -> Iterator[sa.ColumnElement[bool]]:
    """Yield the conditions for the rates of an owner's pair."""
    yield owned_by(exchange_rate.c, owner)
    yield exchange_rate.c.base == pair[0]
    yield exchange_rate.c.currency == pair[1]


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
