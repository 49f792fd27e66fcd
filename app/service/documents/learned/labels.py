"""The words that speak for a printed figure: over its column, to its left, and in its own cell."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from zlib import crc32

from app.service.documents.layout.rows import Cell, Row
from app.service.documents.learned.columns import Column
from app.service.documents.learned.printed_figures import PrintedFigure
from app.service.values.folding import fold

GROUPS = 2048
"""How many numbers the groups of three letters are hashed to."""
_LONGEST = 48
_ROWS_ABOVE = 5


@dataclass(frozen=True, slots=True)
class FigureLabels:
    """Texts, empty where there are none. `rows_to_header` is 0 without a header."""

    header: str
    left: str
    own: str
    rows_to_header: int
    words_to_left: int


def find_labels(
    rows: Sequence[Row], figures: Sequence[PrintedFigure], columns: Sequence[Column]
) -> list[FigureLabels]:
    """The labels of each figure."""
    headers: dict[int, tuple[str, int]] = {}
    previous = {
        below: above
        for column in {id(one): one for one in columns}.values()
        for above, below in pairwise(column.members)
        if columns[below] is column
    }
    labels: list[FigureLabels] = []
    for index, one in enumerate(figures):
        header, row = _find_header(rows, figures, index, previous, headers)
        headers[index] = header, row
        cells = rows[one.row].cells()[: one.cell]
        text = next((cell.text for cell in reversed(cells) if not cell.is_figure), "")
        left, words = text[-_LONGEST:], sum(len(cell.words) for cell in cells)
        own = f"{one.before[-_LONGEST:]} # {one.after[:_LONGEST]}" if one.before or one.after else ""
        labels.append(FigureLabels(header, left, own, one.row - row if header else 0, words))
    return labels


def _find_header(
    rows: Sequence[Row], figures: Sequence[PrintedFigure], index: int, previous: dict[int, int],
    headers: dict[int, tuple[str, int]],
) -> tuple[str, int]:  # fmt: skip
    """The nearest words above the column, and the index of their row; a figure has those of the one above it
    unless other words with a row of headers stand between."""
    one = figures[index]
    above = previous.get(index)
    last = figures[above].row if above is not None else max(-1, one.row - _ROWS_ABOVE - 1)
    for number in range(one.row - 1, last, -1):
        row = rows[number]
        if row.page != one.page:
            break
        cells = row.cells()
        if above is not None and sum(not cell.figures for cell in cells) < 3:
            continue
        if text := _text_over(cells, one):
            return _with_row_above(rows, number, one, text), number
    if above is not None and above in headers:
        return headers[above]
    return "", one.row


def _text_over(cells: Sequence[Cell], one: PrintedFigure) -> str:
    reach = one.size * 0.3
    return " ".join(
        cell.text[:_LONGEST]
        for cell in cells
        if cell.box.x0 - reach < one.box.x1 and cell.box.x1 + reach > one.box.x0 and not cell.is_figure
    )


def _with_row_above(rows: Sequence[Row], number: int, one: PrintedFigure, text: str) -> str:
    if number == 0 or rows[number - 1].page != one.page:
        return text
    upper, lower = rows[number - 1], rows[number]
    if lower.box.top - upper.box.bottom > 0.8 * one.size:
        return text
    return f"{_text_over(upper.cells(), one)} {text}".strip()


@lru_cache(maxsize=8192)
def letter_groups(text: str) -> tuple[int, ...]:
    """The distinct groups of three letters of a text as hashed numbers; digits are all alike."""
    words = "".join(letter if not letter.isdigit() else "0" for letter in fold(text)).split()
    groups = {
        crc32(padded[at : at + 3].encode()) % GROUPS
        for word in words
        for padded in (f" {word} ",)
        for at in range(len(padded) - 2)
    }
    return tuple(sorted(groups))
