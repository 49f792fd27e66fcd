"""What the service knows about one kind of table files that can be imported."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.imports import MAX_LISTED_REFUSALS, ImportKind, ImportResult
from app.service.agreements.dates.working_days import WorkingDays
from app.service.catalog.estimate_check import request_estimate_check
from app.service.context import Context
from app.service.database.rows import batched
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


Compare = Callable[[Sequence[Any]], Sequence[RejectedRow]]
"""Counts records, and returns those that contradict what is there."""


@dataclass
class MeasuredRows:
    """The rows of a file, whose text is measured as they are read: `bytes` as UTF-8."""

    rows: Rows
    bytes: int = 0

    def __iter__(self) -> Iterator[TableRow | RejectedRow]:
        for row in self.rows:
            if not isinstance(row, RejectedRow):
                texts = (cell for cell in row[1] if isinstance(cell, str))
                self.bytes += sum(len(text) if text.isascii() else len(text.encode()) for text in texts)
            yield row


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


class RowWriter(Protocol):
    """Stores rows of files for an organisation or for everybody."""

    def write(self, records: Sequence[Any], /) -> Sequence[RejectedRow]:
        """Store those that are not there yet, in the caller's transaction if there is one; return those that
        contradict what is there."""
        ...

    def finish(self) -> ImportResult:
        """Do what follows when all are stored; return what became of them, but for those that are refused."""
        ...


@dataclass(frozen=True)
class FileKind:
    """One kind of files. `match` raises UnreadableTable for a mapping that does not
    fit the header, `read` for a file that cannot be read to its end."""

    name: ImportKind
    prepare: Callable[[Table, FileOptions], tuple[Table, FileOptions, list[str]]]
    """Returns the table with what its rows do not say themselves, what somebody said with what else is known
    of the file, and sentences on it."""
    match: Callable[..., MatchedFields]
    """Finds what the columns hold by their headings, what somebody mapped and ignored, and first rows."""
    read: Callable[[Reading, Rows], Iterator[tuple[int, Any]]]
    """Yields records and `RejectedRow`s with their lines, without a database."""
    describe: Callable[[Any], dict[str, Any]]
    """Returns a record as JSON."""
    compare: Callable[[Context, StoredImport, Reading, RowCounts], Compare]
    """Begins a check: what it returns adds records to the counts as writing would, and stores nothing."""
    open_writer: Callable[[Context, str | None, str | None], RowWriter]
    """Begins to store records for an organisation, or for everybody, of an import that can be undone where
    its id is given. Begun again after a kill, it stores what is missing."""
    take_back: Callable[[Context, StoredImport], None]
    """Takes back what an import has stored, as far as it came."""
    quota: Quota
    added: Mapping[str, str] = field(default_factory=dict[str, str])
    """What of a result is how many rows an import has added to which table."""
    batch_rows: int = BATCH_ROWS
    is_whole: bool = False
    """Whether of several files of an operator all are stored, or none."""
    list_doubts: Callable[[Any], Iterable[RejectedRow]] | None = None
    """Returns what is doubtful in a record, which then has a `line`."""
    describe_assumptions: Callable[[Questions, Settings], Iterator[str]] | None = None
    """Says what is taken where nobody answers questions; without it none is put."""
    follow: Callable[[Connection, str, datetime], object] | None = None
    """Asks for what else is computed anew of an organisation whose rows have changed."""
    in_memory: Callable[[], object] | None = None
    """What a process keeps in memory of these rows (`process_memory`): forgotten when they change."""

    def request_following(self, connection: Connection, owner: str | None, now: datetime) -> None:
        """Ask for what follows when rows of the owner, or everybody's, have changed."""
        request_estimate_check(connection, owner, now)
        if owner is not None and self.follow is not None:
            self.follow(connection, owner, now)

    def list_doubts_beside(
        self, records: Sequence[Any], left_out: Sequence[RejectedRow]
    ) -> Iterator[RejectedRow]:
        """Yield what is doubtful in records of which some are refused."""
        lines = {row.line for row in left_out}
        listed = self.list_doubts
        return (one for row in records if listed and row.line not in lines for one in listed(row))


def count_rows(
    kind: FileKind, context: Context, one: StoredImport, reading: Reading, rows: Rows, advance: Advance
) -> RowCounts:
    """Say what writing rows would do. Raises UnreadableTable."""
    counts = RowCounts()
    compare = kind.compare(context, one, reading, counts)
    for records, refused in _read_batches(kind, reading, rows):
        left_out = sorted([*refused, *compare(records)], key=lambda row: row.line)
        for row in left_out:
            counts.refuse(row)
        for doubt in kind.list_doubts_beside(records, left_out):
            counts.doubt(doubt)
        advance(counts.total)
    return counts


def write_rows(
    kind: FileKind,
    writer: RowWriter,
    reading: Reading,
    rows: Rows,
    advance: Advance,
    open_transaction: Callable[[], AbstractContextManager[object]],
    most: int | None = None,
) -> Iterator[tuple[Sequence[Any], Sequence[RejectedRow]]]:
    """Store rows, some in each transaction; yield these, and those of them that are refused. Raises
    UnreadableTable."""
    done = 0
    for records, refused in _read_batches(kind, reading, rows, most):
        with open_transaction():
            left_out = [*refused, *writer.write(records)]
            done += len(records) + len(refused)
            advance(done)
        yield records, left_out


def _read_batches(
    kind: FileKind, reading: Reading, rows: Rows, most: int | None = None
) -> Iterator[tuple[list[Any], list[RejectedRow]]]:
    for some in batched((row for _, row in kind.read(reading, rows)), most or kind.batch_rows):
        refused = [row for row in some if isinstance(row, RejectedRow)]
        yield [row for row in some if not isinstance(row, RejectedRow)], refused


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
