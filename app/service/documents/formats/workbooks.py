"""XLSX and XLS workbooks; each sheet is read as a page."""

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from app.service.documents.faults import UnreadableDocument
from app.service.documents.formats.cell_pages import lay_out_cells
from app.service.documents.formats.format import PagedFormat
from app.service.documents.formats.merged_cells import MergedCell, fill_merged
from app.service.documents.formats.sheet_extents import refuse_vast_sheets
from app.service.documents.formats.signatures import COMPOUND_FILE
from app.service.documents.formats.zip_archives import list_members, refuse_bomb
from app.service.documents.layout.bounds import MOST_ROWS
from app.service.documents.layout.pages import Page
from app.service.tables.cell_names import name_range

if TYPE_CHECKING:
    from python_calamine import CalamineSheet

    from app.service.documents.formats.hidden_cells import HiddenCells

_MOST_SHEETS = 30
_HIDDEN_CELLS = (
    "The sheet {name} has cells that are hidden or struck out, which were not read (cells: {cells})."
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
    from python_calamine import CalamineError, CalamineWorkbook, SheetVisibleEnum

    from app.service.documents.formats.hidden_cells import HiddenCells, find_hidden_cells
    from app.service.documents.formats.rich_text import flatten_rich_text
    from app.service.tables.unstored_results import (
        Reckoner,
        describe_formulas,
        find_unstored,
        put_in,
    )

    refuse_bomb(content)
    refuse_vast_sheets(content)
    content, remarks_on_text = flatten_rich_text(content)
    pages: list[Page] = []
    rows_left = MOST_ROWS
    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(content))
        shown = [sheet.name for sheet in book.sheets_metadata if sheet.visible == SheetVisibleEnum.Visible]
        hidden, formulas = find_hidden_cells(content), find_unstored(content)
        sheets = {name: index for index, name in enumerate(book.sheet_names)}
        reckoner = Reckoner(
            formulas, lambda name: _read_sheet(book.get_sheet_by_index(sheets[name]), MOST_ROWS)
        )
        for number, name in enumerate(shown[:_MOST_SHEETS], 1):
            sheet = book.get_sheet_by_name(name)
            hides = hidden.get(name, HiddenCells())
            results, unknown = reckoner.reckon(name)
            rows, start = put_in(
                *_read_sheet(sheet, rows_left + 1), results | dict.fromkeys(unknown, ""), rows_left
            )
            cells = [[_format_cell(cell) for cell in row] for row in rows]
            filled, merging = fill_merged(cells, _find_merged(sheet.merged_cell_ranges or [], start, hides))
            seen = hides.leave_out(filled, start)
            if any(cell for row in seen for cell in row):
                page = lay_out_cells(number, seen, rows_left)
                remarks = [f"On the sheet {name}, {remark[0].lower()}{remark[1:]}" for remark in merging]
                if left_out := _count_filled(cells) - _count_filled(hides.leave_out(cells, start)):
                    remarks.insert(0, _HIDDEN_CELLS.format(name=name, cells=left_out))
                remarks += describe_formulas(
                    name,
                    formulas.get(name, {}),
                    [place for place in results if not hides.covers(place)],
                    [place for place in unknown if not hides.covers(place)],
                )
                page = replace(page, remarks=tuple(remarks))
                pages.append(page)
                rows_left = max(0, rows_left - len(rows))
    except (CalamineError, ValueError, OSError) as damage:
        raise UnreadableDocument("The workbook cannot be opened; it may be damaged or protected.") from damage
    if pages:
        pages[0] = replace(pages[0], remarks=(*remarks_on_text, *pages[0].remarks))
    if pages and len(shown) < len(book.sheet_names):
        pages[0] = replace(pages[0], remarks=(*pages[0].remarks, _HIDDEN_SHEETS))
    if pages and len(shown) > _MOST_SHEETS:
        omitted = f"Only the first {_MOST_SHEETS} sheets were read."
        pages[0] = replace(pages[0], omissions=(*pages[0].omissions, omitted))
    return tuple(pages)


def _read_sheet(sheet: "CalamineSheet", most_rows: int) -> tuple[list[list[object]], tuple[int, int]]:
    """The rows of a sheet and the place of the first of their cells."""
    return [list(row) for row in sheet.to_python(nrows=most_rows)], sheet.start or (0, 0)


def _find_merged(
    ranges: Iterable[tuple[tuple[int, int], tuple[int, int]]], start: tuple[int, int], hidden: "HiddenCells"
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
    if isinstance(cell, bool) or cell is None:
        return ""
    if isinstance(cell, datetime):
        return cell.date().isoformat()
    if isinstance(cell, float):
        text = f"{cell:.10g}" if cell.is_integer() else repr(round(cell, 6))
        # A dot before three digits may part thousands on a page; before four it cannot.
        return f"{text}0" if len(text.partition(".")[2]) == 3 else text
    return str(cell).strip()


XLSX = PagedFormat(
    "XLSX",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ("xlsx",),
    _is_xlsx,
    read_pages=_read_pages,
)
XLS = PagedFormat("XLS", "application/vnd.ms-excel", ("xls",), _is_xls, read_pages=_read_pages)
