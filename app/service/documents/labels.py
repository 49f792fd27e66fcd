"""Values beside or below a label: document number, dates, parties, terms."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.service.documents.dates import plain
from app.service.documents.rows import Cell, Row

_LONGEST_LABEL = 48


@dataclass(frozen=True)
class Labelled:
    """A value with its label. `distance` orders the ways they stand: 0 same cell, 1 beside, 2 below."""

    label: str
    value: str
    cell: Cell
    distance: int
    order: int


def labelled_values(rows: Sequence[Row], pattern: re.Pattern[str]) -> Iterator[Labelled]:
    """The values of every label that the pattern matches; the pattern sees plain text."""
    for order, row in enumerate(rows):
        cells = row.cells()
        for index, cell in enumerate(cells):
            text = plain(cell.text)
            found = pattern.match(text)
            if not found:
                continue
            rest = cell.text[found.end() :]
            value = rest.lstrip(" :.#№-–\t")
            if value and (rest[:1] in ":. #\t-" or cell.text[found.end() - 1] in ":#."):
                yield Labelled(cell.text[: found.end()], value, cell, 0, order)
                continue
            if value:
                continue
            if index + 1 < len(cells) and not cells[index + 1].text.rstrip().endswith(":"):
                yield Labelled(cell.text, cells[index + 1].text, cells[index + 1], 1, order)
            below = _below(rows, order, cell)
            if below:
                yield Labelled(cell.text, below.text, below, 2, order)


def _below(rows: Sequence[Row], order: int, cell: Cell) -> Cell | None:
    for row in rows[order + 1 : order + 4]:
        if row.page != cell.page or row.box.top - cell.box.bottom > 2.2 * cell.size:
            return None
        for other in row.cells():
            starts_alike = abs(other.box.x0 - cell.box.x0) < 0.8 * cell.size
            ends_alike = abs(other.box.x1 - cell.box.x1) < 0.8 * cell.size
            centred = abs(other.box.centre - cell.box.centre) < cell.size
            if starts_alike or ends_alike or centred:
                return other
    return None


def cells_below(rows: Sequence[Row], order: int, cell: Cell, limit: int = 7) -> list[Cell]:
    """The block of cells under a cell that begin where it begins."""
    block: list[Cell] = []
    bottom = cell.box.bottom
    for row in rows[order + 1 : order + 1 + 3 * limit]:
        if row.page != cell.page or row.box.top - bottom > 1.6 * cell.size:
            break
        for other in row.cells():
            if abs(other.box.x0 - cell.box.x0) < cell.size:
                block.append(other)
                bottom = other.box.bottom
                break
        if len(block) == limit:
            break
    return block
