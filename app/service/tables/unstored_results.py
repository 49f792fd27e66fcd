"""Formulas of an XLSX workbook whose results the file does not store, and what they come to.

A program that writes a workbook leaves the results to the spreadsheet program that opens it, so a person sees
figures that the file does not have.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from itertools import groupby
from typing import TYPE_CHECKING, TypeAlias

from app.service.tables.formulas import NotSimple, Value, evaluate, name_cell, name_range

if TYPE_CHECKING:
    from app.service.tables.xlsx import XlsxSheet

Place: TypeAlias = tuple[int, int]
"""Row and column of a cell, counted from 0."""
Formulas: TypeAlias = Mapping[Place, str]
"""By its place a formula, which begins with `=`, or the error that the file stores, as `#DIV/0!`. A formula
that is not in the file as text is `=` alone."""

MOST_FORMULAS = 50_000
"""Of a sheet, of which the results are looked for."""
_MOST_LOOKS = 500_000
"""Cells that the formulas of a workbook may look at together."""
_MOST_LETTERS = 1_000_000
"""Of the formulas of a workbook together, each as often as it is reckoned."""
_DEEPEST = 20
"""How far a formula may lead to others below it; those above it are known by then."""


@dataclass
class Reckoner:
    """Reckons the formulas of a workbook, of which it has the sheets by name."""

    sheets: Mapping[str, "XlsxSheet"]
    _results: dict[tuple[str, Place], Value] = field(default_factory=dict[tuple[str, Place], Value])
    _rows: dict[str, Sequence[Sequence[object]]] = field(
        default_factory=dict[str, Sequence[Sequence[object]]]
    )
    _open: list[tuple[str, Place]] = field(default_factory=list[tuple[str, Place]])
    _looks: int = 0
    _letters: int = 0

    def reckon(self, sheet: str) -> dict[Place, Value]:
        """Return the results of the formulas of a sheet that can be reckoned."""
        results: dict[Place, Value] = {}
        for place in sorted(self.sheets[sheet].formulas):
            with suppress(NotSimple):
                results[place] = self._evaluate(sheet, place)
        return results

    def _evaluate(self, sheet: str, place: Place) -> Value:
        key = (sheet, place)
        if key not in self._results:
            formula = self.sheets[sheet].formulas[place]
            if not formula.startswith("=") or key in self._open or len(self._open) == _DEEPEST:
                raise NotSimple
            self._letters += len(formula)
            if self._letters > _MOST_LETTERS:
                raise NotSimple
            self._open.append(key)
            try:
                self._results[key] = evaluate(
                    formula, lambda other, row, column: self._look(other or sheet, row, column)
                )
            finally:
                self._open.pop()
        return self._results[key]

    def _look(self, sheet: str, row: int, column: int) -> Value:
        self._looks += 1
        if self._looks > _MOST_LOOKS or sheet not in self.sheets:
            raise NotSimple
        if (row, column) in self.sheets[sheet].formulas:
            return self._evaluate(sheet, (row, column))
        if sheet not in self._rows:
            self._rows[sheet] = self.sheets[sheet].list_stored()
        rows = self._rows[sheet]
        if not (0 <= row < len(rows) and 0 <= column < len(rows[row])):
            return None
        value = rows[row][column]
        if value == "" or value is None:
            return None
        if isinstance(value, bool | str | date):
            return value
        if isinstance(value, int | float):
            return float(value)
        raise NotSimple  # a time of day or a duration


def name_cells(places: Iterable[Place]) -> Iterator[str]:
    """The names of cells, those below each other as one range."""
    ordered = sorted(((column, row) for row, column in places))
    for _, run in groupby(enumerate(ordered), key=lambda one: (one[1][0], one[1][1] - one[0])):
        cells = [cell for _, cell in run]
        (column, first), (_, last) = cells[0], cells[-1]
        yield name_cell(first, column) if first == last else name_range(first, column, last, column)
