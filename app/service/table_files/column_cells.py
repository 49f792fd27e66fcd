"""What the cells of a column show of it: numbers of lines (10, 20, 30, or 1, 2, 3 for each order), or yes and
no. Pure."""

import itertools
from collections.abc import Collection, Sequence
from decimal import Decimal
from typing import TypeAlias

from app.service.tables.table import format_cell
from app.service.values.flags import read_flag
from app.service.values.folding import fold_text

Rows: TypeAlias = Sequence[Sequence[object]]
"""First rows of a table."""

_MOST_DIGITS = 6
_STEPS = (1, 5, 10, 100, 1000)
_LEAST_CELLS = 2


def list_cells(rows: Rows, at: int) -> list[object]:
    """Return the cells of a column; shorter rows have none."""
    return [row[at] for row in rows if at < len(row)]


def list_texts(rows: Rows, at: int) -> list[str]:
    """Return the texts of a column's cells, without blanks around them, but for the empty ones."""
    return [text for cell in list_cells(rows, at) if (text := format_cell(cell).strip())]


def are_flags(texts: Collection[str]) -> bool:
    """Say whether there are texts, all of which say yes or no."""
    return bool(texts) and all(read_flag(fold_text(text)) is not None for text in texts)


def are_whole_numbers(cells: Sequence[object]) -> bool:
    """Say whether all cells that are filled, two at least, are whole numbers."""
    numbers = _read_numbers(cells)
    return numbers is not None and len(numbers) >= _LEAST_CELLS


def are_line_numbers(cells: Sequence[object]) -> bool:
    """Say whether the cells count lines: each is the next after the one above, or begins again."""
    numbers = _read_numbers(cells)
    if numbers is None or len(numbers) < _LEAST_CELLS:
        return False
    first = numbers[0]
    return any(
        first in (step, 0 if step == 1 else step)
        and all(after in (first, before + step) for before, after in itertools.pairwise(numbers))
        for step in _STEPS
    )


def _read_numbers(cells: Sequence[object]) -> list[int] | None:
    numbers: list[int] = []
    for cell in cells:
        if cell is None or cell == "":
            continue
        number = _read_whole(cell)
        if number is None:
            return None
        numbers.append(number)
    return numbers


def _read_whole(cell: object) -> int | None:
    if isinstance(cell, bool):
        return None
    if isinstance(cell, int):
        return cell
    if isinstance(cell, float | Decimal):
        return int(cell) if cell == cell and cell % 1 == 0 else None
    text = str(cell).strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS else None
