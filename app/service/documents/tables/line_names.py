"""What lines are called: the words of their row where a reader took none, without the numbers of a list."""

import re
from collections.abc import Sequence
from dataclasses import replace

from app.service.documents.extraction import LineItem
from app.service.documents.layout.rows import Row
from app.service.documents.lexicon.vocabulary import total_kind
from app.service.documents.tables.row_figures import list_rows_of
from app.service.values.folding import fold

_NUMBERED = re.compile(r"(?P<number>\d{1,3})[.)]\s+(?=\D)")
_FIELD = re.compile(r"[^\d:]{3,40}:(?=\W{0,4}[A-Za-z]{0,3}\W{0,4}\d)")
_NAMED = re.compile(r"[^\W\d_]{3}")


def name_lines(items: Sequence[LineItem], rows: Sequence[Row]) -> list[LineItem]:
    """The lines with names: those of a list that is numbered from 1 without their numbers."""
    named = [_name(item, rows) for item in items]
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
    """The line with a name of its row, where it has none or the label of a sum."""
    label = _FIELD.match(item.description or "")
    if item.description and not (label and total_kind(fold(label[0]))):
        return item
    for row in list_rows_of(item, rows):
        words = [cell.text for cell in row.cells() if not cell.figures and _NAMED.search(cell.text)]
        if words and total_kind(fold(words[0])) is None:
            return replace(item, description=words[0].strip(" :"))
    return replace(item, description=None)
