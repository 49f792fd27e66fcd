"""Formulas of an XLSX workbook whose results the file does not store, and what they come to.

A program that writes a workbook leaves the results to the spreadsheet program that opens it, so a person sees
figures that the file does not have.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import groupby
from typing import TypeAlias

from app.service.tables.formulas import NotSimple, Value, evaluate, name_cell, name_range

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
_MOST_NAMED = 6
_LONGEST_FORMULA = 40
_RECKONED = "The sheet {name} has formulas whose results the file lacks; they were reckoned: {cells}."
_ERRORS = "Cells of the sheet {name} show an error, so nothing was read from them: {cells}."
_UNKNOWN = (
    "The sheet {name} has formulas whose results the file lacks and which are not reckoned here, so"
    " nothing was read from them: {cells}. Open the file in a spreadsheet program, save it and send it again."
)


@dataclass
class Reckoner:
    """Reckons the formulas of a workbook.

    `open_sheet` gives the rows of a sheet and the place of the first of its cells, and raises KeyError where
    there is none of the name.
    """

    formulas: Mapping[str, Formulas]
    open_sheet: Callable[[str], tuple[Sequence[Sequence[object]], Place]]
    _results: dict[tuple[str, Place], Value] = field(default_factory=dict[tuple[str, Place], Value])
    _sheets: dict[str, tuple[Sequence[Sequence[object]], Place]] = field(
        default_factory=dict[str, tuple[Sequence[Sequence[object]], Place]]
    )
    _open: list[tuple[str, Place]] = field(default_factory=list[tuple[str, Place]])
    _looks: int = 0
    _letters: int = 0

    def reckon(self, sheet: str) -> tuple[dict[Place, Value], list[Place]]:
        """The results of the formulas of a sheet, and the places of those that are not reckoned."""
        results: dict[Place, Value] = {}
        unknown: list[Place] = []
        for place in sorted(self.formulas.get(sheet, {})):
            try:
                results[place] = self._evaluate(sheet, place)
            except NotSimple:
                unknown.append(place)
        return results, unknown

    def _evaluate(self, sheet: str, place: Place) -> Value:
        key = (sheet, place)
        if key not in self._results:
            formula = self.formulas[sheet][place]
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
        if self._looks > _MOST_LOOKS:
            raise NotSimple
        if (row, column) in self.formulas.get(sheet, {}):
            return self._evaluate(sheet, (row, column))
        if sheet not in self._sheets:
            try:
                self._sheets[sheet] = self.open_sheet(sheet)
            except KeyError as unknown:
                raise NotSimple from unknown
        rows, start = self._sheets[sheet]
        down, right = row - start[0], column - start[1]
        if not (0 <= down < len(rows) and 0 <= right < len(rows[down])):
            return None
        value = rows[down][right]
        if value == "" or value is None:
            return None
        if isinstance(value, bool | str | date):
            return value
        if isinstance(value, int | float):
            return float(value)
        raise NotSimple  # a time of day or a duration


def describe_formulas(
    name: str, formulas: Formulas, reckoned: Iterable[Place], unknown: Sequence[Place]
) -> list[str]:
    """Sentences about the formulas of a sheet whose results the file does not store."""
    sentences: list[str] = []
    if cells := list(name_cells(reckoned)):
        sentences.append(_RECKONED.format(name=name, cells=_join(cells)))
    for sentence, beginning in ((_ERRORS, "#"), (_UNKNOWN, "=")):
        told = [(place, formulas[place]) for place in unknown if formulas[place].startswith(beginning)]
        if told:
            cells = [f"{name_cell(*place)}{_quote(text)}" for place, text in told]
            sentences.append(sentence.format(name=name, cells=_join(cells)))
    return sentences


def name_cells(places: Iterable[Place]) -> Iterator[str]:
    """The names of cells, those below each other as one range."""
    ordered = sorted(((column, row) for row, column in places))
    for _, run in groupby(enumerate(ordered), key=lambda one: (one[1][0], one[1][1] - one[0])):
        cells = [cell for _, cell in run]
        (column, first), (_, last) = cells[0], cells[-1]
        yield name_cell(first, column) if first == last else name_range(first, column, last, column)


def _quote(formula: str) -> str:
    if formula == "=":
        return ""
    return f" ({formula if len(formula) <= _LONGEST_FORMULA else formula[:_LONGEST_FORMULA] + '…'})"


def _join(cells: Sequence[str]) -> str:
    rest = len(cells) - _MOST_NAMED
    return ", ".join([*cells[:_MOST_NAMED], *([f"{rest} more"] if rest > 0 else [])])
