"""Tell columns of numbers of lines, 10, 20, 30 or 1, 2, 3 for each order, from those of values. Pure."""

import itertools
from collections.abc import Sequence
from decimal import Decimal

_MOST_DIGITS = 6
_STEPS = (1, 5, 10, 100, 1000)
_LEAST_CELLS = 2


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
