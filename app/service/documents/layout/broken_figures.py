"""Figures that a narrow cell has broken into two lines: `174` over `000,00`, a sign over its amount."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from app.service.documents.layout.rows import Cell, Row
from app.service.values.currencies import read_currency

_BEGINNING = re.compile(r"\d{1,3}(?: \d{3})*")
_END = re.compile(r"(?:\d{3} )*(?:\d{3}[.,]\d\d|000)")
_AMOUNT = re.compile(r"\d[\d.,' ]*")
_TIGHT = 1.7
"""Letter heights between the middles of two lines of a cell at most."""


def join_broken_figures(rows: Sequence[Row]) -> tuple[Row, ...]:
    """The rows, each figure that goes on in the line below whole in the first; where all figures of a line
    do, its other words stay."""
    joined = list(rows[:1])
    for upper, lower in pairwise(rows):
        pairs = _find_pairs(joined[-1] if joined[-1] is upper else upper, lower)
        if not pairs:
            joined.append(lower)
            continue
        joined[-1] = _with_ends(joined[-1], pairs)
        moved = {id(word) for _, end in pairs for word in end.words}
        rest = tuple(word for word in lower.words if id(word) not in moved)
        if rest:
            joined.append(lower.with_words(rest))
    return tuple(joined)


def _find_pairs(upper: Row, lower: Row) -> list[tuple[Cell, Cell]]:
    """The beginning and the end of each figure that two rows share."""
    if upper.page != lower.page or upper.words[0].cell is not None:
        return []
    if not 0 < lower.box.middle - upper.box.middle < _TIGHT * upper.size:
        return []
    ends = [cell for cell in lower.cells() if _AMOUNT.fullmatch(cell.text)]
    pairs = [
        (begun, end)
        for end in ends
        for begun in upper.cells()
        if abs(begun.box.x1 - end.box.x1) < begun.size / 2 and _goes_on(begun.text, end.text)
    ]
    return pairs if len(pairs) == len(ends) else []


def _goes_on(begun: str, end: str) -> bool:
    if _BEGINNING.fullmatch(begun):
        return _END.fullmatch(end) is not None
    return not begun.isdigit() and read_currency(begun) is not None


def _with_ends(row: Row, pairs: Iterable[tuple[Cell, Cell]]) -> Row:
    ends = {id(begun.words[-1]): end for begun, end in pairs}
    words = (
        replace(word, text=f"{word.text}{end.text.replace(' ', '')}", box=replace(
            word.box, x0=min(word.box.x0, end.box.x0), x1=max(word.box.x1, end.box.x1)
        ))
        if (end := ends.get(id(word)))
        else word
        for word in row.words
    )  # fmt: skip
    return row.with_words(tuple(words))
