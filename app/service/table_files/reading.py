"""What the imports of table files share: the first rows as a sample, and errors with the name of the file."""

import gzip
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from app.service.table_files.cells import format_cell
from app.service.tables.archives import GZIP
from app.service.tables.reading import report_damage
from app.service.tables.table import RejectedRow, TableRow, UnreadableTable

HEADING_ROWS = 20
"""First rows of a table that tell what its headings leave open."""
_SAMPLE_ROWS = 2_000
_SAMPLE_CHARACTERS = 1 << 22


def take_header(rows: Iterator[TableRow | RejectedRow]) -> list[str]:
    """Take the headings, which are the first row, as texts. Raises UnreadableTable where there are none."""
    first = next(rows, None)
    if first is None:
        raise UnreadableTable("the file is empty")
    if isinstance(first, RejectedRow):
        raise UnreadableTable(f"line {first.line}: {first.reason}")
    return [format_cell(cell) for cell in first[1]]


def take_sample(
    rows: Iterator[TableRow | RejectedRow],
) -> tuple[list[TableRow | RejectedRow], Iterable[TableRow | RejectedRow]]:
    """Take the first rows, from which the notation of numbers and dates is guessed; return them and the
    rest."""
    judged: list[TableRow | RejectedRow] = []
    size = 0
    for row in rows:
        judged.append(row)
        if not isinstance(row, RejectedRow):
            size += sum(len(cell) for cell in row[1] if isinstance(cell, str))
        if len(judged) == _SAMPLE_ROWS or size > _SAMPLE_CHARACTERS:
            break
    return judged, rows


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
