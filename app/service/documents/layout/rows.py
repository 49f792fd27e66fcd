"""The rows of a page and the cells of a row, found by where the words stand."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from statistics import median
from typing import Self

from app.service.documents.extraction import Box, Provenance
from app.service.documents.layout.pages import Page, Word
from app.service.documents.values.money import Figure, find_figures, is_figure
from app.service.documents.values.numbers import DecimalMark, find_decimal_mark, parse_number

_LEGIBLE = 0.9
"""The least confidence of recognition with which arithmetic verifies a value."""


@dataclass(frozen=True)
class WordRun:
    """Words on one line of a page, from left to right.

    `number_format` is the decimal mark on which the numbers of the whole document agree; None when
    nothing tells.
    """

    words: tuple[Word, ...]
    page: int
    number_format: DecimalMark | None

    @cached_property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)

    @cached_property
    def box(self) -> Box:
        box = self.words[0].box
        for word in self.words[1:]:
            box = box.joined(word.box)
        return box

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        """The free-standing numbers of the text."""
        return find_figures(self.text, self.number_format)

    def figures_in(self, text: str) -> tuple[Figure, ...]:
        """The free-standing numbers of a text that was made from this one."""
        return find_figures(text, self.number_format)

    def number_in(self, digits: str) -> Decimal | None:
        """The value of one printed number of the text."""
        return parse_number(digits, self.number_format)

    @property
    def confidence(self) -> float:
        """How surely the words were recognised, from 0 to 1; 1 where they are text in the file."""
        return min(word.confidence for word in self.words)

    @property
    def legible(self) -> bool:
        """Whether arithmetic over the words may verify what they were read as."""
        return self.confidence > _LEGIBLE

    def locate(self, certainty: float, *, verified: bool = False) -> Provenance:
        """Where a value stands that was read here. `certainty` is how likely it is right, from 0 to 1, given
        that the words are."""
        return Provenance(self.page, self.box, certainty * self.confidence, verified and self.legible)

    def with_words(self, words: tuple[Word, ...]) -> Self:
        """The same line with other words."""
        return replace(self, words=words)


@dataclass(frozen=True)
class Cell(WordRun):
    """Words of one row that stand together."""

    @cached_property
    def is_figure(self) -> bool:
        """Whether the cell holds one number, at most with a currency or a short unit."""
        return is_figure(self.text, self.number_format)

    @property
    def size(self) -> float:
        return self.words[0].size


@dataclass(frozen=True)
class Row(WordRun):
    """Everything on one line of a page."""

    @cached_property
    def size(self) -> float:
        return median(word.size for word in self.words)

    def cells(self, gap: float = 0.75) -> tuple[Cell, ...]:
        """The row cut at upright bars and where the space between words exceeds `gap` letter heights."""
        runs: list[list[Word]] = [[]]
        for word in self.words:
            if word.text == "|":
                runs.append([])
            elif runs[-1] and _are_apart(runs[-1][-1], word, gap):
                runs.append([word])
            else:
                runs[-1].append(word)
        return tuple(Cell(tuple(run), self.page, self.number_format) for run in runs if run)


def _are_apart(left: Word, right: Word, gap: float) -> bool:
    if left.cell is not None or right.cell is not None:
        return left.cell != right.cell
    return right.box.x0 - left.box.x1 > gap * max(min(left.size, right.size), 1.0)


def lay_out_rows(pages: Iterable[Page]) -> tuple[Row, ...]:
    """The rows of all pages, each page from top to bottom."""
    rows = [row for page in pages for row in _rows_of(page)]
    number_format = find_decimal_mark(row.text for row in rows)
    return tuple(replace(row, number_format=number_format) for row in rows)


def _rows_of(page: Page) -> list[Row]:
    rows: list[list[Word]] = []
    for word in sorted(page.words, key=lambda word: (word.box.middle, word.box.x0)):
        for row in reversed(rows[-6:]):
            if _is_level(row, word):
                row.append(word)
                break
        else:
            rows.append([word])
    finished = [Row(tuple(sorted(row, key=lambda word: word.box.x0)), page.number, None) for row in rows]
    return sorted(finished, key=lambda row: row.box.middle)


def _is_level(row: Sequence[Word], word: Word) -> bool:
    nearest = min(row, key=lambda other: abs(other.box.centre - word.box.centre))
    overlap = min(nearest.box.bottom, word.box.bottom) - max(nearest.box.top, word.box.top)
    return overlap > 0.5 * min(nearest.box.height, word.box.height)
