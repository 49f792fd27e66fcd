"""Decide which columns of purchase files become pricing dimensions: a number, a choice, or none.

The decision is made over a whole import, stored and kept for later ones, so that a dimension never changes
its type. Every column is stored with the purchase, whatever is decided here.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.database.dialect import lock_imports, upsert
from app.service.database.engine import Database
from app.service.database.imported_rows import ImportedRows
from app.service.database.tables import attribute_column
from app.service.database.visibility import EVERYBODY, decided_for, owned_by

ColumnKind = Literal["number", "select", "none"]

MAX_OPTIONS = 200
"""A column with more different values is a text, not a choice: nobody can choose from so many."""
MAX_OPTION_LENGTH = 120
SMALL_CHOICE = 20
"""Up to so many values are a choice even where nearly every row has its own: a small file proves little."""

# The position of a row in its order or file says nothing about its price.
_POSITION_COLUMNS = {
    *("line", "line_no", "line_number", "row", "row_no"),
    *("row_number", "position", "pos", "index"),
}
# Endings of columns whose digits identify something and measure nothing.
_CODE_SUFFIXES = {
    *("code", "id", "key", "no", "nr", "number"),
    *("unspsc", "zip", "postcode", "phone", "naics", "sic"),
}
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass(frozen=True, slots=True)
class ColumnDecision:
    """What a column becomes. `reason` explains to a person why it becomes no dimension."""

    kind: ColumnKind
    reason: str | None = None


@dataclass(slots=True)
class _ColumnSummary:
    rows: int = 0
    numbers: int = 0
    dates: int = 0
    longest: int = 0
    labels: set[str] = field(default_factory=set[str])


def format_option(value: str | float) -> str:
    if isinstance(value, str):
        return value
    return str(int(value)) if value == int(value) else str(value)


class ImportedColumns:
    """The columns of an import, with what the decision about each needs."""

    def __init__(self) -> None:
        self._columns: dict[str, _ColumnSummary] = {}

    def add(self, attributes: Mapping[str, str | float]) -> None:
        for name, value in attributes.items():
            column = self._columns.get(name)
            if column is None:
                column = self._columns[name] = _ColumnSummary()
            column.rows += 1
            column.numbers += not isinstance(value, str)
            # One more than the maximum is enough to know that there are too many.
            if len(column.labels) <= MAX_OPTIONS:
                label = format_option(value)
                if label not in column.labels:
                    column.labels.add(label)
                    column.longest = max(column.longest, len(label))
                    column.dates += bool(_DATE.fullmatch(label))

    def decide(self, known: Mapping[str, ColumnDecision]) -> dict[str, ColumnDecision]:
        """Decide about each column of the import; `known` are the decisions of earlier imports."""
        return {name: _decide(name, column, known.get(name)) for name, column in self._columns.items()}


def _decide(name: str, column: _ColumnSummary, known: ColumnDecision | None) -> ColumnDecision:
    if known is not None and known.kind != "select":
        return known
    decision = _decide_from_values(name, column)
    # A choice stays one until it has too many values; it never becomes a number.
    return decision if known is None or decision.kind == "none" else known


def _decide_from_values(name: str, column: _ColumnSummary) -> ColumnDecision:
    if name in _POSITION_COLUMNS:
        return ColumnDecision("none", "says where the row stands")
    coded = name.rsplit("_", 1)[-1] in _CODE_SUFFIXES
    if column.numbers == column.rows and not coded:
        return ColumnDecision("number")
    values = len(column.labels)
    if values > MAX_OPTIONS:
        return ColumnDecision("none", f"more than {MAX_OPTIONS} different values")
    if column.longest > MAX_OPTION_LENGTH:
        return ColumnDecision("none", f"values of more than {MAX_OPTION_LENGTH} characters")
    if values > SMALL_CHOICE and values > column.rows / 2:
        return ColumnDecision("none", f"{values} different values in {column.rows} rows")
    if values > SMALL_CHOICE and column.dates == values:
        return ColumnDecision("none", "dates")
    return ColumnDecision("select")


KEY_SEPARATOR = "/"
"""Between the organisation and the name in the key by which an import records a column."""


def save_column_decisions(
    database: Database, columns: ImportedColumns, owner: str | None, imported_rows: ImportedRows
) -> dict[str, ColumnDecision]:
    """Decide about the columns of an import, for the owner or for everybody, and store the decisions. Returns
    those of this import."""
    organisation_id = owner or EVERYBODY
    with database.writing() as connection:
        lock_imports(connection)
        decisions = columns.decide(load_column_decisions(connection, owner))
        if decisions:
            of_owner = owned_by(attribute_column.c, organisation_id)
            stored = set(connection.scalars(sa.select(attribute_column.c.name).where(of_owner)))
            keys = {name: f"{organisation_id}{KEY_SEPARATOR}{name}" for name in decisions}
            known = [key for name, key in keys.items() if name in stored]
            imported_rows.name_again(connection, attribute_column, known)
            imported_rows.add(connection, attribute_column, sorted({*keys.values()} - {*known}))
            rows = [
                {"organisation_id": organisation_id, "name": name, "kind": one.kind, "reason": one.reason}
                for name, one in decisions.items()
            ]
            upsert(connection, attribute_column, rows)
    return decisions


def load_column_decisions(connection: Connection, owner: str | None) -> dict[str, ColumnDecision]:
    """Load the owner's decisions, and the shared ones for columns on which it has none."""
    rows = connection.execute(
        sa.select(attribute_column)
        .where(decided_for(attribute_column.c, owner))
        .order_by(attribute_column.c.organisation_id)
    )
    return {row.name: ColumnDecision(row.kind, row.reason) for row in rows}
