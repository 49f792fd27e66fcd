"""Files of exchange rates: they count for one organisation, before those of the deployment."""

from collections.abc import Iterator
from datetime import date
from functools import partial
from typing import Any

from app.contract.dates import format_day
from app.contract.imports import ImportResult
from app.service.catalog.estimate_check import request_estimate_check
from app.service.context import Context
from app.service.database.batches import batched
from app.service.database.tables import exchange_rate
from app.service.imports.file_kind import (
    BATCH_ROWS,
    Advance,
    FileKind,
    Reading,
    RowCounts,
    Rows,
    with_lines,
)
from app.service.imports.removal import add_to_removal, end_removal
from app.service.imports.store import Quota, StoredImport
from app.service.pricing.rates.files import (
    SYNONYMS,
    ExchangeRate,
    match_rate_columns,
    read_rate_rows,
    take_titles,
)
from app.service.pricing.rates.store import (
    RatesInMemory,
    count_rates,
    list_pairs,
    load_rates_by_day,
    of_pair,
    write_rates,
)
from app.service.purchases.agreement_lines import reprice_agreements
from app.service.tables.table import RejectedRow, UnreadableTable


def _read(reading: Reading, rows: Rows) -> Iterator[ExchangeRate | RejectedRow]:
    most = reading.settings.max_rates
    found = read_rate_rows(rows, reading.options, reading.questions)
    for number, rate in enumerate(found, start=1):
        if number > most:
            raise UnreadableTable(f"the file has more than {most:,} rates (PARLEY_MAX_RATES)")
        yield rate


class _Comparison:
    """Compares the rates of a file with those of the organisation that count now."""

    def __init__(self, context: Context, one: StoredImport) -> None:
        with context.database.reading() as connection:
            self._known = load_rates_by_day(connection, one.organisation_id)
        self._seen: set[tuple[str, str, date]] = set()
        self.counts = RowCounts()

    def add(self, row: ExchangeRate | RejectedRow) -> None:
        if isinstance(row, RejectedRow):
            self.counts.refuse(row)
            return
        self.counts.say(partial(_describe, row))
        key = (row.base, row.currency, row.day)
        known = self._known.get((row.base, row.currency), {}).get(row.day)
        if key in self._seen or known == row.rate:
            self.counts.repeated += 1
        elif known is None:
            self.counts.new += 1
        else:
            self.counts.changed += 1
        self._seen.add(key)


def _list_values(rate: ExchangeRate) -> dict[str, Any]:
    return {
        "date": rate.day.isoformat(),
        "base": rate.base,
        "currency": rate.currency,
        "rate": float(rate.rate),
    }


def _describe(rate: ExchangeRate) -> str:
    return f"1 {rate.base} = {rate.rate:f} {rate.currency} on {format_day(rate.day)}"


def _count(context: Context, one: StoredImport, reading: Reading, rows: Rows, advance: Advance) -> RowCounts:
    comparison = _Comparison(context, one)
    for some in batched(_read(reading, rows), BATCH_ROWS):
        for row in some:
            comparison.add(row)
        advance(comparison.counts.total)
    return comparison.counts


def _write(
    context: Context, one: StoredImport, reading: Reading, rows: Rows, advance: Advance
) -> ImportResult:
    """Store the rates. None counts before the import is completed."""
    comparison = _Comparison(context, one)
    for some in batched(_read(reading, rows), BATCH_ROWS):
        for row in some:
            comparison.add(row)
        rates = [row for row in some if isinstance(row, ExchangeRate)]
        with context.database.one_transaction():
            with context.database.writing() as connection:
                write_rates(connection, rates, context.clock(), owner=one.organisation_id, import_id=one.id)
            advance(comparison.counts.total)
    counts = comparison.counts
    return ImportResult(
        imported=counts.new, changed=counts.changed, repeated=counts.repeated, refused=counts.refused
    )


def _take_back(context: Context, one: StoredImport) -> None:
    """Delete the rates of an import, which count no more since it is being undone, a pair in each
    transaction."""
    of_import = exchange_rate.c.import_id == one.id
    with context.database.reading() as connection:
        pairs = list_pairs(connection, one.organisation_id, of_import)
    for pair in pairs:
        with context.database.writing() as connection:
            deleted = connection.execute(
                exchange_rate.delete().where(*of_pair(one.organisation_id, pair), of_import)
            )
            add_to_removal(context, connection, one.id, rows=deleted.rowcount)
    with context.database.writing() as connection:
        end_removal(context, connection, one, kept=())
        reprice_agreements(connection, one.organisation_id, context.clock())
        request_estimate_check(connection, one.organisation_id, context.clock())


QUOTA = Quota(
    "exchange rates",
    "PARLEY_MAX_RATES",
    lambda settings: settings.max_rates,
    count_rates,
    ("new", "changed", "repeated"),
)


RATES = FileKind(
    name="rates",
    fields=SYNONYMS,
    prepare=take_titles,
    match=match_rate_columns,
    read=with_lines(_read),
    describe=_list_values,
    count=_count,
    write=_write,
    take_back=_take_back,
    quota=QUOTA,
    in_memory=RatesInMemory,
)
