"""Words to rows and cells: what stands on one line, and where the line falls apart."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median

from app.service.documents.extraction import Box
from app.service.documents.layout.pages import Page, Word


@dataclass(frozen=True)
class Cell:
    """Words of one row that stand together."""

    words: tuple[Word, ...]
    page: int

    @cached_property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)

    @cached_property
    def box(self) -> Box:
        box = self.words[0].box
        for word in self.words[1:]:
            box = box.joined(word.box)
        return box

    @property
    def confidence(self) -> float:
        return min(word.confidence for word in self.words)

    @property
    def size(self) -> float:
        return self.words[0].size


@dataclass(frozen=True)
class Row:
    """Everything on one line of a page, from left to right."""

    words: tuple[Word, ...]
    page: int

    @cached_property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)

    @cached_property
    def box(self) -> Box:
        return Cell(self.words, self.page).box

    @cached_property
    def size(self) -> float:
        return median(word.size for word in self.words)

    def cells(self, gap: float = 0.75) -> tuple[Cell, ...]:
        """The row cut at upright bars and where the space between words exceeds `gap` letter heights."""
        runs: list[list[Word]] = [[]]
        for word in self.words:
            if word.text == "|":
                runs.append([])
            elif runs[-1] and _apart(runs[-1][-1], word, gap):
                runs.append([word])
            else:
                runs[-1].append(word)
        return tuple(Cell(tuple(run), self.page) for run in runs if run)


def _apart(left: Word, right: Word, gap: float) -> bool:
    if left.cell is not None or right.cell is not None:
        return left.cell != right.cell
    return right.box.x0 - left.box.x1 > gap * max(min(left.size, right.size), 1.0)


def rows_of(page: Page) -> tuple[Row, ...]:
    """The rows of a page from top to bottom."""
    rows: list[list[Word]] = []
    for word in sorted(page.words, key=lambda word: (word.box.middle, word.box.x0)):
        for row in reversed(rows[-6:]):
            if _level(row, word):
                row.append(word)
                break
        else:
            rows.append([word])
    finished = [Row(tuple(sorted(row, key=lambda word: word.box.x0)), page.number) for row in rows]
    return tuple(sorted(finished, key=lambda row: row.box.middle))


def _level(row: Sequence[Word], word: Word) -> bool:
    nearest = min(row, key=lambda other: abs(other.box.centre - word.box.centre))
    overlap = min(nearest.box.bottom, word.box.bottom) - max(nearest.box.top, word.box.top)
    return overlap > 0.5 * min(nearest.box.height, word.box.height)


def rows_of_all(pages: Iterable[Page]) -> tuple[Row, ...]:
    return tuple(row for page in pages for row in rows_of(page))
