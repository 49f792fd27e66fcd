"""XLSX and XLS workbooks; each sheet is read as a page."""

import io
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from app.contract.money import lower_first
from app.service.documents.faults import UnreadableDocument
from app.service.documents.formats.cell_pages import lay_out_cells
from app.service.documents.formats.format import PagedFormat
from app.service.documents.formats.merged_cells import MergedCell, fill_merged
from app.service.documents.formats.struck_and_raised import READ_AS_CENTS, STRUCK_OUT
from app.service.documents.formats.zip_archives import list_members, refuse_bomb
from app.service.documents.layout.bounds import MOST_ROWS
from app.service.documents.layout.pages import Page
from app.service.tables.archives import COMPOUND_FILE
from app.service.tables.formulas import name_cell, name_range
from app.service.tables.headings import join_names
from app.service.tables.table import CellError, FormattedNumber, UnreadableTable
from app.service.values.money import find_format_currency

if TYPE_CHECKING:
    from app.service.tables.workbook import AnySheet, ShownRows

_MOST_SHEETS = 30
_MOST_CELLS = 10_000_000
_HIDDEN_CELLS = (
    "The sheet {name} has cells that are hidden or struck out, which were not read (cells: {cells})."
)
_VAST = (
    "A sheet of the workbook reaches over {rows:,} rows and {columns:,} columns. Remove the cells that stand"
    " far from the table and send it again."
)
_LONGEST_FORMULA = 40
_RECKONED = "The sheet {name} has formulas whose results the file lacks; they were reckoned: {cells}."
_ERRORS = "Cells of the sheet {name} show an error, so nothing was read from them: {cells}."
_UNKNOWN = (
    "The sheet {name} has formulas whose results the file lacks and which are not reckoned here, so"
    " nothing was read from them: {cells}. Open the file in a spreadsheet program, save it and send it again."
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
    from app.service.tables.workbook import ShownRows

    shown = ShownRows(sheet)
    rows = dict(_read_rows(shown, most_rows + 1))
    left = min((column for texts in rows.values() for column, text in enumerate(texts) if text), default=0)
    filled, merging = fill_merged(
        [texts[left:] for texts in rows.values()], _find_merged(sheet, list(rows), left)
    )
    if not any(text for texts in filled for text in texts):
        return len(rows), None
    page = lay_out_cells(number, filled, most_rows)
    remarks = [f"On the sheet {sheet.name}, {lower_first(remark)}" for remark in merging]
    if shown.left_out:
        remarks.insert(0, _HIDDEN_CELLS.format(name=sheet.name, cells=shown.left_out))
    remarks += _describe_formulas(sheet, shown)
    return len(rows), replace(page, remarks=tuple(remarks))


def _describe_formulas(sheet: "AnySheet", shown: "ShownRows") -> Iterator[str]:
    """Yield sentences about the formulas of a sheet whose results the file does not store."""
    from app.service.tables.unstored_results import name_cells

    if cells := list(name_cells(place for place in sheet.results if not shown.hides(place))):
        yield _RECKONED.format(name=sheet.name, cells=join_names(cells))
    unknown = [one for one in sorted(sheet.formulas) if one not in sheet.results and not shown.hides(one)]
    for sentence, beginning in ((_ERRORS, "#"), (_UNKNOWN, "=")):
        told = [(one, sheet.formulas[one]) for one in unknown if sheet.formulas[one].startswith(beginning)]
        cells = [f"{name_cell(*place)}{_quote(text)}" for place, text in told]
        if cells:
            yield sentence.format(name=sheet.name, cells=join_names(cells))


def _quote(formula: str) -> str:
    if formula == "=":
        return ""
    return f" ({formula if len(formula) <= _LONGEST_FORMULA else formula[:_LONGEST_FORMULA] + '…'})"


def _read_rows(shown: "ShownRows", most_rows: int) -> Iterator[tuple[int, list[str]]]:
    """The texts of the rows that a sheet shows by their numbers, from the first filled one to the last, with
    the blank ones between them."""
    first = following = width = 0
    for number, cells in shown.read():
        texts = [_format_cell(cell) for cell in cells]
        if not any(texts):
            continue
        first, width = first or number, max(width, len(texts))
        if (number - first + 1) * width > _MOST_CELLS:
            raise UnreadableDocument(_VAST.format(rows=number - first + 1, columns=width))
        if number - first >= most_rows:
            return
        for blank in range(following or number, number):
            if blank not in shown.hidden_rows:
                yield blank, []
        yield number, texts
        following = number + 1


def _find_merged(sheet: "AnySheet", numbers: Sequence[int], left: int) -> Iterator[MergedCell]:
    """The merged cells of a sheet, of which the rows with these numbers are shown from a column on."""
    for (row, column), (last_row, last_column) in sheet.outline.merged:
        at = bisect_left(numbers, row + 1)
        if at < len(numbers) and numbers[at] == row + 1:
            end = bisect_right(numbers, last_row + 1)
            name = name_range(row, column, last_row, last_column)
            yield MergedCell(at, column - left, end - at, last_column - column + 1, name)


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
