"""XLSX and XLS workbooks; each sheet is read as a page."""

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING

from app.service.documents.faults import UnreadableDocument
from app.service.documents.formats.cell_pages import lay_out_cells
from app.service.documents.formats.format import PagedFormat
from app.service.documents.formats.merged_cells import MergedCell, fill_merged
from app.service.documents.formats.struck_and_raised import READ_AS_CENTS, STRUCK_OUT
from app.service.documents.formats.zip_archives import list_members, refuse_bomb
from app.service.documents.layout.bounds import MOST_ROWS
from app.service.documents.layout.pages import Page
from app.service.tables.archives import COMPOUND_FILE
from app.service.tables.cell_names import name_range
from app.service.tables.table import CellError, FormattedNumber, UnreadableTable
from app.service.values.money import find_format_currency

if TYPE_CHECKING:
    from app.service.tables.sheet_outline import Merged
    from app.service.tables.workbook import AnySheet

_MOST_SHEETS = 30
_MOST_CELLS, _MOST_COLUMNS = 10_000_000, 1 << 14
_HIDDEN_CELLS = (
    "The sheet {name} has cells that are hidden or struck out, which were not read (cells: {cells})."
)
_VAST = (
    "A sheet of the workbook reaches over {rows:,} rows and {columns:,} columns. Remove the cells that stand"
    " far from the table and send it again."
)
_HIDDEN_SHEETS = "The workbook has hidden sheets, which were not read."


def _is_xlsx(content: bytes, filename: str) -> bool:
    return any(member.name.startswith("xl/workbook") for member in list_members(content))


def _is_xls(content: bytes, filename: str) -> bool:
    if not content.startswith(COMPOUND_FILE):
        return False
    if "EncryptedPackage".encode("utf-16-le") in content:
        raise UnreadableDocument("The document is protected by a password.")
    return "Workbook".encode("utf-16-le") in content or "Book".encode("utf-16-le") in content


def _read_pages(content: bytes, page_limit: int) -> tuple[Page, ...]:
    # Imported here: the service tells formats apart without loading the libraries.
    from app.service.tables.workbook import open_workbook

    refuse_bomb(content)
    pages: list[Page] = []
    rows_left = MOST_ROWS
    try:
        book = open_workbook(io.BytesIO(content))
        shown = [sheet for sheet in book.sheets if not sheet.hidden]
        for number, sheet in enumerate(shown[:_MOST_SHEETS], 1):
            rows, page = _read_sheet(number, sheet, rows_left)
            if page is not None:
                pages.append(page)
                rows_left = max(0, rows_left - rows)
    except UnreadableTable as damage:
        raise UnreadableDocument("The workbook cannot be opened; it may be damaged or protected.") from damage
    remarks = [STRUCK_OUT] if book.has_struck_text else []
    remarks += [READ_AS_CENTS] if book.has_raised_cents else []
    if pages:
        pages[0] = replace(pages[0], remarks=(*remarks, *pages[0].remarks))
    if pages and len(shown) < len(book.sheets):
        pages[0] = replace(pages[0], remarks=(*pages[0].remarks, _HIDDEN_SHEETS))
    if pages and len(shown) > _MOST_SHEETS:
        omitted = f"Only the first {_MOST_SHEETS} sheets were read."
        pages[0] = replace(pages[0], omissions=(*pages[0].omissions, omitted))
    return tuple(pages)


def _read_sheet(number: int, sheet: "AnySheet", most_rows: int) -> tuple[int, Page | None]:
    """Return how many rows a sheet has, and its page; None where it shows nothing."""
    from app.service.tables.unstored_results import describe_formulas

    cells, start, hides = _read_cells(sheet, most_rows + 1)
    filled, merging = fill_merged(cells, _find_merged(sheet.outline.merged, start, hides))
    seen = hides.leave_out(filled, start)
    if not any(cell for row in seen for cell in row):
        return len(cells), None
    page = lay_out_cells(number, seen, most_rows)
    remarks = [f"On the sheet {sheet.name}, {remark[0].lower()}{remark[1:]}" for remark in merging]
    if left_out := _count_filled(cells) - _count_filled(hides.leave_out(cells, start)):
        remarks.insert(0, _HIDDEN_CELLS.format(name=sheet.name, cells=left_out))
    unknown = [place for place in sorted(sheet.formulas) if place not in sheet.results]
    remarks += describe_formulas(
        sheet.name,
        sheet.formulas,
        [place for place in sheet.results if not hides.covers(place)],
        [place for place in unknown if not hides.covers(place)],
    )
    return len(cells), replace(page, remarks=tuple(remarks))


@dataclass(frozen=True, slots=True)
class _HiddenCells:
    """Hidden rows and columns of a sheet, counted from 0, and cells that are white on white or struck out by
    both."""

    rows: set[int] = field(default_factory=set[int])
    columns: set[int] = field(default_factory=set[int])
    cells: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])

    def covers(self, place: tuple[int, int]) -> bool:
        """Whether the cell at a row and column is not shown."""
        return place[0] in self.rows or place[1] in self.columns or place in self.cells

    def leave_out(self, rows: Sequence[Sequence[str]], start: tuple[int, int]) -> list[list[str]]:
        """The cells that are shown of rows whose first cell is at `start`, its row and column."""
        return [
            [
                "" if (number, column) in self.cells else cell
                for column, cell in enumerate(row, start[1])
                if column not in self.columns
            ]
            for number, row in enumerate(rows, start[0])
            if number not in self.rows
        ]


def _read_cells(sheet: "AnySheet", most_rows: int) -> tuple[list[list[str]], tuple[int, int], _HiddenCells]:
    """The texts of a sheet's cells, the place of the first one, and what the sheet hides."""
    hides = _HiddenCells()
    rows: list[list[str]] = []
    top, left, width = 0, _MOST_COLUMNS, 0
    for row in sheet.read_rows():
        at = row.number - 1
        texts = [_format_cell(cell) for cell in row.cells]
        first = next((column for column, text in enumerate(texts) if text), None)
        if first is None:
            continue
        top = top if rows else at
        left, width = min(left, first), max(width, len(texts))
        high = at - top + 1
        if high * (width - left) > _MOST_CELLS:
            raise UnreadableDocument(_VAST.format(rows=high, columns=width - left))
        if high > most_rows:
            break
        rows += [[] for _ in range(high - 1 - len(rows))]
        rows.append(texts)
        if row.hidden:
            hides.rows.add(at)
        hides.cells.update((at, column) for column in row.unseen)
    hides.columns.update(sheet.hidden_columns)
    return [row[left:] for row in rows], (top, left), hides


def _find_merged(
    ranges: Iterable["Merged"], start: tuple[int, int], hidden: _HiddenCells
) -> Iterator[MergedCell]:
    """The merged cells of a sheet whose first filled cell is at `start`; none that begins where it hides."""
    for (row, column), (last_row, last_column) in ranges:
        if hidden.covers((row, column)):
            continue
        yield MergedCell(
            row - start[0],
            column - start[1],
            last_row - row + 1,
            last_column - column + 1,
            name_range(row, column, last_row, last_column),
        )


def _count_filled(rows: Sequence[Sequence[str]]) -> int:
    return sum(bool(cell) for row in rows for cell in row)


def _format_cell(cell: object) -> str:
    """A cell as its sheet shows it: a number with the currency or the per cent sign of its format."""
    if cell is None or isinstance(cell, bool | CellError):
        return ""
    if isinstance(cell, datetime):
        return cell.date().isoformat()
    if isinstance(cell, FormattedNumber):
        if "%" in cell.number_format:
            return f"{_format_number(float(cell) * 100)} %"
        return f"{_format_number(cell)} {find_format_currency(cell.number_format) or ''}".rstrip()
    return _format_number(cell) if isinstance(cell, float) else str(cell).strip()


def _format_number(number: float) -> str:
    text = f"{number:.10g}" if number.is_integer() else repr(round(number, 6))
    # A dot before three digits may part thousands on a page; before four it cannot.
    return f"{text}0" if len(text.partition(".")[2]) == 3 else text


XLSX = PagedFormat(
    "XLSX",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ("xlsx",),
    _is_xlsx,
    read_pages=_read_pages,
)
XLS = PagedFormat("XLS", "application/vnd.ms-excel", ("xls",), _is_xls, read_pages=_read_pages)
