"""Read purchases from CSV, CSV.gz, XLSX and Parquet files as a stream; each bad row is reported by its
line."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO, TypedDict, Unpack

from app.contract.imports import BlankCells, DateOrder, NumberFormat, PricePer
from app.service.purchase_records.records import Purchase
from app.service.purchases.columns import PRICE_FIELDS, match_columns, resolve_columns
from app.service.purchases.rows import MISSING, NUMBER_FIELDS, RowReader
from app.service.table_files.columns import reject_row
from app.service.table_files.grouped_rows import SUM_OF_ROWS, fill_groups, is_total, keep_last_revisions
from app.service.table_files.isolated_reading import open_table_file
from app.service.table_files.options import FileOptions
from app.service.table_files.questions import Questions, find_notation
from app.service.table_files.reading import HEADING_ROWS, take_first, take_header, take_sample
from app.service.table_files.row_states import RowStates
from app.service.table_files.supplier_numbers import name_suppliers
from app.service.tables.reading import list_rows, open_table
from app.service.tables.table import InvalidRow, RejectedRow, TableRow

_OF_GROUPS = ("supplier", "purchase_date", "order_id", "buyer", "currency")
"""What the lines of an order have in common."""
_GROUPED_BY = (("supplier",), ("purchase_date", "order_id"))


class PurchaseOptions(TypedDict, total=False):
    """How the rows of a table are read as purchases.

    `mapping` is our column name -> the file's; `ignore` names columns that become no attribute; `currency` is
    that of rows which state none, and asked unless it is stated. With `lenient`, a missing date becomes 1
    January 1970 and a missing quantity 1, because an estimate does not need them. With `withhold_prices` the
    price columns are never read, and prices are NaN. `date_order` is how the file writes 03/04/2026, where no
    date of it shows that, and `number_format` how it writes 1.500: such a row is refused otherwise.
    `price_per` is what a price is for that neither a column nor the row's total says; `states` says of words
    in a column of states whether such orders are purchases; `blank_cells` is as in `fill_groups`. What
    nothing says is put to `questions`.
    """

    mapping: Mapping[str, str] | None
    ignore: Sequence[str]
    currency: str
    currency_is_stated: bool
    lenient: bool
    withhold_prices: bool
    date_order: DateOrder | None
    number_format: NumberFormat | None
    price_per: PricePer | None
    states: Mapping[str, bool]
    blank_cells: BlankCells | None
    questions: Questions | None


def list_options(said: FileOptions, usual_currency: str, questions: Questions | None) -> PurchaseOptions:
    """Return how purchases are read as somebody said; `usual_currency` is that of rows of which nobody says
    it."""
    return PurchaseOptions(
        mapping=said.mapping,
        ignore=said.ignored_columns,
        currency=said.currency or usual_currency,
        currency_is_stated=said.currency is not None,
        date_order=said.date_order,
        number_format=said.number_format,
        price_per=said.price_per,
        states=said.states,
        blank_cells=said.blank_cells,
        questions=questions,
    )


def read_purchases(
    source: Path | BinaryIO,
    *,
    sheet: str | None = None,
    encoding: str | None = None,
    **how: Unpack[PurchaseOptions],
) -> Iterator[Purchase | RejectedRow]:
    """Yield each row of a file as a `Purchase`, or as a `RejectedRow` with its line and reason.

    The format is recognised by the first bytes, not by the name. `sheet` is the one of a workbook to read,
    `encoding` that of a text, where somebody states one. Raises `UnreadableTable` when the file as a whole
    cannot be read, which may be after some rows were yielded.
    """
    opened = (
        open_table_file(source, sheet=sheet, encoding=encoding)
        if isinstance(source, Path)
        else nullcontext(open_table(source, sheet=sheet, encoding=encoding))
    )
    with opened as table:
        header, mapping = [title.strip() for title in table.head.headings], how.get("mapping") or {}
        first, rows = take_first(table.rows, HEADING_ROWS)
        columns = match_columns(header, mapping, how.get("ignore", ()), [cells for _, cells in first])
        named, at, _ = name_suppliers(
            replace(table, rows=rows), first, columns.fields.get("supplier"), columns.supplier_number
        )
        how["mapping"] = mapping if at is None else {**mapping, "supplier": header[at]}
        yield from read_purchase_rows(list_rows(named), **how)


def read_purchase_rows(
    rows: Iterator[TableRow | RejectedRow], **how: Unpack[PurchaseOptions]
) -> Iterator[Purchase | RejectedRow]:
    """Do the same for the rows of a table, the header first, as `number_purchases` reads them."""
    return (row for _, row in number_purchases(rows, **how))


def number_purchases(
    rows: Iterator[TableRow | RejectedRow],
    *,
    mapping: Mapping[str, str] | None = None,
    ignore: Sequence[str] = (),
    currency: str = "USD",
    currency_is_stated: bool = False,
    lenient: bool = False,
    withhold_prices: bool = False,
    date_order: DateOrder | None = None,
    number_format: NumberFormat | None = None,
    price_per: PricePer | None = None,
    states: Mapping[str, bool] = MappingProxyType({}),
    blank_cells: BlankCells | None = None,
    questions: Questions | None = None,
) -> Iterator[tuple[int, Purchase | RejectedRow]]:
    """Yield each row of a table, whose header comes first, with its line. Orders in a state that makes no
    purchase of them (cancelled, draft, rejected) are left out as rejected rows."""
    header = take_header(rows)
    sample, rest = take_sample(rows)
    first_cells = [row[1] for row in sample if not isinstance(row, RejectedRow)]
    columns = resolve_columns(
        header,
        mapping,
        ignore,
        prices_needed=not withhold_prices,
        sample_rows=first_cells[:HEADING_ROWS],
    )
    fields = columns.fields
    read_fields = [name for name in NUMBER_FIELDS if not (withhold_prices and name in PRICE_FIELDS)]
    notation, all_rows = find_notation(
        sample,
        rest,
        headings=header,
        dates=[fields.get("purchase_date", -1)],
        numbers=[fields.get(name, -1) for name in read_fields],
        others=list(columns.attributes.values()),
        date_order=date_order,
        number_format=number_format,
    )
    may_be_states = {*columns.attributes.values(), fields.get("purchase_type", -1)} - {-1}
    of_orders = RowStates.find(header, may_be_states, first_cells, states)
    if questions is not None:
        questions.ask_notation(notation)
    reader = RowReader(
        columns,
        notation,
        currency=currency,
        currency_is_stated=currency_is_stated,
        price_per=price_per,
        lenient=lenient,
        withhold_prices=withhold_prices,
        questions=questions,
    )
    group = {name: fields[name] for name in _OF_GROUPS if name in fields}
    filled = fill_groups(all_rows, header, group, _GROUPED_BY, blank_cells, questions)
    if "order_id" in fields and (revision := columns.roles.get("revision")) is not None:
        filled = keep_last_revisions(filled, header, fields["order_id"], columns.lines, revision)
    for row in filled:
        if isinstance(row, RejectedRow):
            yield row.line, row
            continue
        line, cells = row
        meaning, heading, state = of_orders.read(cells)
        if meaning == "does not count":
            reason = of_orders.explain_left_out(heading, state)
            yield line, RejectedRow(line, reason, reader.row_id(cells), heading)
            continue
        if meaning == "not known" and questions is not None:
            questions.ask_state(heading, state, "orders that are purchases")
        try:
            yield line, reader.read(cells)
        except InvalidRow as refused:
            reader.ask_beside(cells)
            if refused.problem == MISSING and is_total(cells):
                refused = InvalidRow("", SUM_OF_ROWS)
            yield line, reject_row(line, refused, header, columns.places, reader.row_id(cells))
