"""Reads exchange rates from tables with one rate a row, or with one day a row and one currency a column.

The second is how the European Central Bank publishes its reference rates (`eurofxref-hist.csv`); the names of
the first include those of its data portal.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from functools import cached_property

from app.contract.dates import format_day
from app.service.documents.values.dates import find_dates
from app.service.purchases.columns import match_columns
from app.service.table_files.cells import read_currency, read_day, read_number, read_price_count
from app.service.table_files.column_cells import Rows, list_texts
from app.service.table_files.columns import reject_row
from app.service.table_files.field_matching import ColumnUse, MatchedFields, find_level, match_fields
from app.service.table_files.heading_words import list_word_group, load_heading_words
from app.service.table_files.options import NOTHING_STATED, FileOptions
from app.service.table_files.questions import FileNotation, Questions, find_notation
from app.service.table_files.reading import HEADING_ROWS, add_column, read_start
from app.service.tables.headings import fold_column_name, take_first
from app.service.tables.table import InvalidRow, RejectedRow, Table, TableRow, format_cell
from app.service.values.currencies import list_codes
from app.service.values.currencies import read_currency as read_currency_name
from app.service.values.money import find_heading_currency
from app.service.values.periods import PER_IN_TEXT

DEFAULT_BASE = "EUR"
_NO_BASE = (
    f"is not stated, and the file has rates of {DEFAULT_BASE} itself, or a title with another currency: say"
    " what the base currency is"
)
SMALLEST_RATE = Decimal("1e-12")
_PAIR = re.compile(r"(?:FX[_ -]?)?(?P<base>[A-Z]{3})[/_-]?(?P<currency>[A-Z]{3})")
_EQUATION = re.compile(r"(?:1 ?)?(?P<base>[A-Z]{3}|[A-Z]{0,2}[^\w\s]) ?1? ?= ?(?P<currency>[A-Z]{3})")
_SERIES = re.compile(r"\bEXR\.[A-Z]\.(?P<currency>[A-Z]{3})\.(?P<base>[A-Z]{3})\.")
"""The key by which statistics name a series of rates: what the second currency is worth in the first."""
_POWER_OF_TEN = re.compile("10{0,6}")
_COUNTED = re.compile(r"(?P<count>10{0,5})? ?(?P<currency>[A-Z]{3})")
_PER_ONE = re.compile(
    rf"\b(?:{PER_IN_TEXT})\s+(?:1\s*)?(?P<base>[A-Z]{{3}}\b|[^\w\s]|[A-Z]{{1,3}}\$)(?:\s*1)?(?!\w)"
)
_BASE = re.compile(
    rf"(?:\b(?:{PER_IN_TEXT})\s+(?:1\s+)?|\b1\s*(?=[A-Z]{{3}}\s*=)|\b[Bb]ase(?: currency)?\s*[:=]?\s*)"
    r"(?P<base>[A-Z]{3})\b"
)
"""Words of a title before the base of its rates: `1 USD =`, `per EUR`, `Base: CHF`."""
_DAY = "Date"
"""The heading of a column with the day of a title."""


@dataclass(frozen=True, slots=True)
class ExchangeRate:
    """On `day` one unit of `base` was worth `rate` units of `currency`."""

    day: date
    base: str
    currency: str
    rate: float
    line: int = field(default=0, compare=False)


@dataclass
class RateColumns(MatchedFields):
    """The columns of a file of exchange rates, and those that hold the rates of one currency, which are read
    where there is no column for a rate. `quoted_in` is the currency that the heading of the rates names: such
    rates say what the row's currency is worth in another. `bases` are the currencies of which one is worth
    the rate, by the position of the rate: of `EURUSD` and `Rate per EUR`. `counts` are how many of its
    currency the rate of a column is for, of `100HUF`: it says what they are worth in the base."""

    about_missing = (
        "Rates need the columns date, currency and rate (and base), or date and one for each currency. "
    )

    currencies: dict[int, str] = field(default_factory=dict[int, str])
    quoted_in: str | None = None
    bases: dict[int, str] = field(default_factory=dict[int, str])
    counts: dict[int, Decimal] = field(default_factory=dict[int, Decimal])

    @cached_property
    def units(self) -> int | None:
        """The position of how many units of the row's currency a rate is for."""
        return None if self.currencies else next(iter(self.list_role("units")), None)

    @cached_property
    def times(self) -> int | None:
        """The position of how many units of the other currency a rate counts."""
        return None if self.currencies else next(iter(self.list_role("times")), None)

    @property
    def required(self) -> Collection[str]:
        """The needed fields."""
        return ("date",) if self.currencies else ("date", "currency", "rate")

    @property
    def typicality(self) -> int:
        """0 where no heading is of rates, or one is of what is bought: hours have a rate and a currency too;
        2 where a person may choose a rate among several, `Buying` and `Selling`, or nothing is bought."""
        known = {*self.fields.values(), *self.currencies, self.units, self.times}
        bought = match_columns(self.header)
        counted = {at for at, name in bought.offered.items() if name == "quantity"}
        counted |= {bought.fields[name] for name in ("quantity", "supplier") if name in bought.fields}
        has_rates = bool(self.currencies) or not self.fields.keys().isdisjoint(("date", "base", "rate"))
        if not has_rates or not counted <= known:
            return 0
        goods = {*bought.fields, *bought.offered.values()} & {"supplier", "product", "description"}
        return 1 if goods and "rate" not in self.offered.values() else 2

    @property
    def uses(self) -> Mapping[ColumnUse, Collection[int]]:
        """The positions of the rates of one currency, and of what rates are read with."""
        counts = [at for at in (self.units, self.times) if at is not None]
        return {"currency": self.currencies, "read": counts}


def match_rate_columns(
    header: Sequence[str],
    mapping: Mapping[str, str] | None = None,
    ignore: Sequence[str] = (),
    sample_rows: Rows = (),
) -> RateColumns:
    """Find what each column holds. `mapping` is our field -> the file's column, or "" for none; `ignore`
    names columns to leave out; the cells of `sample_rows` tell the codes of currencies from their names.
    Raises UnreadableTable for what does not fit the header."""
    matched = match_fields(
        RateColumns, header, "rates", mapping or {}, ignore, of="an exchange rate", amounts=("rate",)
    )
    fields, left_out = matched.fields, matched.left_out
    if "rate" in fields and "currency" not in (mapping or {}):
        _take_codes(matched, sample_rows)
        _take_units(matched, sample_rows)
    if "currency" in fields and "rate" in fields:
        title = header[fields["rate"]]
        named, per_one = find_heading_currency(title), _PER_ONE.search(title)
        of_one = None if per_one is None else read_currency_name(per_one["base"])
        if named in list_codes() and "base" not in fields:
            if of_one == named:
                matched.bases[fields["rate"]] = named
            else:
                matched.quoted_in = named
        return matched
    taken = {*fields.values(), *left_out}
    names = ((at, title.partition(" (")[0].strip()) for at, title in enumerate(header) if at not in taken)
    for at, name in names:
        pair = _PAIR.fullmatch(name) or _EQUATION.fullmatch(name) or _SERIES.search(header[at])
        counted = _read_counted(name)
        base = None if pair is None else read_currency_name(pair["base"])
        if name in list_codes():
            matched.currencies[at] = name
        elif pair is not None and list_codes() >= {base, pair["currency"]} and "base" not in fields:
            matched.currencies[at], matched.bases[at] = pair["currency"], base or ""
        elif counted is not None:
            matched.counts[at], matched.currencies[at] = counted
        else:
            continue
        matched.positions.require_single(fold_column_name(name), name, left_out)
    return matched


def _take_codes(matched: MatchedFields, rows: Rows) -> None:
    """Take the only column that has codes of currencies and no other meaning, where the one that its heading
    calls so has none. Beside a base it is none that is called so too: one of them is worth the rate."""
    named, bases = matched.fields.get("currency"), load_heading_words("rates").fields["base"]
    cells = list[str]() if named is None else list_texts(rows, named)
    if cells and list_codes() >= {*map(read_currency_name, cells)}:
        return
    others = {*matched.fields.values()} - {named}
    if "base" in matched.fields:
        others |= {at for at, heading in matched.headings.items() if find_level(bases, heading)}
    texts = {at: {*list_texts(rows, at)} for at in matched.headings if at not in others}
    codes = [at for at, found in texts.items() if len(found) > 1 and all(map(_read_counted, found))]
    if len(codes) == 1:
        matched.fields["currency"] = codes[0]


def _read_counted(text: str) -> tuple[Decimal, str] | None:
    """Return how many of which currency a cell names, `100 JPY` or `JPY`; None for another text."""
    found = _COUNTED.fullmatch(text.strip())
    return (
        (Decimal(found["count"] or 1), found["currency"])
        if found and found["currency"] in list_codes()
        else None
    )


def _take_units(matched: MatchedFields, rows: Rows) -> None:
    """Take the only column of powers of ten, with hundreds or called a quantity, for how many units a rate is
    for."""
    words = list_word_group("quantity") | list_word_group("amount")
    free = sorted(matched.headings.keys() - {*matched.fields.values()})
    texts = {at: {*list_texts(rows, at)} for at in free}
    units = [
        at
        for at, found in texts.items()
        if found and all(map(_POWER_OF_TEN.fullmatch, found))
        if any(len(text) > 2 for text in found) or not words.isdisjoint(matched.headings[at].words)
    ]
    if len(units) == 1 and not matched.roles["units"]:
        matched.roles["units"] = units


def take_titles(table: Table, said: FileOptions) -> tuple[Table, FileOptions, list[str]]:
    """Return a table of rates with the only day that its titles name in each row, where no column has it;
    what somebody said, with the base that they name; and sentences on it. Of rates below the name of another
    currency nobody knows the base."""
    first, rows = take_first(table.rows, HEADING_ROWS)
    table, notes = replace(table, rows=rows), list[str]()
    header = [title.strip() for title in table.head.headings]
    columns = match_rate_columns(header, said.mapping, said.ignored_columns, [cells for _, cells in first])
    counted = _read_counts(columns, first[0][1]) if first else {}
    if counted:
        names = [counted.get(at, name) for at, name in enumerate(header)]
        table = replace(table, head=replace(table.head, headings=names), rows=_drop_row(rows, first[0][0]))
        notes.append("The first row says for how many of each currency the rates are.")
    dates = [
        one
        for title in table.head.titles
        for one in find_dates(title, "month first" if said.date_order == "month_first" else "day first")
    ]
    days = {one.value for one in dates}
    is_certain = said.date_order is not None or all(one.alternative is None for one in dates)
    if columns.missing == ["date"] and "date" not in said.mapping and len(days) == 1 and is_certain:
        [day] = days
        notes.append(f"The day of the rates is that of the title: {format_day(day)}.")
        table = add_column(table, _DAY, day)
    if said.base_currency is None and "base" not in columns.fields:
        found = {one["base"] for title in table.head.titles for one in _BASE.finditer(title)} & list_codes()
        named = {find_heading_currency(title) for title in table.head.titles} - {None, DEFAULT_BASE}
        if len(found) == 1:
            said = replace(said, base_currency=found.pop())
            notes.append(f"The base of the rates is that of the title: {said.base_currency}.")
        elif named:
            said = replace(said, base_currency="")
    return table, said, notes


def _read_counts(columns: RateColumns, cells: Sequence[object]) -> dict[int, str]:
    """Return the headings of the currencies with how many of each the row below them says that rates are for:
    `100 JPY`. Powers of ten alone say it, of which one is none of a rate."""
    counts = {
        at: format_cell(_cell(cells, at)).strip() for at in columns.currencies if at not in columns.counts
    }
    if (
        not all(map(_POWER_OF_TEN.fullmatch, counts.values()))
        or max(map(len, counts.values()), default=0) < 3
    ):
        return {}
    with suppress(InvalidRow):
        read_day("date", _cell(cells, columns.fields.get("date")), "day first")
        return {}
    return {at: f"{count} {columns.currencies[at]}" for at, count in counts.items()}


def _drop_row(rows: Iterator[TableRow | RejectedRow], line: int) -> Iterator[TableRow | RejectedRow]:
    return (row for row in rows if isinstance(row, RejectedRow) or row[0] != line)


def read_rate_rows(
    rows: Iterator[TableRow | RejectedRow],
    said: FileOptions = NOTHING_STATED,
    questions: Questions | None = None,
) -> Iterator[ExchangeRate | RejectedRow]:
    """Yield the rates of a table, the header first, read as somebody said; what nothing says is put to
    `questions`. A row with several rates yields each, and a refusal for each that is wrong. Raises
    UnreadableTable."""
    start = read_start(rows, match_rate_columns, said)
    names, columns = start.header, start.columns
    notation, all_rows = find_notation(
        start,
        dates=[columns.fields["date"]],
        numbers=list(columns.currencies) or [columns.fields["rate"]],
        said=said,
        questions=questions,
    )
    base = said.base_currency
    if base is None and not _has_rates_of_default(columns, notation, start.first):
        base = DEFAULT_BASE
    reader = _RowReader(names, columns, base, notation, not said.base_currency)
    seen: dict[tuple[date, str, str], ExchangeRate] = {}
    for row in all_rows:
        if isinstance(row, RejectedRow):
            yield row
            continue
        for rate in reader.read(*row):
            if isinstance(rate, ExchangeRate):
                other = seen.setdefault((rate.day, rate.base, rate.currency), rate)
                if other.rate != rate.rate:
                    rate = RejectedRow(
                        rate.line, f"Line {other.line} has another rate of that day, {other.rate:g}"
                    )
            yield rate


@dataclass(frozen=True)
class _RowReader:
    """Reads rows whose columns and notation are known."""

    header: Sequence[str]
    columns: RateColumns
    base: str | None
    notation: FileNotation
    is_default: bool = False

    def read(self, line: int, cells: Sequence[object]) -> Iterator[ExchangeRate | RejectedRow]:
        """Yield the rates of a row."""
        fields = self.columns.fields
        try:
            day = read_day("date", _cell(cells, fields["date"]), self.notation.order)
            if day is None:
                raise InvalidRow("date", "is missing")
            base = _read_code("base", _cell(cells, fields.get("base"))) or self.base
            base = self.columns.bases.get(fields.get("rate", -1), base)
            if not base or (self.columns.counts and self.is_default):
                raise InvalidRow("base", _NO_BASE)
            if not self.columns.currencies:
                cell = _cell(cells, fields["currency"])
                count, code = _read_counted(format_cell(cell)) or (None, cell)
                currency = _read_code("currency", code)
                if currency is None:
                    raise InvalidRow("currency", "is missing")
                rate = self._read_rate("rate", cells, fields["rate"])
                if rate is None:
                    raise InvalidRow("rate", "is missing")
                in_cell = None if code == format_cell(cell).strip() else count
                yield self._turn(ExchangeRate(day, base, currency, rate, line), cells, in_cell)
        except InvalidRow as error:
            yield reject_row(line, error, self.header, fields)
            return
        for at, currency in self.columns.currencies.items():
            try:
                rate = self._read_rate(currency, cells, at)
            except InvalidRow as error:
                yield reject_row(line, error, self.header, {currency: at})
            else:
                if rate is not None and (count := self.columns.counts.get(at)) is not None:
                    yield ExchangeRate(day, currency, base, float(Decimal(str(rate)) / count), line)
                elif rate is not None:
                    yield ExchangeRate(day, self.columns.bases.get(at, base), currency, rate, line)

    def _turn(self, read: ExchangeRate, cells: Sequence[object], in_cell: Decimal | None) -> ExchangeRate:
        """Return what one unit is worth, of the row's currency where rates are for that: for as many as its
        cell says. Raises InvalidRow."""
        quoted_in = self.columns.quoted_in
        units, times = (self._read_count(cells, at) for at in (self.columns.units, self.columns.times))
        units *= (self.columns.find_heading("rate").count or 1) * (in_cell or 1)
        is_worth = self.columns.units is not None or quoted_in is not None or in_cell is not None
        read = replace(read, rate=float(Decimal(str(read.rate)) * times / units))
        if "base" not in self.columns.fields and is_worth:
            if quoted_in is None and self.is_default:
                raise InvalidRow(
                    "rate",
                    f"is for {units} units, and nothing says in which currency it is: state it as the base",
                )
            read = replace(read, base=read.currency, currency=quoted_in or read.base)
        if read.base == read.currency and read.rate != 1:
            raise InvalidRow("rate", f"of {read.base} in itself is not 1")
        return read

    def _read_count(self, cells: Sequence[object], at: int | None) -> Decimal:
        return (
            Decimal(1)
            if at is None
            else read_price_count(_cell(cells, at), self.notation.mark(at)) or Decimal(1)
        )

    def _read_rate(self, name: str, cells: Sequence[object], at: int) -> float | None:
        cell = _cell(cells, at)
        rate = read_number(name, cell, self.notation.mark(at))
        if rate is not None and rate < SMALLEST_RATE:
            raise InvalidRow(name, f"{format_cell(cell)[:40]!r} is no rate above 0")
        return None if rate is None else float(rate)


def _read_code(name: str, cell: object) -> str | None:
    code = read_currency(name, cell)
    if code is not None and code not in list_codes():
        raise InvalidRow(name, f"{code} may be of several countries; a code such as EUR says which")
    return code


def _has_rates_of_default(
    columns: RateColumns, notation: FileNotation, first: Sequence[Sequence[object]]
) -> bool:
    """Whether the first rows have rates of the default base other than 1, so that they are for another."""
    if "base" in columns.fields or columns.quoted_in is not None or columns.units is not None:
        return False
    if columns.fields.get("rate") in columns.bases:
        return False
    for cells in first:
        currencies = columns.currencies or {
            columns.fields["rate"]: format_cell(_cell(cells, columns.fields["currency"])).strip().upper()
        }
        for at, currency in currencies.items():
            if currency != DEFAULT_BASE or at in columns.bases:
                continue
            try:
                rate = read_number("rate", _cell(cells, at), notation.mark(at))
            except InvalidRow:
                continue
            if rate is not None and rate != 1:
                return True
    return False


def _cell(cells: Sequence[object], at: int | None) -> object:
    return cells[at] if at is not None and at < len(cells) else None
