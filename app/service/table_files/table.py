"""What a table file gives: rows of cells, rows that are rejected, and errors about the whole file."""

from collections.abc import Sequence
from dataclasses import dataclass


class UnreadableTable(ValueError):
    """The file as a whole cannot be read; the message says why in one line."""


class InvalidRow(ValueError):
    """A row cannot be taken. `field` is the name of the field that is wrong, with which the message begins
    unless the problem is a whole sentence; empty where it is the row as a whole."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field} {problem}" if field and not problem[:1].isupper() else problem)
        self.field = field


@dataclass(frozen=True, slots=True)
class RejectedRow:
    """A row that was not taken: its line in the file (the header is line 1) and why, for a person; `field` is
    that of the `InvalidRow`."""

    line: int
    reason: str
    row_id: str = ""
    field: str = ""


TableRow = tuple[int, Sequence[object]]
"""A row's line in the file and its cells."""
