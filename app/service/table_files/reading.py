"""Rows of a table file of any format: CSV, CSV.gz, XLSX or Parquet, told apart by the first bytes."""

import gzip
import zlib
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from app.service.table_files.delimited import read_delimited
from app.service.table_files.parquet import read_parquet
from app.service.table_files.table import RejectedRow, TableRow, UnreadableTable
from app.service.table_files.workbook import read_workbook

_SAMPLE_ROWS = 2_000
_SAMPLE_CHARACTERS = 1 << 22
_GZIP, _ZIP, _PARQUET = b"\x1f\x8b", b"PK\x03\x04", b"PAR1"


def read_table(stream: BinaryIO) -> Iterator[TableRow | RejectedRow]:
    """Yield each row with its line, the header first.

    Raises `UnreadableTable`, which may be after some rows were yielded.
    """
    magic = _read_magic(stream)
    if magic == _ZIP:
        yield from read_workbook(stream)
    elif magic == _PARQUET:
        yield from read_parquet(stream)
    elif magic.startswith(_GZIP):
        with _report_damage(), gzip.open(stream, "rb") as content:
            yield from read_delimited(cast(BinaryIO, content))
    else:
        yield from read_delimited(stream)


def is_text_table(stream: BinaryIO) -> bool:
    """Return whether the file is none of the formats that a library takes apart: it is CSV or CSV.gz."""
    return _read_magic(stream) not in (_ZIP, _PARQUET)


def _read_magic(stream: BinaryIO) -> bytes:
    magic = stream.read(4)
    stream.seek(0)
    return magic


def take_sample(
    rows: Iterator[TableRow | RejectedRow],
) -> tuple[list[TableRow | RejectedRow], Iterable[TableRow | RejectedRow]]:
    """Take the first rows, from which the notation of numbers and dates is guessed; return them and the
    rest."""
    judged: list[TableRow | RejectedRow] = []
    size = 0
    for row in rows:
        judged.append(row)
        if not isinstance(row, RejectedRow):
            size += sum(len(cell) for cell in row[1] if isinstance(cell, str))
        if len(judged) == _SAMPLE_ROWS or size > _SAMPLE_CHARACTERS:
            break
    return judged, rows


def check_gzip(path: Path) -> None:
    """Read a gzip file to its end, where its checksum stands: rows before it must not be kept alone."""
    with path.open("rb") as stream:
        if stream.read(2) != _GZIP:
            return
    with _report_damage(), gzip.open(path) as content:
        while content.read(1 << 20):
            pass


@contextmanager
def name_file_in_errors(path: Path) -> Generator[None]:
    """Put the file's name before the message of every error about it, as an `UnreadableTable`."""
    try:
        yield
    except UnreadableTable as error:
        raise UnreadableTable(f"{path.name}: {error}") from None
    except OSError as error:
        raise UnreadableTable(f"{path.name}: {error.strerror or error}") from None


@contextmanager
def _report_damage() -> Generator[None]:
    try:
        yield
    except (gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise UnreadableTable(f"the gzip file is damaged: {error}") from None
