"""Read one cell of a table into a value: a text, a number, a date, a currency.

A function that cannot read a cell raises `InvalidRow` with the column's name and why.
"""

import re
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from math import isfinite
from typing import NamedTuple, TypeVar

from app.contract.values import MAX_AMOUNT, SMALLEST_AMOUNT
from app.service.tables.table import CellError, FormattedNumber, InvalidRow, format_cell
from app.service.values import currencies, dates, numbers
from app.service.values.blanks import is_blank, is_error_value
from app.service.values.dates import DayOrder, NotADate
from app.service.values.money import find_format_currency, find_format_words
from app.service.values.numbers import PLAIN, DecimalMark, NotANumber
from app.service.values.price_basis import PriceBasis, cut_price_end, read_count_word, read_price_basis
from app.service.values.units import PIECE, read_unit
from app.storable_text import escape_inside, starts_formula, unescape_inside

MAX_TEXT_LENGTH = 20_000
CACHED_CELLS, CACHED_AMOUNTS, MAX_CACHED_LENGTH = 8_192, 65_536, 200
"""Cells of a column that are cached (more in the few columns of amounts, where more repeat), and how long a
cached cell may be."""

MERGED = "is merged over several rows, and nothing says how much of it is of each"
"""What is wrong with an amount whose cell covers several rows: it may be that of all of them."""
_LETTERS_SINCE_1900 = (6, 7)
_FIGURES = re.compile(r"\d[\d.,:/ +-]*")
V = TypeVar("V")


class CellCache(dict[str, V]):
    """The values that the texts of a column were read as: order files repeat them for thousands of rows."""

    def __init__(self, read: Callable[[object], V], most: int = CACHED_CELLS) -> None:
        super().__init__()
        self.read = read
        self._max_size = most

    def __missing__(self, cell: str) -> V:
        value = self.read(cell)
        if len(cell) <= MAX_CACHED_LENGTH:
            if len(self) >= self._max_size:
                self.clear()
            self[cell] = value
        return value


def escape_text(text: str) -> str:
    """Return a text as a cell that nothing takes for a formula, its error or a blank and `read_text` reads
    back: with an apostrophe in front where it needs one."""
    escaped = escape_inside(text)
    return f"'{escaped}" if _needs_apostrophe(text) else escaped


def _needs_apostrophe(text: str) -> bool:
    if starts_formula(text) or is_blank(text) or is_error_value(text):
        return True
    return text.startswith("'") and _loses_apostrophe(text[1:])


def _loses_apostrophe(text: str) -> bool:
    """Return whether an apostrophe before this text says that it is a text: `'00123` is `00123`."""
    return bool(text) and (_needs_apostrophe(text) or _FIGURES.fullmatch(text) is not None)


def read_text(name: str, cell: object) -> str | None:
    """Return the text without surrounding white space, and without the apostrophe that `escape_text` and
    other exports put before what a spreadsheet would take for a formula; None for a blank."""
    if isinstance(cell, CellError):
        raise InvalidRow(name, cell.reason)
    text = format_cell(cell).strip()
    if is_blank(text):
        return None
    if text[0] == "'" and _loses_apostrophe(unescaped := unescape_inside(text[1:])):
        return unescaped
    if text[0] == "=":
        raise InvalidRow(name, "is a formula, not a value")
    if is_error_value(text):
        raise InvalidRow(name, f"is {text[:40]}, the error of a formula")
    if len(text) > MAX_TEXT_LENGTH:
        raise InvalidRow(name, f"has {len(text):,} characters, at most {MAX_TEXT_LENGTH:,} are taken")
    return unescape_inside(text)


class Amount(NamedTuple):
    """A number with what its cell says of it besides: the currency, a code of ISO 4217 or the sign of several
    countries, the code of a unit of measure, and what a price is for."""

    value: Decimal
    currency: str | None = None
    unit: str | None = None
    basis: PriceBasis | None = None


def read_number(
    name: str, cell: object, mark: DecimalMark | None, *, percent: bool = False
) -> Decimal | None:
    """Read a number of either sign, 0 or from 10^-12 to below 10^12, without a currency or a unit other than
    pieces; `percent` says that a percent sign may stand there. `mark` parts the decimals; None where nothing
    shows which, and an ambiguous number is refused."""
    if not isinstance(cell, str):
        return None if cell is None else _read_stored_number(name, cell)
    if PLAIN.fullmatch(cell):
        return Decimal(cell)
    readings = _read_readings(name, cell, percent=percent)
    if readings is None:
        return None
    if readings.currency is not None or readings.unit not in (None, PIECE):
        raise InvalidRow(name, f"{cell[:40]!r} is not a number alone")
    return _choose_value(name, readings, mark)


def is_merged(cell: object) -> bool:
    """Return whether a number stands in a cell that covers several rows."""
    return isinstance(cell, FormattedNumber) and cell.is_merged


def read_amount(name: str, cell: object, mark: DecimalMark | None) -> Amount | None:
    """Read a number as `read_number` does, with the currency and the unit that the cell names."""
    if isinstance(cell, FormattedNumber):
        value = _read_stored_number(name, cell)
        return None if value is None else Amount(value, *_read_format(name, cell.number_format))
    if not isinstance(cell, str):
        return None if (value := read_number(name, cell, mark)) is None else Amount(value)
    if PLAIN.fullmatch(cell):
        return Amount(Decimal(cell))
    readings = _read_readings(name, cell)
    if readings is None:
        return None
    return Amount(_choose_value(name, readings, mark), readings.currency, readings.unit)


def read_price(name: str, cell: object, mark: DecimalMark | None) -> Amount | None:
    """Read an amount with what its cell says that a price is for: `8,50 €/kg`, `EUR 12/user/month`."""
    if isinstance(cell, str) and not PLAIN.fullmatch(cell):
        bare, basis = cut_price_end(cell)
        amount = read_amount(name, bare, mark)
        return amount if amount is None or basis is None else amount._replace(basis=basis)
    if isinstance(cell, FormattedNumber) and (words := find_format_words(cell.number_format)):
        basis = read_price_basis(words) if "/" in words else None
        if basis is not None and (value := _read_stored_number(name, cell)) is not None:
            return Amount(value, find_format_currency(cell.number_format), basis=basis)
    return read_amount(name, cell, mark)


def read_price_count(cell: object, mark: DecimalMark | None) -> Decimal | None:
    """Read for how many units a price is: `100`, `C` or `each`."""
    count = read_count_word(format_cell(cell)) or read_number("basis", cell, mark)
    if count is not None and count <= 0:
        raise InvalidRow("basis", f"{count} is not above 0")
    return count


def _read_format(name: str, number_format: str) -> tuple[str | None, str | None]:
    """Return the currency and the unit that the format of a number shows."""
    words = find_format_words(number_format)
    unit = read_unit(words) if words else None
    if words and unit is None:
        raise InvalidRow(name, f"is shown with {words[:40]!r}, which nothing explains")
    return find_format_currency(number_format), unit


def _read_readings(name: str, cell: str, *, percent: bool = False) -> numbers.NumberReadings | None:
    text = read_text(name, cell)
    if text is None:
        return None
    try:
        readings = numbers.read_number(text)
    except NotANumber as error:
        raise InvalidRow(name, str(error)) from None
    if readings.percent and not percent:
        raise InvalidRow(name, f"{text[:40]!r} is a percentage")
    return readings


def _choose_value(name: str, readings: numbers.NumberReadings, mark: DecimalMark | None) -> Decimal:
    value = readings.value(mark)
    if value is None:
        raise InvalidRow(name, _describe_undecided(readings))
    return _check_size(name, value, readings.text)


def _describe_undecided(readings: numbers.NumberReadings) -> str:
    return (
        f"{numbers.describe_readings(readings)}, and no number of the file shows which. Say whether a point"
        " or a comma parts the decimals."
    )


def describe_ambiguous_number(name: str, cell: str) -> str | None:
    """Return the sentences about a number that its file does not decide; None where it has one reading."""
    readings = _read_readings(name, cut_price_end(cell)[0], percent=True)
    return _describe_undecided(readings) if readings is not None and readings.is_ambiguous else None


def _read_stored_number(name: str, cell: object) -> Decimal | None:
    if isinstance(cell, CellError):
        raise InvalidRow(name, cell.reason)
    if isinstance(cell, bool) or not isinstance(cell, int | float | Decimal):
        raise InvalidRow(name, f"{str(cell)[:40]!r} is not a number")
    try:
        value = Decimal(repr(cell)) if isinstance(cell, float) else Decimal(cell)
    except InvalidOperation:
        raise InvalidRow(name, f"{cell!r} is not a number") from None
    return None if value.is_nan() else _check_size(name, value, cell)


def _check_size(name: str, value: Decimal, cell: object) -> Decimal:
    if not -MAX_AMOUNT < value < MAX_AMOUNT:
        raise InvalidRow(name, "is not below 10^12")
    if -SMALLEST_AMOUNT < value < SMALLEST_AMOUNT and value:
        raise InvalidRow(name, f"{cell!s:.40} is closer to 0 than {SMALLEST_AMOUNT:f}")
    return value


def read_day(name: str, cell: object, order: DayOrder | None) -> date | None:
    """Read a date, the date of a date-time, or a spreadsheet's serial number of one. `order` is None where
    nothing shows the file's."""
    try:
        if isinstance(cell, date):
            day = cell.date() if isinstance(cell, datetime) else cell
            dates.check_date(day, day.isoformat())
            return day
        text = read_text(name, cell)
        if text is None:
            return None
        is_short = len(text) in _LETTERS_SINCE_1900 and text[0] == "1"
        readings = dates.read_day_since_1900(text) if is_short and text.isdecimal() else dates.read_date(text)
        day = readings.value(order)
        if day is None:
            dates.check_date(readings.all[0], text)
            raise NotADate(describe_ambiguous_date(readings))
        dates.check_date(day, text)
        return day
    except NotADate as error:
        raise InvalidRow(name, str(error)) from None


def describe_ambiguous_date(readings: dates.DateReadings) -> str:
    """Return the sentences about a date that the file does not decide."""
    return (
        f"{dates.describe_dates(readings)}, and no date of the file shows which. Say whether the day or the"
        " month comes first."
    )


def read_currency(name: str, cell: object) -> str | None:
    """Read a code of ISO 4217 in any case, or a sign or a name; return the code, or the sign where several
    currencies have it."""
    text = read_text(name, cell)
    if text is None:
        return None
    code = text.upper()
    if code in currencies.list_codes():
        return code
    named = currencies.read_currency(text)
    if named is None:
        raise InvalidRow(name, f"{text[:40]!r} is no currency, such as EUR")
    return named


def read_attribute(name: str, cell: object, mark: DecimalMark | None = ".") -> str | float | None:
    """Return a number where the cell is one and measures something, else its text. `mark` is the file's."""
    if isinstance(cell, str):
        if is_error_value(cell.strip()):
            return None
        text = read_text(name, cell)
        return None if text is None else _number_or_text(text, mark)
    if cell is None:
        return None
    if isinstance(cell, CellError):
        raise InvalidRow(name, cell.reason)
    if isinstance(cell, bool | int | float | Decimal):
        number = float(cell)
        return number if isfinite(number) else None
    if isinstance(cell, datetime):
        return cell.date().isoformat()
    return str(cell)[:MAX_TEXT_LENGTH] or None


def _number_or_text(text: str, mark: DecimalMark | None) -> str | float:
    # A number with a leading zero is a code, and so is one with more digits than a float holds.
    if len(text) > 15 or (text[0] == "0" and len(text) > 1 and text[1] not in ".,"):
        return text
    if mark != "." and text.isascii() and ("." in text or (mark == "," and "," in text)):
        try:
            readings = numbers.read_number(text)
        except NotANumber:
            return text
        value = None if readings.currency or readings.percent or readings.unit else readings.value(mark)
        return text if value is None else float(value)
    try:
        number = float(text)
    except ValueError:
        return text
    return number if isfinite(number) and "_" not in text else text
