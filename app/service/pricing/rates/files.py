"""Reads exchange rates from CSV files with one rate a line, or with one day a line and one currency a column.

The second is how the European Central Bank publishes its reference rates (`eurofxref-hist.csv`); the names of
the first include those of its data portal.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from app.contract.values import CURRENCY_PATTERN
from app.service.table_files.amounts import NotANumber, read_amount
from app.service.table_files.dates import NotADate, read_date
from app.service.table_files.reading import name_file_in_errors, read_csv
from app.service.table_files.table import RejectedRow, UnreadableTable

DAY_COLUMNS = frozenset({"date", "day", "time_period", "rate_date"})
CURRENCY_COLUMNS = frozenset({"currency", "quote", "quote_currency", "to", "to_currency", "target_currency"})
BASE_COLUMNS = frozenset(
    {"base", "base_currency", "from", "from_currency", "source_currency", "currency_denom"}
)
RATE_COLUMNS = frozenset({"rate", "exchange_rate", "value", "obs_value"})

_CODE = re.compile(CURRENCY_PATTERN)
_BLANKS = frozenset({"", "N/A", "NA", "-"})


@dataclass(frozen=True, slots=True)
class ExchangeRate:
    """On `day` one unit of `base` was worth `rate` units of `currency`."""

    day: date
    base: str
    currency: str
    rate: float


def read_rates(path: Path, *, base: str = "EUR") -> Iterator[ExchangeRate | RejectedRow]:
    """The rates of a CSV or CSV.gz file; `base` is that of rows which name none. Raises UnreadableTable."""
    with name_file_in_errors(path), path.open("rb") as stream:
        yield from _parse_rates(read_csv(stream), base)


def _parse_rates(
    rows: Iterator[tuple[int, list[str]] | RejectedRow], base: str
) -> Iterator[ExchangeRate | RejectedRow]:
    first = next(rows, None)
    if first is None or isinstance(first, RejectedRow):
        raise UnreadableTable("the file has no header")
    names = [cell.strip() for cell in first[1]]
    places = {name.casefold(): at for at, name in enumerate(names)}
    day = _find_column(places, DAY_COLUMNS)
    currency, rate, other = (
        _find_column(places, CURRENCY_COLUMNS),
        _find_column(places, RATE_COLUMNS),
        _find_column(places, BASE_COLUMNS),
    )
    wide = {at: name for at, name in enumerate(names) if _CODE.fullmatch(name)}
    if day is None or not (wide or (currency is not None and rate is not None)):
        raise UnreadableTable(
            "rates need the columns date, currency and rate (and base), or date and one for each currency"
        )
    for row in rows:
        if isinstance(row, RejectedRow):
            yield row
            continue
        line, cells = row
        try:
            on = read_date(_cell(cells, day))
            if currency is not None and rate is not None:
                of = _cell(cells, other).upper() or base
                yield _parse_rate(on, of, _cell(cells, currency).upper(), _cell(cells, rate))
            else:
                for at, code in wide.items():
                    if _cell(cells, at).upper() not in _BLANKS:
                        yield _parse_rate(on, base, code, _cell(cells, at))
        except (NotADate, NotANumber) as error:
            yield RejectedRow(line, str(error))


def _parse_rate(day: date, base: str, currency: str, text: str) -> ExchangeRate:
    for code in (base, currency):
        if not _CODE.fullmatch(code):
            raise NotANumber(f"{code[:40]!r} is no currency")
    rate = float(read_amount(text))
    if not math.isfinite(rate) or rate <= 0:
        raise NotANumber(f"{text[:40]!r} is no rate above 0")
    return ExchangeRate(day, base, currency, rate)


def _find_column(places: Mapping[str, int], names: frozenset[str]) -> int | None:
    return next((at for name, at in places.items() if name in names), None)


def _cell(cells: Sequence[str], at: int | None) -> str:
    return cells[at].strip() if at is not None and at < len(cells) else ""
