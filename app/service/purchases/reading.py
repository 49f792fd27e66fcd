"""Read purchases from table files as a stream; each bad row is reported by its line."""

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import BinaryIO

from app.service.purchase_records import Purchase
from app.service.purchases.columns import PRICE_FIELDS, REQUIRED_FIELDS, match_columns
from app.service.purchases.rows import AS_STATED, MISSING, NUMBER_FIELDS, PurchaseOptions, RowReader
from app.service.table_files.columns import reject_row
from app.service.table_files.grouped_rows import SUM_OF_ROWS, fill_groups, is_total, keep_last_revisions
from app.service.table_files.isolated_reading import open_table_file
from app.service.table_files.questions import find_notation
from app.service.table_files.reading import read_start
from app.service.table_files.row_states import RowStates
from app.service.table_files.supplier_numbers import prepare_table
from app.service.tables.reading import list_rows, open_table
from app.service.tables.table import InvalidRow, RejectedRow, TableRow

_OF_GROUPS = ("supplier", "purchase_date", "order_id", "buyer", "currency")
"""What the lines of an order have in common."""
_GROUPED_BY = (("supplier",), ("purchase_date", "order_id"))

prepare_purchases = partial(prepare_table, kind="purchases", match=match_columns)
"""What is done with a table of purchases before its rows are read."""


def read_purchases(
    source: Path | BinaryIO, how: PurchaseOptions = AS_STATED
) -> Iterator[Purchase | RejectedRow]:
    """Yield each row of a file as a `Purchase`, or as a `RejectedRow` with its line and reason.

    The format is recognised by the first bytes, not by the name. Raises `UnreadableTable` when the file as a
    whole cannot be read, which may be after some rows were yielded.
    """
    said = how.said
    opened = (
        open_table_file(source, said)
        if isinstance(source, Path)
        else nullcontext(open_table(source, sheet=said.sheet, encoding=said.encoding))
    )
    with opened as found:
        table, said, _ = prepare_purchases(found, said)
        yield from (row for _, row in number_purchases(list_rows(table), replace(how, said=said)))


def number_purchases(
    rows: Iterator[TableRow | RejectedRow], how: PurchaseOptions = AS_STATED
) -> Iterator[tuple[int, Purchase | RejectedRow]]:
    """Yield each row of a table, whose header comes first, with its line. Orders in a state that makes no
    purchase of them (cancelled, draft, rejected) are left out as rejected rows."""
    said, questions = how.said, how.questions
    start = read_start(rows, match_columns, said, REQUIRED_FIELDS if how.withhold_prices else None)
    header, columns = start.header, start.columns
    fields, others = columns.fields, columns.list_others()
    read_fields = [name for name in NUMBER_FIELDS if not (how.withhold_prices and name in PRICE_FIELDS)]
    notation, all_rows = find_notation(
        start,
        dates=columns.list_places("purchase_date"),
        numbers=columns.list_places(*read_fields),
        others=list(others.values()),
        said=said,
        questions=questions,
    )
    may_be_states = {*others.values(), fields.get("purchase_type", -1)} - {-1}
    of_orders = RowStates.find(header, may_be_states, start.first, said.states)
    reader = RowReader(columns, notation, how)
    group = {name: fields[name] for name in _OF_GROUPS if name in fields}
    filled = fill_groups(
        all_rows, header, group, _GROUPED_BY, [fields["product"]], said.blank_cells, questions
    )
    filled = keep_last_revisions(
        filled, header, fields.get("order_id"), columns.list_role("line"), columns.find_role("revision")
    )
    for row in filled:
        if isinstance(row, RejectedRow):
            yield row.line, row
            continue
        line, cells = row
        if left_out := of_orders.leave_out(row, questions):
            yield line, replace(left_out, row_id=reader.row_id(cells))
            continue
        try:
            yield line, reader.read(cells)
        except InvalidRow as refused:
            reader.ask_beside(cells)
            if refused.problem == MISSING and is_total(cells):
                refused = InvalidRow("", SUM_OF_ROWS)
            yield line, reject_row(line, refused, header, columns.places, reader.row_id(cells))
