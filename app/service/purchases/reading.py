"""Purchase files into purchases: CSV, CSV.gz, XLSX and Parquet, streamed, each bad row reported by line."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from app.service.purchase_records.records import Purchase
from app.service.purchases.columns import Columns, resolve_columns
from app.service.purchases.rows import RowReader
from app.service.table_files.cells import text_of
from app.service.table_files.reading import read_table
from app.service.table_files.table import InvalidRow, RejectedRow, TableRow, UnreadableTable

_JUDGED_ROWS = 2_000
_JUDGED_CELLS = 1 << 22


def read_purchases(
    source: Path | BinaryIO,
    *,
    mapping: Mapping[str, str] | None = None,
    ignore: Sequence[str] = (),
    currency: str = "USD",
    lenient: bool = False,
    withhold_prices: bool = False,
) -> Iterator[Purchase | RejectedRow]:
    """Yield each row as a `Purchase`, or as a `RejectedRow` with its line and reason.

    `mapping` is our column name -> the file's; `ignore` names columns that become no attribute;
    `currency` is that of rows which state none. The kind of file is told by its first bytes, not by
    its name. With `lenient`, what an estimate can do without may be missing: the date becomes 1 January
    1970, the quantity 1. With `withhold_prices` the price columns are never looked at, and prices are
    NaN. Raises `UnreadableTable` when the file as a whole cannot be read, which may be after some rows were
    yielded.
    """
    with ExitStack() as stack:
        stream = stack.enter_context(source.open("rb")) if isinstance(source, Path) else source
        yield from _purchases(read_table(stream), mapping, ignore, currency, lenient, withhold_prices)


def _purchases(
    rows: Iterator[TableRow | RejectedRow],
    mapping: Mapping[str, str] | None,
    ignore: Sequence[str],
    currency: str,
    lenient: bool,
    withhold_prices: bool,
) -> Iterator[Purchase | RejectedRow]:
    columns = _header(rows, mapping, ignore, prices_needed=not withhold_prices)
    judged, rest = _judged(rows)
    reader = RowReader.judging(
        columns,
        [cells for row in judged if not isinstance(row, RejectedRow) for cells in (row[1],)],
        currency=currency,
        lenient=lenient,
        withhold_prices=withhold_prices,
    )
    for row in chain(judged, rest):
        if isinstance(row, RejectedRow):
            yield row
            continue
        line, cells = row
        try:
            yield reader.read(cells)
        except InvalidRow as refused:
            yield RejectedRow(line, str(refused), reader.row_id(cells))


def _header(
    rows: Iterator[TableRow | RejectedRow],
    mapping: Mapping[str, str] | None,
    ignore: Sequence[str],
    *,
    prices_needed: bool,
) -> Columns:
    first = next(rows, None)
    if first is None:
        raise UnreadableTable("the file is empty")
    if isinstance(first, RejectedRow):
        raise UnreadableTable(f"line {first.line}: {first.reason}")
    return resolve_columns([text_of(cell) for cell in first[1]], mapping, ignore, prices_needed=prices_needed)


def _judged(
    rows: Iterator[TableRow | RejectedRow],
) -> tuple[list[TableRow | RejectedRow], Iterable[TableRow | RejectedRow]]:
    """The first rows, by which a column's way of writing numbers and dates is judged."""
    judged: list[TableRow | RejectedRow] = []
    size = 0
    for row in rows:
        judged.append(row)
        if not isinstance(row, RejectedRow):
            size += sum(len(cell) for cell in row[1] if isinstance(cell, str))
        if len(judged) == _JUDGED_ROWS or size > _JUDGED_CELLS:
            break
    return judged, rows
