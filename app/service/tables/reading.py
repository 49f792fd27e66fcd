"""Read the table of a file of any format: delimited text, also packed with gzip, workbooks and Parquet, told
apart by the first bytes."""

import gzip
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import Any, BinaryIO, cast

from app.service.tables.archives import GZIP, PARQUET, is_workbook
from app.service.tables.delimited import DelimitedText, open_delimited
from app.service.tables.encodings import describe_alternatives, name_for_people
from app.service.tables.headings import (
    HEAD_ROWS,
    FoundHeadings,
    fit_rows,
    name_lines,
    require_headings,
    take_first,
    tell_apart,
)
from app.service.tables.lines import TOO_LONG
from app.service.tables.table import RejectedRow, Table, TableHead, TableRow, UnreadableTable


def open_table(stream: BinaryIO, *, sheet: str | None = None, encoding: str | None = None) -> Table:
    """Return the table of a file, which can be read from its beginning any number of times.

    `sheet` is the name of a workbook's sheet, `encoding` that of a text's, where somebody states one. Raises
    `UnreadableTable`, also while the rows are read.
    """
    stream.seek(0)
    head = stream.read(64)
    magic = head[:8]
    stream.seek(0)
    # Imported here: most tables are text, which is read before the libraries of the others are loaded.
    if is_workbook(head):
        from app.service.tables.workbook import read_workbook

        return read_workbook(stream, sheet)
    if magic.startswith(PARQUET):
        return _read_parquet(stream)
    if magic.startswith(GZIP):
        with report_damage():
            content = gzip.GzipFile(fileobj=stream)
            table = _read_text(cast(BinaryIO, content), encoding)
            return Table(table.head, _report_damage_in(table.rows))
    return _read_text(stream, encoding)


def list_rows(table: Table) -> Iterator[TableRow | RejectedRow]:
    """Yield the rows of a table, the headings first. Raises `UnreadableTable` where the encoding is not
    decided."""
    if table.head.alternatives:
        raise UnreadableTable(describe_alternatives(table.head.alternatives))
    yield table.head.line, list(table.head.headings)
    yield from table.rows


def is_text_table(stream: BinaryIO) -> bool:
    """Return whether the file is none of the formats that a library takes apart: it is CSV or CSV.gz."""
    stream.seek(0)
    begin = stream.read(64)
    stream.seek(0)
    return not (begin.startswith(PARQUET) or is_workbook(begin))


@contextmanager
def report_damage() -> Generator[None]:
    """Raise `UnreadableTable` for a damaged gzip file."""
    try:
        yield
    except (gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise UnreadableTable(f"the gzip file is damaged: {error}") from None


def _report_damage_in(rows: Iterator[TableRow | RejectedRow]) -> Iterator[TableRow | RejectedRow]:
    with report_damage():
        yield from rows


def _read_text(stream: BinaryIO, encoding: str | None) -> Table:
    text = open_delimited(stream, encoding)
    head, all_rows = take_first(text.rows, HEAD_ROWS)
    first = next(all_rows, None)
    if isinstance(first, RejectedRow) and (not head or first.reason == TOO_LONG):
        raise UnreadableTable(f"line {first.line} {first.reason}")
    found = require_headings(head)
    above = {line for line, _ in head[: found.end]}
    all_rows = all_rows if first is None else chain([first], all_rows)
    body = (row for row in all_rows if isinstance(row, RejectedRow) or row[0] not in above)
    table = TableHead(
        found.names,
        found.rows[0][0],
        list(_describe(text, found)),
        encoding=text.encoding.name,
        alternatives=text.encoding.alternatives,
        titles=found.titles,
    )
    return Table(table, fit_rows(body, found))


def _describe(text: DelimitedText, found: FoundHeadings) -> Iterator[str]:
    if text.stated:
        yield "The first line names the delimiter."
    if text.comments:
        comments = name_lines([(line, ()) for line in text.comments])
        yield f"Comments above the headings were stepped over: {comments}."
    yield from found.notes
    if text.encoding.name not in ("utf_8", "utf_16_le", "utf_16_be", "utf_32_le", "utf_32_be"):
        yield f"The text was read as {name_for_people(text.encoding.name)}."


_MAX_ROW_GROUP_BYTES = 2 << 30
_BATCH_ROWS = 8_192


def _read_parquet(stream: BinaryIO) -> Table:
    """Return the table; its first row is line 2, and a cell that holds several values is their text. Raises
    `UnreadableTable`, also while the rows are read."""
    # pyarrow has no type information; everything that it returns is an object here.
    import pyarrow as pa  # pyright: ignore[reportMissingTypeStubs]
    import pyarrow.parquet as pq  # pyright: ignore[reportMissingTypeStubs]

    failure = cast(Any, pa).ArrowException
    try:
        file = cast(Any, pq).ParquetFile(stream)
        metadata = file.metadata
        for group in range(metadata.num_row_groups):
            if metadata.row_group(group).total_byte_size > _MAX_ROW_GROUP_BYTES:
                raise UnreadableTable(
                    f"row group {group} unpacks to more than {_MAX_ROW_GROUP_BYTES >> 30} GiB"
                )
        names = [str(name) for name in file.schema_arrow.names]
    except failure as error:
        raise _explain(error) from None
    return Table(TableHead(tell_apart(names)), _read_rows(file, failure))


def _read_rows(file: Any, failure: type[Exception]) -> Iterator[TableRow]:
    number = 1
    try:
        for batch in file.iter_batches(batch_size=_BATCH_ROWS):
            columns: list[list[object]] = [column.to_pylist() for column in batch.columns]
            for cells in zip(*columns, strict=True):
                number += 1
                yield number, [_flatten(cell) for cell in cells]
    except failure as error:
        raise _explain(error) from None


def _flatten(cell: object) -> object:
    if isinstance(cell, bytes):
        return cell.decode("utf-8", "replace")
    return str(cast(object, cell)) if isinstance(cell, (list, dict, tuple)) else cell


def _explain(error: Exception) -> UnreadableTable:
    return UnreadableTable(f"the Parquet file cannot be read: {str(error).splitlines()[0]}")
