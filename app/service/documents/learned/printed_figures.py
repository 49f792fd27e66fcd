"""The printed figures of a document with where they stand: what the learned reader gives roles to."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

from app.service.documents.extraction import Box
from app.service.documents.layout.document import Document
from app.service.documents.layout.rows import Cell, Row
from app.service.documents.values.money import Figure

MOST_FIGURES = 3_000
"""Of a document: some forty pages of tables. Longer ones are price lists, which the rules read alone."""


@dataclass(frozen=True, slots=True, eq=False)
class PrintedFigure:
    """A number on a page. `row` is the index of its row in the document; `cell` of its cell in the row."""

    figure: Figure
    value: float
    row: int
    cell: int
    holder: Cell
    box: Box
    order: int
    """Its place among the figures of its row, from the left."""
    before: str
    """The words of its own cell to its left."""
    after: str
    """The words of its own cell to its right."""
    bold: bool
    size: float

    @property
    def page(self) -> int:
        return self.holder.page


def find_printed_figures(document: Document) -> list[PrintedFigure]:
    """The figures row by row, each row from the left."""
    found: list[PrintedFigure] = []
    for number, row in enumerate(document.rows):
        found.extend(_figures_of(number, row))
        if len(found) > MOST_FIGURES:
            break
    return found


def _figures_of(number: int, row: Row) -> Iterator[PrintedFigure]:
    order = 0
    for index, cell in enumerate(row.cells()):
        figures = cell.figures
        lengths = (len(word.text) + 1 for word in cell.words[:-1] if figures)
        starts = list(accumulate(lengths, initial=0))
        for figure in figures:
            words = [
                word
                for word, start in zip(cell.words, starts, strict=True)
                if start < figure.end and start + len(word.text) > figure.start
            ]
            if not words:
                continue
            box = words[0].box if len(words) == 1 else _join(word.box for word in words)
            yield PrintedFigure(
                figure, float(figure.value), number, index, cell, box, order,
                cell.text[: figure.start].strip(), cell.text[figure.end :].strip(),
                words[0].bold, words[0].size,
            )  # fmt: skip
            order += 1


def _join(boxes: Iterator[Box]) -> Box:
    whole = next(boxes)
    for box in boxes:
        whole = whole.joined(box)
    return whole
