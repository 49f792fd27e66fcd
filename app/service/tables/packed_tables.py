"""Recognise by their first bytes the tables that are no document: CSV.gz and Parquet."""

import zlib

from app.service.tables.archives import GZIP, PARQUET

_HEAD_BYTES = 1 << 16
"""Of a gzip file so much is unpacked, to see whether it is text."""
_GZIP_WINDOW = 31


def recognise_packed_table(content: bytes) -> str | None:
    """Return the media type, None for any other file. Its rows are read by the import alone."""
    if content.startswith(PARQUET) and content.endswith(PARQUET):
        return "application/vnd.apache.parquet"
    if content.startswith(GZIP) and _is_packed_text(content):
        return "application/gzip"
    return None


def _is_packed_text(content: bytes) -> bool:
    try:
        head = zlib.decompressobj(_GZIP_WINDOW).decompress(content[:_HEAD_BYTES], _HEAD_BYTES)
    except zlib.error:
        return False
    return bool(head.strip()) and b"\x00" not in head
