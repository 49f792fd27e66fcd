"""Which columns of purchase files become pricing dimensions: a number, a choice, or none.

A column is judged over a whole import and keeps its kind over later ones, so that a dimension never changes
its type. Every column is kept with the purchase, whatever becomes of it here.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["number", "select", "none"]

MOST_OPTIONS = 200
"""More different values than a person can choose from make a column a text, not a choice."""
LONGEST_OPTION = 120
FEW = 20
"""So many values are a choice even where nearly every row has its own: small files say little."""

# Where a row stands in its order or file says nothing about its price.
_POSITIONS = {"line", "line_no", "line_number", "row", "row_no", "row_number", "position", "pos", "index"}
# Digits that name something and measure nothing.
_CODES = {"code", "id", "key", "no", "nr", "number", "unspsc", "zip", "postcode", "phone", "naics", "sic"}
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a column becomes. `reason` says, for a person, why it becomes none."""

    kind: Kind
    reason: str | None = None


@dataclass(slots=True)
class _Column:
    rows: int = 0
    numbers: int = 0
    dates: int = 0
    longest: int = 0
    labels: set[str] = field(default_factory=set[str])


def option_label(value: str | float) -> str:
    """An attribute's value as the label of an option; the label leads back to the value's text."""
    if isinstance(value, str):
        return value
    return str(int(value)) if value == int(value) else str(value)


class ColumnsSeen:
    """Every column of an import, as far as judging it needs."""

    def __init__(self) -> None:
        self._columns: dict[str, _Column] = {}

    def add(self, attributes: Mapping[str, str | float]) -> None:
        for name, value in attributes.items():
            column = self._columns.get(name)
            if column is None:
                column = self._columns[name] = _Column()
            column.rows += 1
            column.numbers += not isinstance(value, str)
            # One more than the most is enough to know that there are too many.
            if len(column.labels) <= MOST_OPTIONS:
                label = option_label(value)
                if label not in column.labels:
                    column.labels.add(label)
                    column.longest = max(column.longest, len(label))
                    column.dates += bool(_DATE.fullmatch(label))

    def judge(self, known: Mapping[str, Judgement]) -> dict[str, Judgement]:
        """A judgement for each column seen; `known` are those of earlier imports."""
        return {name: _judged(name, column, known.get(name)) for name, column in self._columns.items()}


def _judged(name: str, column: _Column, known: Judgement | None) -> Judgement:
    if known is not None and known.kind != "select":
        return known
    judgement = _judged_anew(name, column)
    if known is None:
        return judgement
    # What was a choice stays one until it has too many values; it never becomes a number.
    return judgement if judgement.kind == "none" else known


def _judged_anew(name: str, column: _Column) -> Judgement:
    if name in _POSITIONS:
        return Judgement("none", "says where the row stands")
    coded = name.rsplit("_", 1)[-1] in _CODES
    if column.numbers == column.rows and not coded:
        return Judgement("number")
    values = len(column.labels)
    if values > MOST_OPTIONS:
        return Judgement("none", f"more than {MOST_OPTIONS} different values")
    if column.longest > LONGEST_OPTION:
        return Judgement("none", f"values of more than {LONGEST_OPTION} characters")
    if values > FEW and values > column.rows / 2:
        return Judgement("none", f"{values} different values in {column.rows} rows")
    if values > FEW and column.dates == values:
        return Judgement("none", "dates")
    return Judgement("select")
