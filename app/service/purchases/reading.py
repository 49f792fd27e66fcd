"""Read purchases from CSV, CSV.gz, XLSX and Parquet files as a stream; each bad row is reported by its
line."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

from app.contract.imports import DateOrder
from app.service.purchase_records.records import Purchase
from app.service.purchases.columns import PurchaseColumns, resolve_columns
from app.service.purchases.rows import RowReader
from app.service.table_files.cells import format_cell
from app.service.table_files.date_order import find_date_order
from app.service.table_files.isolated_reading import read_table_file
from app.service.table_files.reading import take_sample
from app.service.tables.reading import read_table
from app.service.tables.table import InvalidRow, RejectedRow, TableRow, UnreadableTable


def read_purchases(
    source: Path | BinaryIO,
    *,
    mapping: Mapping[str, str] | None = None,
    ignore: Sequence[str] = (),
    currency: str = "USD",
    lenient: bool = False,
    withhold_prices: bool = False,
    date_order: DateOrder | None = None,
    sheet: str | None = None,
    encoding: str | None = None,
) -> Iterator[Purchase | RejectedRow]:
    """Yield each row as a `Purchase`, or as a `RejectedRow` with its line and reason.

    `mapping` is our column name -> the file's; `ignore` names columns that become no attribute; `currency` is
    that of rows which state none. The format is recognised by the first bytes, not by the name. With
    `lenient`, a missing date becomes 1 January 1970 and a missing quantity 1, because an estimate does not
    need them. With `withhold_prices` the price columns are never read, and prices are NaN. `date_order` is
    how the file writes 03/04/2026, where no date of it shows that: such a row is refused otherwise. `sheet`
    is the one of a workbook to read, `encoding` that of a text, where somebody states one. Raises
    `UnreadableTable` when the file as a whole cannot be read, which may be after some rows were yielded.
    """
    rows = (
        read_table_file(source, sheet=sheet, encoding=encoding)
        if isinstance(source, Path)
        else read_table(source, sheet=sheet, encoding=encoding)
    )
    yield from read_purchase_rows(
        rows,
        mapping=mapping,
        ignore=ignore,
        currency=currency,
        lenient=lenient,
        withhold_prices=withhold_prices,
        date_order=date_order,
    )


def read_purchase_rows(
    rows: Iterator[TableRow | RejectedRow],
    *,
    mapping: Mapping[str, str] | None = None,
    ignore: Sequence[str] = (),
    currency: str = "USD",
    lenient: bool = False,
    withhold_prices: bool = False,
    date_order: DateOrder | None = None,
) -> Iterator[Purchase | RejectedRow]:
    """Do the same for the rows of a table, the header first."""
    columns = _read_header(rows, mapping, ignore, prices_needed=not withhold_prices)
    judged, rest = take_sample(rows)
    slashes, all_rows = find_date_order(judged, rest, [columns.fields.get("purchase_date", -1)], date_order)
    reader = RowReader.from_sample(
        columns,
        [cells for row in judged if not isinstance(row, RejectedRow) for cells in (row[1],)],
        slashes,
        currency=currency,
        lenient=lenient,
        withhold_prices=withhold_prices,
    )
    for row in all_rows:
        if isinstance(row, RejectedRow):
            yield row
            continue
        line, cells = row
        try:
            yield reader.read(cells)
        except InvalidRow as refused:
            yield RejectedRow(line, str(refused), reader.row_id(cells), refused.field)


def _read_header(
    rows: Iterator[TableRow | RejectedRow],
    mapping: Mapping[str, str] | None,
    ignore: Sequence[str],
    *,
    prices_needed: bool,
) -> PurchaseColumns:
    first = next(rows, None)
    if first is None:
        raise UnreadableTable("the file is empty")
    if isinstance(first, RejectedRow):
        raise UnreadableTable(f"line {first.line}: {first.reason}")
    return resolve_columns(
        [format_cell(cell) for cell in first[1]], mapping, ignore, prices_needed=prices_needed
    )
