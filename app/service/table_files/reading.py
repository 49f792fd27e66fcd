"""What the imports of table files share: the first rows as a sample, and errors with the name of the file."""

import gzip
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Generic

from app.service.table_files.column_cells import Rows
from app.service.table_files.field_matching import Matched
from app.service.table_files.options import FileOptions
from app.service.tables.archives import GZIP
from app.service.tables.reading import report_damage
from app.service.tables.table import RejectedRow, Table, TableRow, UnreadableTable, format_cell

HEADING_ROWS = 20
"""First rows of a table that tell what its headings leave open."""
_SAMPLE_ROWS = 2_000
_SAMPLE_CHARACTERS = 1 << 22


@dataclass(frozen=True)
class TableStart(Generic[Matched]):
    """The headings of a table, what its `columns` hold, the cells of its first rows, the rows from which its
    notation is guessed, these among them, and the rest."""

    header: list[str]
    columns: Matched
    first: Sequence[Sequence[object]]
    sample: Sequence[TableRow | RejectedRow]
    rest: Iterable[TableRow | RejectedRow]


def read_start(
    rows: Iterator[TableRow | RejectedRow],
    match: Callable[[Sequence[str], Mapping[str, str], Sequence[str], Rows], Matched],
    said: FileOptions,
    needed: Collection[str] | None = None,
) -> TableStart[Matched]:
    """Read as much of a table, the headings first, as tells how to read all of it. Raises UnreadableTable
    where it has no headings, or no column for a field that is `needed`, else for any that its kind needs."""
    first = next(rows, None)
    if first is None:
        raise UnreadableTable("the file is empty")
    if isinstance(first, RejectedRow):
        raise UnreadableTable(f"line {first.line}: {first.reason}")
    sample, cells, size = list[TableRow | RejectedRow](), list[Sequence[object]](), 0
    for row in rows:
        sample.append(row)
        if not isinstance(row, RejectedRow):
            cells.append(row[1])
            size += sum(len(cell) for cell in row[1] if isinstance(cell, str))
        if len(sample) == _SAMPLE_ROWS or size > _SAMPLE_CHARACTERS:
            break
    header = [format_cell(cell) for cell in first[1]]
    columns = match(header, said.mapping, said.ignored_columns, cells[:HEADING_ROWS])
    if missing := [name for name in columns.missing if needed is None or name in needed]:
        about = columns.notes if columns.supplier_number is not None else ()
        raise UnreadableTable(
            f"no column for {', '.join(missing)}; name it with --map NEW=OLD. {columns.about_missing}"
            f"The file has {', '.join(header[:30])}.{''.join(f' {note}' for note in about)}"
        )
    return TableStart(header, columns, cells, sample, rows)


def add_column(table: Table, heading: str, value: object) -> Table:
    """Return a table with one more column, which has the same value in each row."""
    width = len(table.head.headings)
    rows = (
        row if isinstance(row, RejectedRow) else (row[0], [*row[1], *[""] * (width - len(row[1])), value])
        for row in table.rows
    )
    return replace(table, head=replace(table.head, headings=[*table.head.headings, heading]), rows=rows)


def check_gzip(path: Path) -> None:
    """Read a gzip file to its end, where its checksum stands: rows before it must not be kept alone."""
    with path.open("rb") as stream:
        if stream.read(2) != GZIP:
            return
    with report_damage(), gzip.open(path) as content:
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
