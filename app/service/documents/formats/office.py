"""DOCX, XLSX, XLS and CSV as pages: cells become words at made-up places, so that one reader reads all."""

import csv
import io
import zipfile
from collections.abc import Iterable, Sequence
from datetime import datetime

from app.service.documents.extraction import Box
from app.service.documents.faults import UnreadableDocument
from app.service.documents.formats.media_type import MediaType
from app.service.documents.layout.pages import Page, Word

_LINE = 14.0
_SIZE = 10.0
_COLUMN = 400.0
_MOST_ROWS = 20_000
_MOST_COLUMNS = 200
# A sheet of text compresses twenty to one; a bomb a thousand to one.
_LARGEST_UNPACKED = 200 * 1024 * 1024


def office_pages(content: bytes, media: MediaType) -> tuple[Page, ...]:
    """The sheets or the text flow of an office document as pages."""
    if media in (MediaType.DOCX, MediaType.XLSX):
        _refuse_bomb(content)
    if media is MediaType.DOCX:
        from app.service.documents.formats.word import docx_blocks

        return (grid_page(1, docx_blocks(content)),)
    if media is MediaType.CSV:
        return (grid_page(1, _csv_rows(content)),)
    return _sheets(content)


def _refuse_bomb(content: bytes) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            unpacked = sum(entry.file_size for entry in archive.infolist())
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as damage:
        raise UnreadableDocument("The file is damaged: its archive cannot be opened.") from damage
    if unpacked > _LARGEST_UNPACKED:
        raise UnreadableDocument("The file unpacks to an unreasonable size; it was not opened.")


def _csv_rows(content: bytes) -> list[list[str]]:
    text = _decoded(content)
    sample = text[:4096]
    try:
        dialect = csv.Sniffer().sniff(sample, ",;\t|")
        delimiter = dialect.delimiter
    except csv.Error:
        delimiter = max(",;\t|", key=sample.count)
    rows: list[list[str]] = []
    try:
        for row in csv.reader(io.StringIO(text), delimiter=delimiter):
            rows.append(row[:_MOST_COLUMNS])
            if len(rows) >= _MOST_ROWS:
                break
    except csv.Error as damage:
        raise UnreadableDocument("The CSV file cannot be split into cells.") from damage
    return rows


def _decoded(content: bytes) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def _sheets(content: bytes) -> tuple[Page, ...]:
    from python_calamine import CalamineError, CalamineWorkbook

    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(content))
        sheets = [book.get_sheet_by_name(name).to_python(nrows=_MOST_ROWS) for name in book.sheet_names[:30]]
    except (CalamineError, ValueError, OSError) as damage:
        raise UnreadableDocument("The workbook cannot be opened; it may be damaged or protected.") from damage
    return tuple(
        grid_page(number, [[_shown(cell) for cell in row[:_MOST_COLUMNS]] for row in rows])
        for number, rows in enumerate(sheets, 1)
        if any(_shown(cell) for row in rows for cell in row)
    )


def _shown(cell: object) -> str:
    if isinstance(cell, bool) or cell is None:
        return ""
    if isinstance(cell, datetime):
        return cell.date().isoformat()
    if isinstance(cell, float):
        return f"{cell:.10g}" if cell.is_integer() else repr(round(cell, 6))
    return str(cell).strip()


def grid_page(number: int, rows: Iterable[Sequence[str]]) -> Page:
    """A page on which every cell stands in its column; an empty row leaves a gap."""
    words: list[Word] = []
    top = 0.0
    widest = 1
    for cell_row, row in enumerate(rows):
        widest = max(widest, len(row))
        height = 1
        for column, text in enumerate(row):
            lines = text.split("\n")
            height = max(height, len(lines))
            for offset, line in enumerate(lines):
                words.extend(_words(line, column, top + offset * _LINE, cell_row * 1000 + column))
        top += height * _LINE
    return Page(number, widest * _COLUMN, max(top, _LINE), tuple(words))


def _words(line: str, column: int, top: float, cell: int) -> Iterable[Word]:
    x = column * _COLUMN
    step = min(5.0, (_COLUMN - 10) / max(len(line), 1))
    for text in line.split():
        width = step * len(text)
        yield Word(text, Box(x, top, x + width, top + _SIZE), _SIZE, cell=cell)
        x += width + step
