"""Reads exchange rates from tables with one rate a row, or with one day a row and one currency a column.

The second is how the European Central Bank publishes its reference rates (`eurofxref-hist.csv`); the names of
the first include those of its data portal.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from app.service.table_files.cells import format_cell, read_currency, read_day, read_number
from app.service.table_files.columns import reject_row
from app.service.table_files.field_matching import match_fields
from app.service.table_files.heading_words import list_names
from app.service.table_files.notation import FileNotation, find_notation
from app.service.table_files.options import NOTHING_STATED, FileOptions
from app.service.table_files.questions import Questions
from app.service.table_files.reading import take_header, take_sample
from app.service.tables.headings import fold_column_name
from app.service.tables.table import InvalidRow, RejectedRow, TableRow, UnreadableTable
from app.service.values.currencies import list_codes

SYNONYMS = list_names("rates")
"""Our name of each column and its other names."""

DEFAULT_BASE = "EUR"
SMALLEST_RATE = Decimal("1e-12")


@dataclass(frozen=True, slots=True)
class ExchangeRate:
    """On `day` one unit of `base` was worth `rate` units of `currency`."""

    day: date
    base: str
    currency: str
    rate: float
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class RateColumns:
    """The positions of our fields in a row, and of the columns that hold the rates of one currency, which are
    read where there is no column for a rate."""

    fields: Mapping[str, int]
    currencies: Mapping[int, str]

    @property
    def missing(self) -> list[str]:
        """The needed fields that have no column."""
        needed = ("date",) if self.currencies else ("date", "currency", "rate")
        return [field for field in needed if field not in self.fields]


def match_rate_columns(
    header: Sequence[str], mapping: Mapping[str, str] | None = None, ignore: Sequence[str] = ()
) -> RateColumns:
    """Find what each column holds. `mapping` is our field -> the file's column, or "" for none; `ignore`
    names columns to leave out. Raises UnreadableTable for what does not fit the header."""
    matched = match_fields(header, "rates", mapping or {}, ignore, of="an exchange rate")
    fields, left_out = matched.fields, matched.left_out
    if "currency" in fields and "rate" in fields:
        return RateColumns(fields, {})
    taken = {*fields.values(), *left_out}
    names = ((at, title.strip()) for at, title in enumerate(header) if at not in taken)
    currencies = {at: name for at, name in names if name in list_codes()}
    for name in currencies.values():
        matched.positions.require_single(fold_column_name(name), name, left_out)
    return RateColumns(fields, currencies)


def read_rate_rows(
    rows: Iterator[TableRow | RejectedRow],
    said: FileOptions = NOTHING_STATED,
    questions: Questions | None = None,
) -> Iterator[ExchangeRate | RejectedRow]:
    """Yield the rates of a table, the header first, read as somebody said; what nothing says is put to
    `questions`. A row with several rates yields each, and a refusal for each that is wrong. Raises
    UnreadableTable."""
    names = take_header(rows)
    columns = match_rate_columns(names, said.mapping, said.ignored_columns)
    if columns.missing:
        raise UnreadableTable(
            f"no column for {', '.join(columns.missing)}; rates need the columns date, currency and rate (and"
            f" base), or date and one for each currency. The file has {', '.join(names[:30])}"
        )
    sample, rest = take_sample(rows)
    notation, all_rows = find_notation(
        sample,
        rest,
        dates=[columns.fields["date"]],
        numbers=list(columns.currencies) or [columns.fields["rate"]],
        date_order=said.date_order,
        number_format=said.number_format,
    )
    if questions is not None:
        questions.ask_notation(notation)
    reader = _RowReader(names, columns, said.base_currency or DEFAULT_BASE, notation)
    for row in all_rows:
        if isinstance(row, RejectedRow):
            yield row
        else:
            yield from reader.read(*row)


@dataclass(frozen=True)
class _RowReader:
    """Reads rows whose columns and notation are known."""

    header: Sequence[str]
    columns: RateColumns
    base: str
    notation: FileNotation

    def read(self, line: int, cells: Sequence[object]) -> Iterator[ExchangeRate | RejectedRow]:
        """Yield the rates of a row."""
        fields = self.columns.fields
        try:
            day = read_day("date", _cell(cells, fields["date"]), self.notation.order)
            if day is None:
                raise InvalidRow("date", "is missing")
            base = read_currency("base", _cell(cells, fields.get("base"))) or self.base
            if not self.columns.currencies:
                currency = read_currency("currency", _cell(cells, fields["currency"]))
                if currency is None:
                    raise InvalidRow("currency", "is missing")
                rate = self._read_rate("rate", cells, fields["rate"])
                if rate is None:
                    raise InvalidRow("rate", "is missing")
                yield ExchangeRate(day, base, currency, rate, line)
        except InvalidRow as error:
            yield reject_row(line, error, self.header, fields)
            return
        for at, currency in self.columns.currencies.items():
            try:
                rate = self._read_rate(currency, cells, at)
            except InvalidRow as error:
                yield reject_row(line, error, self.header, {currency: at})
            else:
                if rate is not None:
                    yield ExchangeRate(day, base, currency, rate, line)

    def _read_rate(self, name: str, cells: Sequence[object], at: int) -> float | None:
        cell = _cell(cells, at)
        rate = read_number(name, cell, self.notation.mark(at))
        if rate is not None and rate < SMALLEST_RATE:
            raise InvalidRow(name, f"{format_cell(cell)[:40]!r} is no rate above 0")
        return None if rate is None else float(rate)


def _cell(cells: Sequence[object], at: int | None) -> object:
    return cells[at] if at is not None and at < len(cells) else None
