"""XLSX and XLS workbooks; each sheet is read as a page."""

import io
from dataclasses import replace
from datetime import datetime

from app.service.documents.faults import UnreadableDocument
from app.service.documents.formats.cell_pages import lay_out_cells
from app.service.documents.formats.format import PagedFormat
from app.service.documents.formats.sheet_extents import refuse_vast_sheets
from app.service.documents.formats.signatures import COMPOUND_FILE
from app.service.documents.formats.zip_archives import list_members, refuse_bomb
from app.service.documents.layout.bounds import MOST_ROWS
from app.service.documents.layout.pages import Page

_MOST_SHEETS = 30


def _is_xlsx(content: bytes, filename: str) -> bool:
    return any(member.name.startswith("xl/workbook") for member in list_members(content))


def _is_xls(content: bytes, filename: str) -> bool:
    if not content.startswith(COMPOUND_FILE):
        return False
    if "EncryptedPackage".encode("utf-16-le") in content:
        raise UnreadableDocument("The document is protected by a password.")
    return "Workbook".encode("utf-16-le") in content or "Book".encode("utf-16-le") in content


def _read_pages(content: bytes, page_limit: int) -> tuple[Page, ...]:
    from python_calamine import CalamineError, CalamineWorkbook

    refuse_bomb(content)
    refuse_vast_sheets(content)
    pages: list[Page] = []
    rows_left = MOST_ROWS
    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(content))
        names = book.sheet_names
        for number, name in enumerate(names[:_MOST_SHEETS], 1):
            rows = book.get_sheet_by_name(name).to_python(nrows=rows_left + 1)
            if any(_format_cell(cell) for row in rows for cell in row):
                cells = ([_format_cell(cell) for cell in row] for row in rows)
                pages.append(lay_out_cells(number, cells, rows_left))
                rows_left = max(0, rows_left - len(rows))
    except (CalamineError, ValueError, OSError) as damage:
        raise UnreadableDocument("The workbook cannot be opened; it may be damaged or protected.") from damage
    if pages and len(names) > _MOST_SHEETS:
        omitted = f"Only the first {_MOST_SHEETS} sheets were read."
        pages[0] = replace(pages[0], omissions=(*pages[0].omissions, omitted))
    return tuple(pages)


def _format_cell(cell: object) -> str:
    if isinstance(cell, bool) or cell is None:
        return ""
    if isinstance(cell, datetime):
        return cell.date().isoformat()
    if isinstance(cell, float):
        return f"{cell:.10g}" if cell.is_integer() else repr(round(cell, 6))
    return str(cell).strip()


XLSX = PagedFormat(
    "XLSX",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ("xlsx",),
    _is_xlsx,
    read_pages=_read_pages,
)
XLS = PagedFormat("XLS", "application/vnd.ms-excel", ("xls",), _is_xls, read_pages=_read_pages)
