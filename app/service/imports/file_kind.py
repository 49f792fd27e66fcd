"""What the service knows about one kind of table files that can be imported."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa

from app.contract.imports import MAX_LISTED_REFUSALS, ImportKind, ImportResult
from app.service.agreements.dates.working_days import WorkingDays
from app.service.context import Context
from app.service.database.tables import imported_row
from app.service.imports.store import Quota, StoredImport
from app.service.table_files.field_matching import MatchedFields
from app.service.table_files.options import FileOptions
from app.service.table_files.questions import Questions
from app.service.tables.table import RejectedRow, Table, TableRow
from app.settings import Settings

SENTENCES = 3
"""Rows that a check says in words."""
BATCH_ROWS = 5_000
"""Rows of one transaction: others who write to SQLite wait for less than a second."""

Rows = Iterator[TableRow | RejectedRow]
"""The rows of a file, the header first."""
Advance = Callable[[int], None]
"""Called with the rows read so far, in the transaction that stores them. Raises ImportStopped."""


class MeasuredRows:
    """The rows of a file, whose text is measured as they are read: `bytes` as UTF-8."""

    def __init__(self, rows: Rows) -> None:
        self._rows = iter(rows)
        self.bytes = 0

    def __iter__(self) -> Iterator[TableRow | RejectedRow]:
        return self

    def __next__(self) -> TableRow | RejectedRow:
        row = next(self._rows)
        if not isinstance(row, RejectedRow):
            texts = (cell for cell in row[1] if isinstance(cell, str))
            self.bytes += sum(len(text) if text.isascii() else len(text.encode()) for text in texts)
        return row


@dataclass
class RowCounts:
    """The rows of a file: those that would be new, that change what is there, that are there already, and
    that are refused; the new entries of the catalog, where the file holds some; and the doubtful values."""

    new: int = 0
    changed: int = 0
    repeated: int = 0
    refused: int = 0
    companies: int | None = None
    products: int | None = None
    categories: int | None = None
    doubtful: int | None = None
    refusals: list[RejectedRow] = field(default_factory=list[RejectedRow])
    doubts: list[RejectedRow] = field(default_factory=list[RejectedRow])
    sentences: list[str] = field(default_factory=list[str])

    @property
    def total(self) -> int:
        return self.new + self.changed + self.repeated + self.refused

    def refuse(self, row: RejectedRow) -> None:
        """Count a refused row, and keep it if it is one of the first."""
        self.refused += 1
        if len(self.refusals) < MAX_LISTED_REFUSALS:
            self.refusals.append(row)

    def say(self, describe: Callable[[], str]) -> None:
        """Keep what one of the first rows would put on record, in words."""
        if len(self.sentences) < SENTENCES:
            self.sentences.append(describe())

    def doubt(self, row: RejectedRow) -> None:
        """Count a value that is left out or read in one of several ways, and keep it if it is one of the
        first."""
        self.doubtful = (self.doubtful or 0) + 1
        if len(self.doubts) < MAX_LISTED_REFUSALS:
            self.doubts.append(row)


@dataclass(frozen=True)
class Reading:
    """What the rows of a file are read with: the options, the settings of the deployment, the organisation's
    working days, and where questions go that the file leaves open."""

    options: FileOptions
    settings: Settings
    days: WorkingDays
    questions: Questions | None = None


@dataclass(frozen=True)
class FileKind:
    """One kind of files, which may have `fields`. `match` raises UnreadableTable for a mapping that does not
    fit the header; `count` and `write` raise it for a file that cannot be read to its end."""

    name: ImportKind
    fields: Collection[str]
    prepare: Callable[[Table, FileOptions], tuple[Table, FileOptions, list[str]]]
    """Returns the table with what its rows do not say themselves, what somebody said with what else is known
    of the file, and sentences on it."""
    match: Callable[..., MatchedFields]
    """Finds what the columns hold by their headings, what somebody mapped and ignored, and first rows."""
    read: Callable[[Reading, Rows], Iterator[tuple[int, Any]]]
    """Yields records and `RejectedRow`s with their lines, without a database."""
    describe: Callable[[Any], dict[str, Any]]
    """Returns a record as JSON."""
    count: Callable[[Context, StoredImport, Reading, Rows, Advance], RowCounts]
    """Says what `write` would do, and stores nothing."""
    write: Callable[[Context, StoredImport, Reading, Rows, Advance], ImportResult]
    """Stores the rows, in transactions of their own. Called again after a kill, it stores what is missing."""
    take_back: Callable[[Context, StoredImport], None]
    """Takes back what `write` has stored, as far as it came."""
    quota: Quota
    in_memory: Callable[[], object] | None = None
    """What a process keeps in memory of these rows (`process_memory`): forgotten when they change."""


def with_lines(
    read: Callable[[Reading, Rows], Iterator[Any]],
) -> Callable[[Reading, Rows], Iterator[tuple[int, Any]]]:
    """Return `read` with the line beside each record, where the records know theirs."""
    return lambda reading, rows: ((row.line, row) for row in read(reading, rows))


def count_added(context: Context, import_id: str) -> dict[str, int]:
    """Return how many rows the import has added to each table, over all of its tries."""
    counted = (
        sa.select(imported_row.c.table_name, sa.func.count())
        .where(imported_row.c.import_id == import_id, imported_row.c.added)
        .group_by(imported_row.c.table_name)
    )
    with context.database.reading() as connection:
        return dict(connection.execute(counted).all())
