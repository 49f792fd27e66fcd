"""What lines are called: the words of their row where a reader took none, without the numbers of a list."""

import re
from collections.abc import Sequence
from dataclasses import replace

from app.service.documents.extraction import LineItem
from app.service.documents.layout.rows import Row
from app.service.documents.tables.row_figures import list_rows_of

_NUMBERED = re.compile(r"(?P<number>\d{1,3})[.)]\s+(?=\D)")
_NAMED = re.compile(r"[^\W\d_]{3}")


def name_lines(items: Sequence[LineItem], rows: Sequence[Row]) -> list[LineItem]:
    """The lines with names: those of a list that is numbered from 1 without their numbers."""
    named = [item if item.description else _name(item, rows) for item in items]
    numbers = [_NUMBERED.match(item.description or "") for item in named]
    counted = [int(found["number"]) for found in numbers if found]
    if len(counted) < 2 or counted != list(range(1, len(named) + 1)):
        return named
    return [
        replace(item, description=(item.description or "")[found.end() :])
        for item, found in zip(named, numbers, strict=True)
        if found
    ]


def _name(item: LineItem, rows: Sequence[Row]) -> LineItem:
    for row in list_rows_of(item, rows):
        words = [cell.text for cell in row.cells() if not cell.figures and _NAMED.search(cell.text)]
        if words:
            return replace(item, description=words[0].strip(" :"))
    return item
