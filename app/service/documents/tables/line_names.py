"""What lines are called: the words of their row where a reader took none, without the numbers of a list."""

import re
from collections.abc import Sequence
from dataclasses import replace

from app.service.documents.extraction import LineItem
from app.service.documents.layout.rows import Row
from app.service.documents.lexicon.languages import WORDS
from app.service.documents.lexicon.vocabulary import total_kind
from app.service.documents.tables.row_figures import list_rows_of
from app.service.values.folding import fold

_POSITION = WORDS.columns.position_alone
_NUMBERED = re.compile(
    rf"(?:({_POSITION})\.?\s*)?(?P<number>\d{{1,3}})"
    r"(?(1)\s*[:.)–-]\s*|(?:[.)]\s+|\s{2,}|\s*\|\s*))(?=\D)",
    re.IGNORECASE,
)
_BULLET = re.compile(r"^[•*·–—-]\s+")
_LINKS = (":", "=", "–", "—", "-")
_LONGEST_LABEL = 4
_SUMS = ("net", "gross", "due")
_NAMED = re.compile(r"[^\W\d_]{3}")


def name_lines(items: Sequence[LineItem], rows: Sequence[Row]) -> list[LineItem]:
    """The lines with names: those of a list without its bullets and numbers."""
    named = [_name(item, rows) for item in items]
    numbers = [_NUMBERED.match(item.description or "") for item in named]
    counted = [(int(found["number"]), order) for order, found in enumerate(numbers, 1) if found]
    is_list = len(counted) > 1 or any(found and found[1] for found in numbers)
    if not is_list or any(number != order for number, order in counted):
        return named
    return [
        replace(item, description=(item.description or "")[found.end() :]) if found else item
        for item, found in zip(named, numbers, strict=True)
    ]


def _name(item: LineItem, rows: Sequence[Row]) -> LineItem:
    """The line with a name of its row, where it has none or the label of a sum, and without its amount."""
    own = list(list_rows_of(item, rows))
    name = _BULLET.sub("", item.description or "")
    for figure in own[0].figures_in(name)[-1:] if own else ():
        before = name[: figure.start].rstrip()
        is_money = figure.currency or figure.decimals or before.endswith(_LINKS)  # `Office 365` is a name
        if is_money and figure.value == item.amount and not name[figure.end :].strip(" .;,"):
            label = before.rstrip(" :=–—-")
            name = "" if total_kind(fold(label)) in _SUMS and len(label.split()) <= _LONGEST_LABEL else label
    if name:
        return replace(item, description=name)
    for row in own:
        words = [cell.text for cell in row.cells() if not cell.figures and _NAMED.search(cell.text)]
        if words and total_kind(fold(words[0])) is None:
            return replace(item, description=words[0].strip(" :"))
    return replace(item, description=None)
