"""Read rows of a Parquet file, a batch at a time."""

from collections.abc import Iterator
from typing import Any, BinaryIO, cast

from app.service.table_files.table import UnreadableTable

MAX_ROW_GROUP_BYTES = 2 << 30
_BATCH_ROWS = 8_192


def read_parquet(stream: BinaryIO) -> Iterator[tuple[int, list[object]]]:
    """Yield `(row number, cells)`, the names of the columns first as row 1."""
    # pyarrow has no type information; everything that it returns is an object here.
    import pyarrow as pa  # pyright: ignore[reportMissingTypeStubs]
    import pyarrow.parquet as pq  # pyright: ignore[reportMissingTypeStubs]

    try:
        file = cast(Any, pq).ParquetFile(stream)
        metadata = file.metadata
        for group in range(metadata.num_row_groups):
            if metadata.row_group(group).total_byte_size > MAX_ROW_GROUP_BYTES:
                raise UnreadableTable(
                    f"row group {group} unpacks to more than {MAX_ROW_GROUP_BYTES >> 30} GiB"
                )
        names = [str(name) for name in file.schema_arrow.names]
        yield 1, list(names)
        number = 1
        for batch in file.iter_batches(batch_size=_BATCH_ROWS):
            columns: list[list[object]] = [column.to_pylist() for column in batch.columns]
            for cells in zip(*columns, strict=True):
                number += 1
                yield number, list(cells)
    except cast(Any, pa).ArrowException as error:
        raise UnreadableTable(f"the Parquet file cannot be read: {str(error).splitlines()[0]}") from None
