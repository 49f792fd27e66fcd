"""Which coding a caller gets, by what it says in `Accept-Encoding`."""

import gzip
import sys

import pytest

from app.http_server.content_coding import MAX_ACCEPT_ENCODING, Coding, choose_coding

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

ZSTD, GZIP = Coding.ZSTD, Coding.GZIP


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        ("", None),
        ("identity", None),
        ("deflate, br", None),
        ("gzip", GZIP),
        ("GZip", GZIP),
        ("x-gzip", GZIP),
        ("gzip, deflate, br, zstd", ZSTD),
        ("gzip ; q=1.0,zstd;q=1", ZSTD),
        ("gzip;q=0.8, zstd;q=0.5", GZIP),
        ("gzip;q=0.001", GZIP),
        ("gzip;q=0", None),
        ("gzip;q=0.000, zstd;q=0", None),
        ("gzip;q=0, zstd", ZSTD),
        ("identity, gzip;q=0.5", None),
        ("identity;q=0.5, gzip", GZIP),
        ("identity, gzip", GZIP),
        ("identity;q=0, gzip", GZIP),
        ("identity;q=0", None),
        ("*", GZIP),
        ("*;q=0", None),
        ("*;q=0, gzip", GZIP),
        ("gzip;q=0, *", None),
        ("*;q=0.5, zstd;q=0.1", GZIP),
        ("gzip;q=2", None),
        ("gzip;q=-1", None),
        ("gzip;q=nan", None),
        ("gzip;level=9", None),
        (",,;,gzip,", GZIP),
        ("gzip" + ", br" * MAX_ACCEPT_ENCODING, None),
    ],
)
def test_the_callers_weights_choose_the_coding(accepted: str, coding: Coding | None) -> None:
    assert choose_coding(accepted) is coding


def test_what_is_compressed_is_read_by_others() -> None:
    body = b'{"name": "Analytics Suite", "price": 120}' * 500
    readers = {GZIP: gzip.decompress, ZSTD: zstd.decompress}
    for coding in Coding:
        once, often = coding.compress(body), coding.compress_well(body)
        assert readers[coding](once) == readers[coding](often) == body
        assert len(often) <= len(once) < len(body) // 20
        assert coding.compress(body) == once
