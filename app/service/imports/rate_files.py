"""Files of exchange rates: they count for one organisation, before those of the deployment."""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

from app.contract.dates import format_day
from app.contract.imports import ImportResult
from app.service.context import Context
from app.service.database.tables import exchange_rate
from app.service.database.visibility import EVERYBODY
from app.service.imports.file_kind import Compare, FileKind, Reading, RowCounts, Rows, with_lines
from app.service.imports.removal import add_to_removal, end_removal
from app.service.imports.store import Quota, StoredImport
from app.service.pricing.rates.files import (
    ExchangeRate,
    match_rate_columns,
    read_rate_rows,
    take_titles,
)
from app.service.pricing.rates.store import (
    BY_COMMAND,
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


class _RateWriter:
    """Counts rates beside those of their owner that count now, and stores them; they count from the end of an
    import."""

    def __init__(self, context: Context, organisation_id: str | None, import_id: str | None) -> None:
        self._context, self._owner = context, organisation_id or EVERYBODY
        self._import_id, self.counts = import_id or BY_COMMAND, RowCounts()
        with context.database.reading() as connection:
            self._known = load_rates_by_day(connection, self._owner)
        self._seen: set[tuple[str, str, date]] = set()

    def count(self, rates: Sequence[ExchangeRate]) -> Sequence[RejectedRow]:
        for row in rates:
            self.counts.say(
                lambda row=row: f"1 {row.base} = {row.rate:f} {row.currency} on {format_day(row.day)}"
            )
            key = (row.base, row.currency, row.day)
            known = self._known.get((row.base, row.currency), {}).get(row.day)
            if key in self._seen or known == row.rate:
                self.counts.repeated += 1
            elif known is None:
                self.counts.new += 1
            else:
                self.counts.changed += 1
            self._seen.add(key)
        return ()

    def write(self, rates: Sequence[ExchangeRate]) -> Sequence[RejectedRow]:
        """Store rates; those that the import has stored before are replaced."""
        now = self._context.clock()
        with self._context.database.writing() as connection:
            write_rates(connection, rates, now, owner=self._owner, import_id=self._import_id)
        return self.count(rates)

    def finish(self) -> ImportResult:
        """Return how many are new or other than those that counted."""
        new, changed, repeated = self.counts.new, self.counts.changed, self.counts.repeated
        return ImportResult(imported=new, changed=changed, repeated=repeated, refused=0)


def _compare(context: Context, one: StoredImport, _reading: Reading, counts: RowCounts) -> Compare:
    writer = _RateWriter(context, one.organisation_id, one.id)
    writer.counts = counts
    return writer.count


def _list_values(rate: ExchangeRate) -> dict[str, Any]:
    return {
        "date": rate.day.isoformat(),
        "base": rate.base,
        "currency": rate.currency,
        "rate": float(rate.rate),
    }


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
        RATES.request_following(connection, one.organisation_id, context.clock())


QUOTA = Quota(
    "exchange rates",
    "PARLEY_MAX_RATES",
    lambda settings: settings.max_rates,
    count_rates,
    ("new", "changed", "repeated"),
)


RATES = FileKind(
    name="rates",
    prepare=take_titles,
    match=match_rate_columns,
    read=with_lines(_read),
    describe=_list_values,
    compare=_compare,
    open_writer=_RateWriter,
    take_back=_take_back,
    quota=QUOTA,
    is_whole=True,
    follow=reprice_agreements,
    in_memory=RatesInMemory,
)
