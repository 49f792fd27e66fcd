"""Recognise by their first bytes the tables that are no document: CSV.gz, ODS and Parquet."""

import zlib

from app.service.tables.archives import GZIP, OPEN_DOCUMENT, PARQUET, ZIP_ARCHIVE

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
