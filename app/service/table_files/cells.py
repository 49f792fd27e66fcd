"""Read one cell of a table into a value: a text, a number, a date, a currency.

A function that cannot read a cell raises `InvalidRow` with the column's name and why.
"""

import re
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from math import isfinite
from typing import TypeVar

from app.contract.values import CURRENCY_PATTERN, MAX_AMOUNT, SMALLEST_AMOUNT
from app.service.documents.values.numbers import DecimalMark
from app.service.table_files.amounts import NotANumber, read_amount
from app.service.table_files.dates import NotADate, SlashOrder, check_date, read_date
from app.service.tables.table import CellError, InvalidRow

MAX_TEXT_LENGTH = 20_000
CACHED_CELLS, CACHED_AMOUNTS, MAX_CACHED_LENGTH = 8_192, 65_536, 200
"""Cells of a column that are cached (more in the few columns of amounts, where more repeat), and how long a
cached cell may be."""

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")
"""OWASP, "CSV Injection": a text that starts so is read as a formula."""
_BLANK_WORDS = frozenset({"", "-", "–", "n/a", "na", "null", "none", "nan"})
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


def format_cell(cell: object) -> str:
    """Format a cell as text; a whole number that a spreadsheet stores as a float has no `.0`."""
    if cell is None:
        return ""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    return str(cell)


def escape_text(text: str) -> str:
    """Return a text as a cell that no spreadsheet takes for a formula and `read_text` reads back: with an
    apostrophe in front where it needs one."""
    return f"'{text}" if _needs_apostrophe(text) else text


def _needs_apostrophe(text: str) -> bool:
    if text.startswith(_FORMULA_STARTS) or _is_blank(text):
        return True
    return text.startswith("'") and _needs_apostrophe(text[1:])


def _is_blank(text: str) -> bool:
    return not text or (len(text) < 5 and text.lower() in _BLANK_WORDS)


def read_text(name: str, cell: object) -> str | None:
    """Return the text without surrounding white space, and without the apostrophe that `escape_text` and
    other exports put before what a spreadsheet would take for a formula; None for a blank."""
    if isinstance(cell, CellError):
        raise InvalidRow(name, cell.reason)
    text = format_cell(cell).strip()
    if _is_blank(text):
        return None
    if text[0] == "'" and len(text) > 1 and _needs_apostrophe(text[1:]):
        return text[1:]
    if text[0] == "=":
        raise InvalidRow(name, "is a formula, not a value")
    if len(text) > MAX_TEXT_LENGTH:
        raise InvalidRow(name, f"has {len(text):,} characters, at most {MAX_TEXT_LENGTH:,} are taken")
    return text


def read_number(name: str, cell: object, mark: DecimalMark) -> Decimal | None:
    """Read a number of either sign, 0 or from 10^-12 to below 10^12."""
    if isinstance(cell, str):
        text = read_text(name, cell)
        if text is None:
            return None
        try:
            value = read_amount(text, mark)
        except NotANumber as error:
            raise InvalidRow(name, str(error)) from None
    elif cell is None:
        return None
    elif isinstance(cell, CellError):
        raise InvalidRow(name, cell.reason)
    elif isinstance(cell, bool) or not isinstance(cell, int | float | Decimal):
        raise InvalidRow(name, f"{str(cell)[:40]!r} is not a number")
    else:
        try:
            value = Decimal(repr(cell)) if isinstance(cell, float) else Decimal(cell)
        except InvalidOperation:
            raise InvalidRow(name, f"{cell!r} is not a number") from None
        if value.is_nan():
            return None
    if not -MAX_AMOUNT < value < MAX_AMOUNT:
        raise InvalidRow(name, "is not below 10^12")
    if -SMALLEST_AMOUNT < value < SMALLEST_AMOUNT and value:
        raise InvalidRow(name, f"{cell!s:.40} is closer to 0 than {SMALLEST_AMOUNT:f}")
    return value


def read_day(name: str, cell: object, slashes: SlashOrder | None) -> date | None:
    """Read a date, or the date of a date-time. `slashes` is None where nothing shows the file's order."""
    try:
        if isinstance(cell, date):
            day = cell.date() if isinstance(cell, datetime) else cell
            check_date(day, day.isoformat())
            return day
        text = read_text(name, cell)
        return None if text is None else read_date(text, slashes)
    except NotADate as error:
        raise InvalidRow(name, str(error)) from None


def read_currency(name: str, cell: object) -> str | None:
    """Read a three-letter code in any case; return it in capitals."""
    text = read_text(name, cell)
    if text is None:
        return None
    code = text.upper()
    if not re.fullmatch(CURRENCY_PATTERN, code):
        raise InvalidRow(name, f"{text[:40]!r} is not a three-letter code")
    return code


def read_attribute(name: str, cell: object) -> str | float | None:
    """Return a number where the cell is one and measures something, else its text."""
    if isinstance(cell, str):
        text = read_text(name, cell)
        return None if text is None else _number_or_text(text)
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


def _number_or_text(text: str) -> str | float:
    # A number with a leading zero is a code, and so is one with more digits than a float holds.
    if len(text) > 15 or (text[0] == "0" and len(text) > 1 and text[1] != "."):
        return text
    try:
        number = float(text)
    except ValueError:
        return text
    return number if isfinite(number) and "_" not in text else text
