"""XLSX and XLS workbooks; each sheet is read as a page."""

import io
from datetime import datetime

from app.service.documents.faults import UnreadableDocument
from app.service.documents.formats.cell_pages import MOST_COLUMNS, MOST_ROWS, lay_out_cells
from app.service.documents.formats.format import PagedFormat
from app.service.documents.formats.signatures import COMPOUND_FILE
from app.service.documents.formats.zip_archives import list_members, refuse_bomb
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
    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(content))
        names = book.sheet_names[:_MOST_SHEETS]
        sheets = [book.get_sheet_by_name(name).to_python(nrows=MOST_ROWS) for name in names]
    except (CalamineError, ValueError, OSError) as damage:
        raise UnreadableDocument("The workbook cannot be opened; it may be damaged or protected.") from damage
    return tuple(
        lay_out_cells(number, [[_format_cell(cell) for cell in row[:MOST_COLUMNS]] for row in rows])
        for number, rows in enumerate(sheets, 1)
        if any(_format_cell(cell) for row in rows for cell in row)
    )


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
