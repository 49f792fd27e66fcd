"""Read the table of a workbook: the sheet that somebody names, else the first visible one that holds a table
of some size."""

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import BinaryIO, TypeAlias

from app.service.tables.archives import COMPOUND_FILE, MARKUP, OPEN_DOCUMENT
from app.service.tables.formulas import name_column, name_range
from app.service.tables.headings import (
    HEAD_ROWS,
    FoundHeadings,
    find_headings,
    fit_rows,
    join_names,
    require_headings,
)
from app.service.tables.html import HtmlWorkbook
from app.service.tables.sheet_parts import Merged
from app.service.tables.table import (
    FormattedNumber,
    RejectedRow,
    Sheet,
    Table,
    TableHead,
    TableRow,
    UnreadableTable,
)
from app.service.tables.unstored_results import Place, name_cells
from app.service.tables.xls import XlsSheet, XlsWorkbook
from app.service.tables.xlsx import XlsxSheet, XlsxWorkbook

AnySheet: TypeAlias = XlsxSheet | XlsSheet
_MOST_SHEETS = 1_000
_FAR_SMALLER = 1.5


def open_workbook(stream: BinaryIO) -> XlsxWorkbook | XlsWorkbook | HtmlWorkbook:
    """Open a workbook of any format. Raises `UnreadableTable`."""
    stream.seek(0)
    begin = stream.read(4096)
    stream.seek(0)
    if MARKUP.match(begin):
        return HtmlWorkbook(stream)
    if begin.startswith(COMPOUND_FILE) or OPEN_DOCUMENT in begin:
        return XlsWorkbook(stream)
    return XlsxWorkbook(stream)


@dataclass(frozen=True)
class _Candidate:
    """A sheet with its headings, None where it holds no table."""

    sheet: AnySheet
    headings: FoundHeadings | None
    rows: int

    @property
    def width(self) -> int:
        return 0 if self.headings is None else sum(bool(name) for name in self.headings.names)

    @property
    def holds_table(self) -> bool:
        """Whether it has headings of columns and a row below them."""
        return self.headings is not None and self.width > 1 and self.rows > self.headings.end

    def describe(self) -> Sheet:
        names = self.headings.names if self.headings is not None and self.width > 1 else ()
        return Sheet(self.sheet.name, self.sheet.hidden, self.rows, names)


def read_workbook(stream: BinaryIO, name: str | None = None) -> Table:
    """Return the table of a workbook. Raises `UnreadableTable`, also while the rows are read."""
    book = open_workbook(stream)
    if not book.sheets:
        raise UnreadableTable("the workbook has no sheet")
    if len(book.sheets) > _MOST_SHEETS:
        raise UnreadableTable(f"the workbook has more than {_MOST_SHEETS:,} sheets")
    candidates = [_judge(sheet) for sheet in book.sheets]
    chosen = _choose(candidates, name)
    head, rows = _read_sheet(chosen.sheet)
    notes = [*_describe_others(candidates, chosen, name), *head.notes]
    if book.has_struck_text:
        notes.append("Parts of texts are struck out: left out.")
    if book.has_raised_cents:
        notes.append("Two raised digits behind a whole number were read as its cents.")
    sheets = [one.describe() for one in candidates]
    head = replace(head, sheet=chosen.sheet.name, sheets=sheets, notes=notes)
    return Table(head, rows, lambda other: nullcontext(Table(*_read_sheet(_choose(candidates, other).sheet))))


def _judge(sheet: AnySheet) -> _Candidate:
    rows = ShownRows(sheet)
    head = list(islice(rows.read(), HEAD_ROWS))
    return _Candidate(sheet, find_headings(head, rows.spans), sheet.outline.rows)


def _choose(candidates: Sequence[_Candidate], name: str | None) -> _Candidate:
    if name is not None:
        found = next((one for one in candidates if one.sheet.name == name), None)
        if found is None:
            names = ", ".join(one.sheet.name for one in candidates[:20])
            raise UnreadableTable(f"the workbook has no sheet {name[:60]!r}; it has {names}")
        return found
    shown = [one for one in candidates if not one.sheet.hidden]
    tables = [one for one in shown if one.holds_table and not one.sheet.is_pivot]
    for number, one in enumerate(tables):
        # A summary or a list of codes before the table itself is smaller in both directions.
        if not any(
            other.width > _FAR_SMALLER * one.width and other.rows > one.rows for other in tables[number + 1 :]
        ):
            return one
    filled = [one for one in shown if one.headings is not None]
    if filled:
        return max(filled, key=lambda one: (one.width > 1, one.holds_table))
    hidden = [one.sheet.name for one in candidates if one.sheet.hidden and one.headings is not None]
    if hidden:
        raise UnreadableTable(f"only hidden sheets of the workbook hold a table: {', '.join(hidden[:20])}")
    raise UnreadableTable("the file is empty")


def _describe_others(candidates: Sequence[_Candidate], chosen: _Candidate, name: str | None) -> Iterator[str]:
    hidden = [one.sheet.name for one in candidates if one.sheet.hidden and one is not chosen]
    others = [one for one in candidates if not one.sheet.hidden and one is not chosen]
    if others:
        tables = [one.sheet.name for one in others if one.holds_table]
        rest = [one.sheet.name for one in others if not one.holds_table]
        yield f"The sheet {chosen.sheet.name} was read."
        if tables:
            yield f"Other sheets hold tables, which were not read: {join_names(tables)}."
        if rest:
            yield f"Sheets without a table were stepped over: {join_names(rest)}."
    if hidden:
        yield f"The workbook has hidden sheets, which were not read: {join_names(hidden)}."
    if chosen.sheet.hidden and name is not None:
        yield f"The sheet {chosen.sheet.name} is hidden."


def _read_sheet(sheet: AnySheet) -> tuple[TableHead, Iterator[TableRow | RejectedRow]]:
    shown = ShownRows(sheet)
    rows = shown.read()
    head = list(islice(rows, HEAD_ROWS))
    found = require_headings(head, shown.spans)
    body = shown.fill_merged(chain(head[found.end :], rows))
    notes = [*found.notes, *_describe_left_out(sheet, found.rows[-1][0])]
    return TableHead(found.names, found.rows[0][0], notes, titles=found.titles), fit_rows(body, found)


def _describe_left_out(sheet: AnySheet, headings_line: int) -> Iterator[str]:
    left_out: list[str] = []
    if rows := sheet.outline.hidden_rows:
        left_out.append(f"{rows:,} hidden row{'s' if rows > 1 else ''}")
    columns = sorted(one for one in sheet.hidden_columns if one < 1024)
    if columns:
        names = join_names([name_column(one) for one in columns])
        left_out.append(f"hidden column{'s' if len(columns) > 1 else ''} {names}")
    if cells := sheet.outline.unseen_cells:
        left_out.append(f"{cells:,} cell{'s' if cells > 1 else ''} that nobody sees, white or struck out")
    if left_out:
        yield f"The sheet has {', '.join(left_out)}: left out."
    if not sheet.knows_hidden_cells:
        yield "Hidden rows and columns of a workbook of this format are not known: they were read too."
    if sheet.results:
        cells = join_names(list(name_cells(sheet.results)))
        yield f"The sheet has formulas whose results the file lacks; they were reckoned: {cells}."
    merged = [
        name_range(*first, *last)
        for first, last in sorted(sheet.outline.merged)
        if last[0] >= headings_line and last[0] > first[0]
    ]
    if merged:
        yield f"Merged cells have one value for several rows, read for each of them: {join_names(merged)}."


def _mark_merged(value: object) -> object:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return value
    return FormattedNumber(value, getattr(value, "number_format", "General"), is_merged=True)


class ShownRows:
    """The rows of a sheet without what it hides. `spans` are the last columns of the cells that cover several
    (`headings.Spans`). Of the rows that are read, `hidden_rows` have numbers, and `left_out` counts the cells
    that are hidden."""

    def __init__(self, sheet: AnySheet) -> None:
        self._sheet = sheet
        self.hidden_rows: set[int] = set()
        self.left_out = 0
        self._unseen: set[Place] = set()
        self._merged: dict[int, list[Merged]] = {}
        for merged in sheet.outline.merged:
            self._merged.setdefault(merged[0][0] + 1, []).append(merged)
        self.spans = {
            (top + 1, left): right for (top, left), (_, right) in sheet.outline.merged if right > left
        }
        self._values: dict[Merged, object] = {}

    def read(self) -> Iterator[TableRow]:
        """Yield the rows with something in them; a merged cell has its value in its first place only."""
        hidden = self._sheet.hidden_columns
        for row in self._sheet.read_rows():
            if row.hidden:
                self.hidden_rows.add(row.number)
                self.left_out += sum(cell is not None for cell in row.cells)
                continue
            for column in {*row.unseen, *(one for one in hidden if one < len(row.cells))}:
                self.left_out += row.cells[column] is not None
                row.cells[column] = None
            self._unseen.update((row.number - 1, column) for column in row.unseen)
            for merged in self._merged.get(row.number, ()):
                column = merged[0][1]
                self._values[merged] = row.cells[column] if column < len(row.cells) else None
            if any(cell is not None for cell in row.cells):
                yield row.number, row.cells

    def hides(self, place: Place) -> bool:
        """Whether the cell at a row and column, counted from 0, is not shown."""
        row, column = place
        return row + 1 in self.hidden_rows or column in self._sheet.hidden_columns or place in self._unseen

    def fill_merged(self, rows: Iterator[TableRow]) -> Iterator[TableRow]:
        """Yield the rows with the value of each merged cell at all of its places."""
        if not self._merged:
            yield from rows
            return
        waiting = sorted(self._sheet.outline.merged, reverse=True)
        active: list[Merged] = []
        hidden = self._sheet.hidden_columns
        for line, cells in rows:
            while waiting and waiting[-1][0][0] < line:
                active.append(waiting.pop())
            active = [merged for merged in active if merged[1][0] >= line - 1]
            filled = list(cells)
            for merged in active:
                value = self._values.get(merged)
                if value is None:
                    continue
                (top, left), (bottom, right) = merged
                filled += [None] * (min(right, left + 64) + 1 - len(filled))
                if bottom > top:
                    if filled[left] == value:
                        filled[left] = _mark_merged(value)
                    value = _mark_merged(value)
                for column in range(left, min(right, left + 64) + 1):
                    if filled[column] is None and column not in hidden:
                        filled[column] = value
            yield line, filled
