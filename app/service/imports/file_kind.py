"""What the service knows about one kind of table files that can be imported."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from app.contract.imports import (
    MAX_LISTED_REFUSALS,
    ImportColumn,
    ImportField,
    ImportKind,
    ImportResult,
    RefusedRow,
)
from app.service.context import Context
from app.service.imports.store import StoredImport
from app.service.table_files.table import RejectedRow, TableRow

BATCH_ROWS = 5_000
"""Rows of one transaction: others who write to SQLite wait for less than a second."""

Rows = Iterator[TableRow | RejectedRow]
"""The rows of a file, the header first."""
Advance = Callable[[int], None]
"""Called with the rows read so far, in the transaction that stores them. Raises ImportStopped."""


@dataclass(frozen=True)
class MatchedColumns:
    """What the columns of a file hold, and the needed fields that none of them has."""

    columns: Sequence[ImportColumn]
    fields: Sequence[ImportField]
    missing: Sequence[str]


@dataclass
class RowCounts:
    """The rows of a file: those that would be new, those that are there already, and those refused."""

    new: int = 0
    repeated: int = 0
    refused: int = 0
    refusals: list[RefusedRow] = field(default_factory=list[RefusedRow])

    @property
    def total(self) -> int:
        return self.new + self.repeated + self.refused

    def refuse(self, row: RejectedRow) -> None:
        """Count a refused row, and keep it if it is one of the first."""
        self.refused += 1
        if len(self.refusals) < MAX_LISTED_REFUSALS:
            self.refusals.append(RefusedRow(line=row.line, reason=row.reason))


@dataclass(frozen=True)
class FileKind:
    """One kind of files. `match` raises UnreadableTable for a mapping that does not fit the header; `count`
    and `write` raise it for a file that cannot be read to its end."""

    name: ImportKind
    match: Callable[[Sequence[str], Mapping[str, str], Sequence[str]], MatchedColumns]
    count: Callable[[Context, StoredImport, Rows, Advance], RowCounts]
    """Says what `write` would do, and stores nothing."""
    write: Callable[[Context, StoredImport, Rows, Advance], ImportResult]
    """Stores the rows, in transactions of their own. Called again after a kill, it stores what is missing."""
