"""What a table is: headings, rows of cells, rows that are rejected, and errors about the whole file."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass


class UnreadableTable(ValueError):
    """The file as a whole cannot be read; the message says why in one line."""


class InvalidRow(ValueError):
    """A row cannot be taken. `field` is the name of the field that is wrong, empty where it is the row as a
    whole; `problem` is what is wrong, a whole sentence or the end of one that begins with the column."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(problem)
        self.field, self.problem = field, problem


@dataclass(frozen=True, slots=True)
class RejectedRow:
    """A row that was not taken: its line in the file (counted from 1) and why, for a person, with the heading
    of the column that is wrong; `column` is this heading, empty where it is the row as a whole."""

    line: int
    reason: str
    row_id: str = ""
    column: str = ""


TableRow = tuple[int, Sequence[object]]
"""A row's line in the file and its cells. A cell is a text, a number, a bool, a date or date-time, a time or
duration, a Decimal, a `FormattedNumber`, a `CellError`, or None where it is empty."""


class FormattedNumber(float):
    """A number of a workbook whose cell shows more than digits: a currency, a per cent sign, words.
    `number_format` is the format as the workbook writes it, such as `#,##0.00 [$€-407]`. `is_merged` says
    that its cell covers several rows: it may be of each of them, or of all together."""

    __slots__ = ("is_merged", "number_format")

    def __new__(cls, value: float, number_format: str, is_merged: bool = False) -> "FormattedNumber":
        """Make the number from its value and its format."""
        return super().__new__(cls, value)

    def __init__(self, value: float, number_format: str, is_merged: bool = False) -> None:
        self.number_format, self.is_merged = number_format, is_merged

    def __reduce__(self) -> tuple[type["FormattedNumber"], tuple[float, str, bool]]:
        """Return what the number is made from again."""
        return FormattedNumber, (float(self), self.number_format, self.is_merged)


@dataclass(frozen=True, slots=True)
class CellError:
    """A cell without a value: an error such as `#N/A`, or a formula without a result. `text` is what the file
    has in it, `reason` why it is no value, as the end of a sentence about the cell."""

    text: str
    reason: str

    def __str__(self) -> str:
        """Return what the file has in the cell."""
        return self.text


def format_cell(cell: object) -> str:
    """Format a cell as text; a whole number that a spreadsheet stores as a float has no `.0`."""
    if cell is None:
        return ""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    return str(cell)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet of a workbook. `headings` are empty where it holds no table; `rows` is how many rows it has,
    with those above and of the headings."""

    name: str
    hidden: bool = False
    rows: int = 0
    headings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EncodingReading:
    """A way to read the bytes of a text: the encoding, and a word of the file in it."""

    encoding: str
    example: str


@dataclass(frozen=True)
class TableHead:
    """What is known of a table before its rows.

    `headings` are told apart, each at its column's position; that of a column which has none is empty, or its
    letter where it holds values; units that a row below them names stand in brackets behind them. `line` is
    that of the headings. `notes` are sentences on what was stepped over or left out. `sheet` is the one that
    was read, of `sheets`. `encoding` is that of a text; where its bytes do not decide it, `alternatives` are
    all that are plausible, and the rows are as the first reads them. `titles` are the texts above the
    headings.
    """

    headings: Sequence[str]
    line: int = 1
    notes: Sequence[str] = ()
    sheet: str | None = None
    sheets: Sequence[Sheet] = ()
    encoding: str | None = None
    alternatives: Sequence[EncodingReading] = ()
    titles: Sequence[str] = ()


@dataclass(frozen=True)
class Table:
    """A table that is being read: its head, and its rows, which are read once and as they are asked for.
    They raise `UnreadableTable` where the file is damaged further on. `open_sheet` opens another sheet of a
    workbook by its name."""

    head: TableHead
    rows: Iterator[TableRow | RejectedRow]
    open_sheet: Callable[[str], AbstractContextManager["Table"]] | None = None
