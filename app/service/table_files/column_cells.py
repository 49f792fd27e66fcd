"""What the cells of a column show of it: numbers of lines (10, 20, 30, or 1, 2, 3 for each order), or yes and
no. Pure."""

import itertools
import re
from collections.abc import Collection, Sequence
from decimal import Decimal
from typing import TypeAlias

from app.service.tables.table import format_cell
from app.service.values.blanks import is_blank
from app.service.values.flags import read_flag
from app.service.values.folding import fold_text
from app.service.values.numbers import NotANumber, NumberReadings, read_number

Rows: TypeAlias = Sequence[Sequence[object]]
"""First rows of a table."""

_WHOLE = re.compile(r"-?[0-9]{1,6}(?:\.0+)?")
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


def read_numbers(rows: Rows, at: int) -> list[NumberReadings | Decimal | None] | None:
    """Return the numbers of a column's cells, None for a blank one; None where a cell has something else, or
    all are blank."""
    found: list[NumberReadings | Decimal | None] = []
    for row in rows:
        cell = row[at] if at < len(row) else None
        if isinstance(cell, int | float | Decimal) and not isinstance(cell, bool):
            found.append(Decimal(str(cell)))
        elif is_blank(text := format_cell(cell).strip()):
            found.append(None)
        else:
            try:
                found.append(read_number(text))
            except NotANumber:
                return None
    return found if found.count(None) < len(found) else None


def are_whole_numbers(cells: Sequence[object]) -> bool:
    """Say whether all cells that are filled, two at least, are whole numbers."""
    return bool(_read_numbers(cells))


def are_line_numbers(cells: Sequence[object]) -> bool:
    """Say whether the cells count lines: each is the next after the one above, or begins again."""
    numbers = _read_numbers(cells)
    return any(
        first in (step, 0 if step == 1 else step)
        and all(after in (first, before + step) for before, after in itertools.pairwise(numbers))
        for first in numbers[:1]
        for step in _STEPS
    )


def _read_numbers(cells: Sequence[object]) -> list[int]:
    """Return the whole numbers of cells; none at all where another is filled, or fewer than two are."""
    texts = [format_cell(cell).strip() for cell in cells if cell not in (None, "")]
    found = [int(float(text)) for text in texts if _WHOLE.fullmatch(text)]
    return found if len(found) == len(texts) >= _LEAST_CELLS else []
