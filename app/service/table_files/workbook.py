"""Read rows of an XLSX workbook's first sheet, after checking that the archive is no zip bomb."""

import zipfile
from collections.abc import Iterator
from typing import BinaryIO, cast

from app.service.table_files.table import UnreadableTable

# A sheet of a million rows by twenty columns unpacks to about 1.2 GB; its texts to far less.
MAX_SHEET_BYTES = 2 << 30
MAX_PART_BYTES = 256 << 20
MAX_COMPRESSION_RATIO = 250
MAX_ROWS = 1 << 20
"""Of a sheet, as Excel has it: openpyxl counts up to whatever number a row states."""
_MIN_CHECKED_BYTES = 8 << 20
_MAX_PARTS = 2_000


def read_workbook(stream: BinaryIO) -> Iterator[tuple[int, list[object]]]:
    """Yield `(row number, cells)` of the first sheet; a formula is its text, which begins with `=`."""
    _check_archive(stream)
    # Imported here: most imports are CSV, and openpyxl takes longer to load than they take to read.
    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException
    from openpyxl.worksheet._read_only import ReadOnlyWorksheet

    try:
        book = load_workbook(stream, read_only=True, data_only=False)
    except (InvalidFileException, zipfile.BadZipFile, KeyError, ValueError, OSError, SyntaxError) as error:
        raise UnreadableTable(f"the workbook cannot be opened: {error}") from None
    try:
        sheet = cast(ReadOnlyWorksheet, book.worksheets[0])
        sheet.reset_dimensions()  # what a file states of its size may be anything
        for number, cells in enumerate(sheet.iter_rows(values_only=True), start=1):  # pyrefly: ignore[no-matching-overload]
            if number > MAX_ROWS:
                raise UnreadableTable(f"the workbook has a row beyond {MAX_ROWS:,}")
            if any(cell is not None for cell in cells):
                yield number, list(cells)
    except IndexError:
        raise UnreadableTable("the workbook has no sheet") from None
    except UnreadableTable:
        raise
    except (zipfile.BadZipFile, ValueError, KeyError, OSError, SyntaxError) as error:
        raise UnreadableTable(f"the workbook is damaged: {error}") from None
    finally:
        book.close()


def _check_archive(stream: BinaryIO) -> None:
    """Check sizes in the archive's directory: zipfile never unpacks more of a part than is stated there."""
    try:
        with zipfile.ZipFile(stream) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError):
        raise UnreadableTable("the workbook is not a readable zip archive") from None
    if len(parts) > _MAX_PARTS:
        raise UnreadableTable(f"the workbook has {len(parts)} parts")
    for part in parts:
        limit = MAX_SHEET_BYTES if part.filename.startswith("xl/worksheets/") else MAX_PART_BYTES
        ratio = part.file_size / max(part.compress_size, 1)
        if part.file_size > limit or (part.file_size > _MIN_CHECKED_BYTES and ratio > MAX_COMPRESSION_RATIO):
            raise UnreadableTable(f"the workbook's {part.filename} unpacks to {part.file_size:,} bytes")
    stream.seek(0)
