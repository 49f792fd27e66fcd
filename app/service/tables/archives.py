"""Tell files apart by their first bytes, and check archives before anything of them is unpacked."""

import re
import zipfile
import zlib
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


_HEAD_BYTES = 1 << 16
"""Of a gzip file so much is unpacked, to see whether it is text."""
_GZIP_WINDOW, _OPENING = 31, 4096


def recognise_packed_table(content: bytes) -> str | None:
    """Return the media type, None for any other file. Its rows are read by the import alone."""
    if content.startswith(PARQUET) and content.endswith(PARQUET):
        return "application/vnd.apache.parquet"
    if content.startswith(GZIP) and _is_packed_text(content):
        return "application/gzip"
    if content.startswith(ZIP_ARCHIVE) and OPEN_DOCUMENT in content[:_OPENING]:
        return OPEN_DOCUMENT.decode()
    return None


def _is_packed_text(content: bytes) -> bool:
    try:
        head = zlib.decompressobj(_GZIP_WINDOW).decompress(content[:_HEAD_BYTES], _HEAD_BYTES)
    except zlib.error:
        return False
    return bool(head.strip()) and b"\x00" not in head
