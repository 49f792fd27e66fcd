"""The rows of a page and the cells of a row, found by where the words stand."""

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from itertools import groupby
from statistics import median
from typing import Literal, Self, TypeAlias

from app.service.documents.extraction import Box, Provenance
from app.service.documents.layout.bounds import Omissions, bound_line
from app.service.documents.layout.pages import Page, Word
from app.service.documents.values.money import Figure, find_figures, is_figure
from app.service.documents.values.origin import Origin
from app.service.values.numbers import DecimalMark
from app.service.values.numbers_in_text import decide_number_format, parse_number

Edge: TypeAlias = Literal["left", "right", "centre"]
EDGES: tuple[Edge, ...] = ("left", "right", "centre")

_GAP = 0.75
_ALIKE = 1_000
_FORM_OF_ONE_CELL = 3
_FEW_CELLS = 8  # of which looking at each is quicker than an index
LEGIBLE = 0.9
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
        boxes = [word.box for word in self.words]
        if len(boxes) == 1:
            return boxes[0]
        return Box(
            min(box.x0 for box in boxes),
            min(box.top for box in boxes),
            max(box.x1 for box in boxes),
            max(box.bottom for box in boxes),
        )

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
        return self.confidence > LEGIBLE

    def locate(self, certainty: float, *, verified: bool = False) -> Provenance:
        """Where a value stands that was read here. `certainty` is how likely it is right, from 0 to 1, given
        that the words are."""
        return Provenance(self.page, self.box, certainty * self.confidence, verified and self.legible)

    def with_words(self, words: tuple[Word, ...]) -> Self:
        """The same line with other words."""
        return self if words == self.words else type(self)(words, self.page, self.number_format)


@dataclass(frozen=True)
class Cell(WordRun):
    """Words of one row that stand together."""

    @cached_property
    def is_figure(self) -> bool:
        """Whether the cell holds one number, at most with a currency or a short unit."""
        return is_figure(self.text, self.figures)

    @property
    def size(self) -> float:
        return self.words[0].size

    def edge(self, edge: Edge) -> float:
        """How far from the left of the page an edge, or the centre, stands."""
        match edge:
            case "left":
                return self.box.x0
            case "right":
                return self.box.x1
            case "centre":
                return self.box.centre


@dataclass(frozen=True)
class Row(WordRun):
    """Everything on one line of a page."""

    @cached_property
    def size(self) -> float:
        return median(word.size for word in self.words)

    def cells(self, gap: float = _GAP) -> tuple[Cell, ...]:
        """The row cut at upright bars and where the space between words exceeds `gap` letter heights."""
        if gap not in self._cells:
            self._cells[gap] = self._cut(gap)
        return self._cells[gap]

    def find_cell(self, edge: Edge, place: float, reach: float) -> Cell | None:
        """The first of the cells whose edge lies nearer than `reach` to a place."""
        cells = self.cells()
        if len(cells) <= _FEW_CELLS:
            return next((one for one in cells if abs(one.edge(edge) - place) < reach), None)
        edges = self._edges[edge]
        begin = bisect_left(edges, (place - reach - 1, 0))
        end = bisect_left(edges, (place + reach + 1, 0))
        near = [number for found, number in edges[begin:end] if abs(found - place) < reach]
        return cells[min(near)] if near else None

    @cached_property
    def _cells(self) -> dict[float, tuple[Cell, ...]]:
        """The cells by the gap that they were cut at."""
        return {}

    @cached_property
    def _edges(self) -> dict[Edge, list[tuple[float, int]]]:
        """The edges of the cells in their order, each with the number of its cell."""
        return {
            edge: sorted((cell.edge(edge), number) for number, cell in enumerate(self.cells()))
            for edge in EDGES
        }

    def _cut(self, gap: float) -> tuple[Cell, ...]:
        runs: list[list[Word]] = [[]]
        for word in self.words:
            if word.text == "|":
                runs.append([])
            elif runs[-1] and _are_apart(runs[-1][-1], word, gap):
                runs.append([word])
            else:
                runs[-1].append(word)
        cut = [tuple(run) for run in runs if run]
        for cells in self._cells.values():
            if cut == [cell.words for cell in cells]:
                return cells  # which know their texts and figures already
        return tuple(Cell(words, self.page, self.number_format) for words in cut)


def _are_apart(left: Word, right: Word, gap: float) -> bool:
    if left.cell is not None or right.cell is not None:
        return left.cell != right.cell
    return right.box.x0 - left.box.x1 > gap * max(min(left.size, right.size), 1.0)


def find_rows(pages: Iterable[Page], omissions: Omissions) -> tuple[Row, ...]:
    """Return the rows of all pages, each page from top to bottom; their number format is not known yet."""
    return tuple(row for page in pages for row in _rows_of(page, omissions))


def with_number_format(rows: Sequence[Row], origin: Origin) -> tuple[Row, ...]:
    """Return the rows with the decimal mark on which their numbers agree."""
    in_cells = bool(rows) and rows[0].words[0].cell is not None
    texts = [row.text for row in rows]
    number_format = decide_number_format(
        texts, lambda: origin.usual_mark, in_cells=in_cells, count_decimals=lambda: origin.decimals
    )
    return tuple(replace(row, number_format=number_format) for row in rows)


def _rows_of(page: Page, omissions: Omissions) -> list[Row]:
    bounded = (bound_line(line, omissions) for line in find_lines(page.words))
    return sorted((Row(tuple(line), page.number, None) for line in bounded), key=lambda row: row.box.middle)


def find_repeats(rows: Sequence[Row]) -> frozenset[int]:
    """The numbers of those rows of a sheet that fill the same columns with figures and with words as more
    than a thousand others do, without the first and the last of these and some between: they have no heading
    and no sum, and say nothing of the document as a whole."""
    if len(rows) <= _ALIKE or rows[0].words[0].cell is None:
        return frozenset()
    by_form: defaultdict[tuple[float, ...], list[int]] = defaultdict(list)
    for order, row in enumerate(rows):
        form = (number for cell in row.cells() for number in (cell.box.x0, cell.is_figure))
        by_form[row.page, *form].append(order)
    taken: set[int] = set()
    for form, orders in by_form.items():
        step = len(orders) // _ALIKE + 1 if len(form) > _FORM_OF_ONE_CELL else 1
        taken.update(orders[::step], *((orders[: _ALIKE // 4], orders[-_ALIKE // 4 :]) if step > 1 else ()))
    return frozenset(range(len(rows))) - taken


def find_lines(words: Iterable[Word]) -> list[list[Word]]:
    """The words of each line of a page, from left to right."""
    ordered = sorted(words, key=lambda word: (word.box.middle, word.box.x0))
    if ordered and ordered[0].cell is not None:
        return [list(line) for _, line in groupby(ordered, key=lambda word: word.box.middle)]
    lines: list[_Line] = []
    for word in ordered:
        for line in reversed(lines[-6:]):
            if line.is_level_with(word):
                line.add(word)
                break
        else:
            lines.append(_Line(word))
    return [sorted(line.words, key=lambda word: word.box.x0) for line in lines]


class _Line:
    """Words that stand on one line, with their centres in order, so that the nearest is found at once."""

    def __init__(self, word: Word) -> None:
        self.words = [word]
        self._centres = [(word.box.centre, 0)]

    def add(self, word: Word) -> None:
        insort(self._centres, (word.box.centre, len(self.words)))
        self.words.append(word)

    def is_level_with(self, word: Word) -> bool:
        """Whether a word overlaps more than half with the word of the line that stands nearest."""
        nearest = self._nearest(word.box.centre).box
        overlap = min(nearest.bottom, word.box.bottom) - max(nearest.top, word.box.top)
        return overlap > 0.5 * min(nearest.height, word.box.height)

    def _nearest(self, centre: float) -> Word:
        """The word whose centre is nearest; of equally near ones the first that was added."""
        at = bisect_left(self._centres, (centre, -1))
        near = self._centres[at : at + 1]
        if at:
            left, _ = self._centres[at - 1]
            near = [*near, self._centres[bisect_left(self._centres, (left, -1))]]
        return self.words[min((abs(one - centre), number) for one, number in near)[1]]
