"""Read the table of a Parquet file, a batch at a time."""

from collections.abc import Iterator
from typing import Any, BinaryIO, cast

from app.service.tables.headings import tell_apart
from app.service.tables.table import Table, TableHead, TableRow, UnreadableTable

MAX_ROW_GROUP_BYTES = 2 << 30
_BATCH_ROWS = 8_192


def read_parquet(stream: BinaryIO) -> Table:
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
            if metadata.row_group(group).total_byte_size > MAX_ROW_GROUP_BYTES:
                raise UnreadableTable(
                    f"row group {group} unpacks to more than {MAX_ROW_GROUP_BYTES >> 30} GiB"
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
