"""Cells of a table that cover several rows or columns: what a person sees beside each line."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from app.service.documents.lexicon.column_words import Column, column_scores
from app.service.values.folding import fold

_MOST_MERGED = 20_000
_MOST_COVERED = 200_000
"""Rows that the merged cells of a table may cover together; the rest are read where they begin."""
_FIGURE = re.compile(
    r"[^\w\d]{0,3}(?:[A-Za-z]{1,3}[.$]? ?)?[-(]?\d[\d.,'’  ]*[^\w\d]{0,3}(?: ?[A-Za-z]{1,3})?"
)
_PRICES: frozenset[Column] = frozenset({"unit_price", "list_price", "amount"})
_NUMBERS = frozenset[Column]({"quantity", *_PRICES})
_MOST_NAMED = 5
_LONGEST_NAME = 60
_TEXTS = "Merged cells have one text for several rows, which was read for each of them: {cells}."
_FIGURES = "Merged cells have one figure for several rows, which was read in the first of them only: {cells}."


@dataclass(frozen=True, slots=True)
class MergedCell:
    """Where a merged cell begins, counted from 0, and how many rows and columns it covers.

    `name` is what people call it, as `B6:B8`; empty where the cells of a file have no names.
    """

    row: int
    column: int
    rows: int = 1
    columns: int = 1
    name: str = ""


def fill_merged(
    rows: Sequence[Sequence[str]], merged: Iterable[MergedCell]
) -> tuple[list[list[str]], tuple[str, ...]]:
    """The rows with the texts of merged cells beside the lines that they belong to, and sentences on them.

    A text that covers several rows with figures is repeated in each. A figure is not, for its sum would grow;
    a price is named for every row with a text, which is no line without it.
    A text that reaches over the column of descriptions stands in it, wherever it begins. The rows hold what a
    merged cell says in its first row and column.
    """
    filled = [list(row) for row in rows]
    texts: list[str] = []
    figures: list[str] = []
    header = _Header(rows)
    covered = 0
    for count, cell in enumerate(sorted(merged, key=lambda one: (one.row, one.column))):
        covered += cell.rows
        if count == _MOST_MERGED or covered > _MOST_COVERED:
            break
        if not (0 <= cell.row < len(filled) and 0 <= cell.column < len(filled[cell.row])):
            continue
        text = filled[cell.row][cell.column]
        if not text:
            continue
        below = list(_find_lines_below(rows, cell))
        if _FIGURE.fullmatch(text):
            if not below and header.is_price(cell):
                below = list(_find_texts_below(rows, cell))
            figures += [_name(cell, text, 1 + len(below))] if below else []
            continue
        column = header.find_description(cell)
        if column != cell.column and any(map(_FIGURE.fullmatch, _list_beside(rows[cell.row], cell))):
            filled[cell.row][cell.column], filled[cell.row][column] = "", text
        for number in below:
            filled[number] += [""] * (column + 1 - len(filled[number]))
            filled[number][column] = text
        texts += [_name(cell, text, 1 + len(below))] if below else []
    return filled, (*_tell(_TEXTS, texts), *_tell(_FIGURES, figures))


def _find_lines_below(rows: Sequence[Sequence[str]], cell: MergedCell) -> Iterator[int]:
    """The further rows of a merged cell that look like lines of their own, if the first one does."""
    if cell.rows < 2 or not _looks_like_line(rows[cell.row], cell):
        return
    for number in range(cell.row + 1, min(cell.row + cell.rows, len(rows))):
        if _looks_like_line(rows[number], cell):
            yield number


def _find_texts_below(rows: Sequence[Sequence[str]], cell: MergedCell) -> Iterator[int]:
    """The further rows of a merged cell that have any text beside it."""
    for number in range(cell.row + 1, min(cell.row + cell.rows, len(rows))):
        if any(_list_beside(rows[number], cell)):
            yield number


def _looks_like_line(row: Sequence[str], cell: MergedCell) -> bool:
    """Whether a row has figures beside a merged cell, and more than one if it has a text of its own."""
    beside = [text for text in _list_beside(row, cell) if text]
    figures = sum(bool(_FIGURE.fullmatch(text)) for text in beside)
    return figures > 1 or 0 < figures == len(beside)


def _list_beside(row: Sequence[str], cell: MergedCell) -> list[str]:
    return [*row[: cell.column], *row[cell.column + cell.columns :]]


class _Header:
    """What the header above a row calls the columns, read once from top to bottom as the cells come."""

    def __init__(self, rows: Sequence[Sequence[str]]) -> None:
        self._rows = rows
        self._read = 0
        self._columns: dict[int, tuple[Column, float]] = {}

    def find_description(self, cell: MergedCell) -> int:
        """The clearest column of descriptions that a cell covers, else its own."""
        if cell.columns < 2:
            return cell.column
        columns = self._find(cell)
        covered = range(cell.column, cell.column + cell.columns)
        described = [one for one in covered if one in columns and columns[one][0] == "description"]
        return max(described, key=lambda one: columns[one][1], default=cell.column)

    def is_price(self, cell: MergedCell) -> bool:
        column = self._find(cell).get(cell.column) if cell.rows > 1 else None
        return column is not None and column[0] in _PRICES

    def _find(self, cell: MergedCell) -> Mapping[int, tuple[Column, float]]:
        """How the header above a cell calls the columns, each with how clearly it does."""
        while self._read < cell.row:
            self._columns = _read_header(self._rows[self._read]) or self._columns
            self._read += 1
        return self._columns


def _read_header(row: Sequence[str]) -> dict[int, tuple[Column, float]]:
    """What a row that is a header of lines calls the columns, and how clearly; else nothing."""
    filled = [(column, text) for column, text in enumerate(row) if text]
    if len(filled) < 2 or any(_FIGURE.fullmatch(text) for _, text in filled):
        return {}
    called: dict[int, tuple[Column, float]] = {}
    for column, text in filled:
        scores = column_scores(fold(text))
        if scores:
            name = max(scores, key=lambda one: scores[one])
            called[column] = name, scores[name]
    return {} if _NUMBERS.isdisjoint(name for name, _ in called.values()) else called


def _name(cell: MergedCell, text: str, rows: int) -> str:
    short = text if len(text) <= _LONGEST_NAME else f"{text[:_LONGEST_NAME].rstrip()}…"
    short = " ".join(short.split())
    return f"{cell.name} ({short})" if cell.name else f"“{short}” ({rows} rows)"


def _tell(sentence: str, names: Sequence[str]) -> tuple[str, ...]:
    if not names:
        return ()
    rest = len(names) - _MOST_NAMED
    return (
        sentence.format(cells=", ".join([*names[:_MOST_NAMED], *([f"{rest} more"] if rest > 0 else [])])),
    )
