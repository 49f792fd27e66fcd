"""Purchase files into purchases: CSV, CSV.gz, XLSX and Parquet, streamed, each bad row reported by line."""

import gzip
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from app.service.purchase_records.records import Purchase, Rejected
from app.service.purchases.columns import Columns, UnreadablePurchases, resolve_columns
from app.service.purchases.rows import RowReader
from app.service.table_files.cells import RowRefused, text_of
from app.service.table_files.delimited import delimited_rows
from app.service.table_files.parquet import parquet_rows
from app.service.table_files.workbook import workbook_rows

__all__ = ["UnreadablePurchases", "read_purchases"]

_JUDGED_ROWS = 2_000
_JUDGED_CELLS = 1 << 22

SourceRow = tuple[int, Sequence[object]] | Rejected


def read_purchases(
    source: Path | BinaryIO,
    *,
    mapping: Mapping[str, str] | None = None,
    ignore: Sequence[str] = (),
    currency: str = "USD",
    lenient: bool = False,
    withhold_prices: bool = False,
) -> Iterator[Purchase | Rejected]:
    """Yield each row as a `Purchase`, or as a `Rejected` with its line and reason.

    `mapping` is our column name -> the file's; `ignore` names columns that become no attribute;
    `currency` is that of rows which state none. The kind of file is told by its first bytes, not by
    its name. With `lenient`, what an estimate can do without may be missing: the date becomes 1 January
    1970, the quantity 1. With `withhold_prices` the price columns are never looked at, and prices are
    NaN. Raises `UnreadablePurchases` when the file
    as a whole cannot be read, which may be after some rows were yielded.
    """
    with ExitStack() as held:
        stream = held.enter_context(source.open("rb")) if isinstance(source, Path) else source
        try:
            yield from _purchases(_rows(stream), mapping, ignore, currency, lenient, withhold_prices)
        except (gzip.BadGzipFile, zlib.error, EOFError) as error:
            raise UnreadablePurchases(f"the gzip file is damaged: {error}") from None


def _rows(stream: BinaryIO) -> Iterator[SourceRow]:
    magic = stream.read(4)
    stream.seek(0)
    if magic[:2] == b"\x1f\x8b":
        return delimited_rows(gzip.open(stream, "rb"))  # type: ignore[arg-type]
    if magic == b"PK\x03\x04":
        return workbook_rows(stream)
    if magic == b"PAR1":
        return parquet_rows(stream)
    return delimited_rows(stream)


def _purchases(
    rows: Iterator[SourceRow],
    mapping: Mapping[str, str] | None,
    ignore: Sequence[str],
    currency: str,
    lenient: bool,
    withhold_prices: bool,
) -> Iterator[Purchase | Rejected]:
    columns = _header(rows, mapping, ignore, prices_needed=not withhold_prices)
    judged, rest = _judged(rows)
    reader = RowReader.judging(
        columns,
        [cells for row in judged if not isinstance(row, Rejected) for cells in (row[1],)],
        currency=currency,
        lenient=lenient,
        withhold_prices=withhold_prices,
    )
    for row in chain(judged, rest):
        if isinstance(row, Rejected):
            yield row
            continue
        line, cells = row
        try:
            yield reader.read(cells)
        except RowRefused as refused:
            yield Rejected(line, str(refused), reader.row_id(cells))


def _header(
    rows: Iterator[SourceRow],
    mapping: Mapping[str, str] | None,
    ignore: Sequence[str],
    *,
    prices_needed: bool,
) -> Columns:
    first = next(rows, None)
    if first is None:
        raise UnreadablePurchases("the file is empty")
    if isinstance(first, Rejected):
        raise UnreadablePurchases(f"line {first.line}: {first.reason}")
    return resolve_columns([text_of(cell) for cell in first[1]], mapping, ignore, prices_needed=prices_needed)


def _judged(rows: Iterator[SourceRow]) -> tuple[list[SourceRow], Iterable[SourceRow]]:
    """The first rows, by which a column's way of writing numbers and dates is judged."""
    judged: list[SourceRow] = []
    size = 0
    for row in rows:
        judged.append(row)
        if not isinstance(row, Rejected):
            size += sum(len(cell) for cell in row[1] if isinstance(cell, str))
        if len(judged) == _JUDGED_ROWS or size > _JUDGED_CELLS:
            break
    return judged, rows
