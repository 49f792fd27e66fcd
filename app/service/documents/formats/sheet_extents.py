"""How far the sheets of an XLSX workbook reach, told before they are opened.

The library that reads workbooks makes room for every cell between the first and the last: two cells at the
ends of a sheet are 17 thousand million.
"""

import io
import re
import zipfile
from collections.abc import Iterator
from typing import IO

from app.service.documents.faults import UnreadableDocument
from app.service.documents.formats.signatures import ZIP_ARCHIVE

_MOST_CELLS = 10_000_000
_CHUNK = 1024 * 1024
_LONGEST_TAG = 1024
# A cell with something in it: one that is only formatted has an empty tag, and makes no room.
_CELL = re.compile(
    rb"""<(?:\w+:)?c\s(?:[^<>]*\s)?r\s*=\s*["']([A-Za-z]{1,3})(\d{1,7})["'][^<>]{0,200}(?<!/)>"""
)


def refuse_vast_sheets(content: bytes) -> None:
    """Raises UnreadableDocument for a workbook with a sheet whose cells lie too far apart."""
    if not content.startswith(ZIP_ARCHIVE):
        return
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for name in archive.namelist():
                with archive.open(name) as part:  # a sheet may have any name
                    _refuse_vast(_find_cells(part))
    except (zipfile.BadZipFile, zipfile.LargeZipFile, ValueError, OSError, NotImplementedError, RuntimeError):
        return  # the reader says what is wrong


def _refuse_vast(cells: Iterator[tuple[int, int]]) -> None:
    rows, columns = [0, 0], [0, 0]
    for row, column in cells:
        rows = [min(rows[0] or row, row), max(rows[1], row)]
        columns = [min(columns[0] or column, column), max(columns[1], column)]
    high, wide = rows[1] - rows[0] + 1, columns[1] - columns[0] + 1
    if high * wide > _MOST_CELLS:
        raise UnreadableDocument(
            f"A sheet of the workbook reaches over {high:,} rows and {wide:,} columns. Remove the cells that"
            " stand far from the table and send it again."
        )


def _find_cells(sheet: IO[bytes]) -> Iterator[tuple[int, int]]:
    """Row and column of every cell with something in it."""
    rest = b""
    while chunk := sheet.read(_CHUNK):
        text = rest + chunk
        for found in _CELL.finditer(text):
            yield int(found[2]), _column_number(found[1])
        rest = text[text.rfind(b"<") :][:_LONGEST_TAG] if b"<" in text[-_LONGEST_TAG:] else b""


def _column_number(letters: bytes) -> int:
    number = 0
    for letter in letters.upper():
        number = number * 26 + letter - 64
    return number
