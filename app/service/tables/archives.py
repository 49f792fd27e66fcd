"""Check the archive of a workbook before anything of it is unpacked."""

import re
import zipfile
from typing import BinaryIO

from app.service.tables.table import UnreadableTable

ZIP_ARCHIVE = b"PK\x03\x04"
COMPOUND_FILE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""The container of the Office formats before 2007, and of every Office file with a password."""

GZIP, PARQUET, OPEN_DOCUMENT = b"\x1f\x8b", b"PAR1", b"application/vnd.oasis.opendocument.spreadsheet"
MARKUP = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype|html|head|meta|style|table|\?xml)\b", re.IGNORECASE)
"""How what systems write as `.xls` begins that is no workbook."""

# A sheet of a million rows by twenty columns unpacks to about 1.2 GB; its texts to far less.
MAX_SHEET_BYTES = 2 << 30
MAX_PART_BYTES = 256 << 20
MAX_COMPRESSION_RATIO = 250
_MIN_CHECKED_BYTES = 8 << 20
_MAX_PARTS = 2_000


def is_workbook(begin: bytes) -> bool:
    """Return whether a file that begins so is read as a workbook: also a web page with tables."""
    return begin.startswith((ZIP_ARCHIVE, COMPOUND_FILE)) or MARKUP.match(begin) is not None


def open_archive(stream: BinaryIO) -> zipfile.ZipFile:
    """Open the archive of a workbook. Raises `UnreadableTable` for one that is damaged, and for one that its
    directory says unpacks to more than a workbook: zipfile never unpacks more of a part than is stated
    there."""
    try:
        archive = zipfile.ZipFile(stream)
        parts = archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        raise UnreadableTable("the workbook is not a readable zip archive") from None
    if len(parts) > _MAX_PARTS:
        raise UnreadableTable(f"the workbook has {len(parts)} parts")
    for part in parts:
        limit = MAX_SHEET_BYTES if part.filename.startswith("xl/worksheets/") else MAX_PART_BYTES
        ratio = part.file_size / max(part.compress_size, 1)
        if part.file_size > limit or (part.file_size > _MIN_CHECKED_BYTES and ratio > MAX_COMPRESSION_RATIO):
            raise UnreadableTable(f"the workbook's {part.filename} unpacks to {part.file_size:,} bytes")
    return archive
