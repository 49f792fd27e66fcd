"""Read purchases from CSV, CSV.gz, XLSX and Parquet files as a stream; each bad row is reported by its
line."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO

from app.contract.imports import DateOrder, NumberFormat
from app.service.purchase_records.records import Purchase
from app.service.purchases.columns import PRICE_FIELDS, PurchaseColumns, resolve_columns
from app.service.purchases.order_states import OrderStates
from app.service.purchases.rows import NUMBER_FIELDS, RowReader
from app.service.table_files.cells import format_cell
from app.service.table_files.isolated_reading import read_table_file
from app.service.table_files.notation import find_notation
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
    number_format: NumberFormat | None = None,
    sheet: str | None = None,
    encoding: str | None = None,
) -> Iterator[Purchase | RejectedRow]:
    """Yield each row as a `Purchase`, or as a `RejectedRow` with its line and reason.

    `mapping` is our column name -> the file's; `ignore` names columns that become no attribute; `currency` is
    that of rows which state none. The format is recognised by the first bytes, not by the name. With
    `lenient`, a missing date becomes 1 January 1970 and a missing quantity 1, because an estimate does not
    need them. With `withhold_prices` the price columns are never read, and prices are NaN. `date_order` is
    how the file writes 03/04/2026, where no date of it shows that, and `number_format` how it writes 1.500:
    such a row is refused otherwise. `sheet` is the one of a workbook to read, `encoding` that of a text,
    where somebody states one. Raises `UnreadableTable` when the file as a whole cannot be read, which may be
    after some rows were yielded.
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
        number_format=number_format,
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
    states: Mapping[str, bool] = MappingProxyType({}),
    add_doubt: Callable[[RejectedRow], None] | None = None,
    number_format: NumberFormat | None = None,
) -> Iterator[Purchase | RejectedRow]:
    """Do the same for the rows of a table, the header first. Orders in a state that makes no purchase of
    them (cancelled, draft, rejected) are left out as rejected rows; `states` says of which states a person
    decided that. A purchase in a state that is not known is told to `add_doubt`."""
    columns = _read_header(rows, mapping, ignore, prices_needed=not withhold_prices)
    sample, rest = take_sample(rows)
    fields = columns.fields
    read_fields = [name for name in NUMBER_FIELDS if not (withhold_prices and name in PRICE_FIELDS)]
    notation, all_rows = find_notation(
        sample,
        rest,
        dates=[fields.get("purchase_date", -1)],
        numbers=[fields.get(name, -1) for name in read_fields],
        others=list(columns.attributes.values()),
        date_order=date_order,
        number_format=number_format,
    )
    first_cells = [row[1] for row in sample if not isinstance(row, RejectedRow)]
    of_orders = OrderStates.find(columns.attributes, first_cells, states)
    reader = RowReader(columns, notation, currency=currency, lenient=lenient, withhold_prices=withhold_prices)
    for row in all_rows:
        if isinstance(row, RejectedRow):
            yield row
            continue
        line, cells = row
        if of_orders is not None:
            meaning, state = of_orders.read(cells)
            says = f"{of_orders.heading} says {state[:40]!r}"
            if meaning == "does not count":
                reason = f"{says}: such an order is no purchase, so it is left out"
                yield RejectedRow(line, reason, reader.row_id(cells), of_orders.heading)
                continue
            if meaning == "not known" and add_doubt is not None:
                add_doubt(RejectedRow(line, f"{says}: taken for a purchase", field=of_orders.heading))
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
