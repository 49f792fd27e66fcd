"""What each line is, where the words around it say so: an alternative, paid once, paid again."""

import re
from collections.abc import Sequence
from dataclasses import replace

from app.service.documents.extraction import LineItem
from app.service.documents.layout.rows import Row
from app.service.documents.lexicon.languages import WORDS
from app.service.documents.lexicon.phrases import phrase
from app.service.documents.tables.detection import Table
from app.service.documents.tables.row_figures import find_row_at
from app.service.values.folding import fold

# Nearly the same word in all languages that use it.
_ALTERNATIVE = re.compile(r"\b(?:alternat|variant|wariant)")
_AGAIN = re.compile(r"(?<!non-)(?<!non )\b(?:recurr|recorr|ricorr)")
_ONCE, _RECURRING = phrase(WORDS.line_roles.once), phrase(WORDS.line_roles.recurring)
_SERVICE = phrase(WORDS.line_roles.service)
_ROWS_BELOW = 2
"""In which small print of a line stands."""


def mark_kinds(
    items: Sequence[LineItem], rows: Sequence[Row], tables: Sequence[Table], *, are_alternatives: bool
) -> list[LineItem]:
    """The lines with what they are. `are_alternatives` says that none of the sums is one of all lines, so
    that some are to be chosen."""
    titles = [
        (table.header_rows[0].page, table.header_rows[0].box.top, _read_title(table)) for table in tables
    ]
    return [
        replace(
            item,
            alternative=True
            if are_alternatives or item.from_quantity is not None or _is_alternative(item, rows)
            else None,
            recurring=_find_recurrence(item, titles) if item.recurring is None else item.recurring,
        )
        for item in items
    ]


def _is_alternative(item: LineItem, rows: Sequence[Row]) -> bool:
    """Whether an optional line, or the small print below it, says that it stands in for another."""
    if not item.optional:
        return False
    texts = [item.description or ""]
    place = item.provenance.get("amount") or item.provenance.get("unit_price")
    at = find_row_at(place, rows)
    if place is not None and at is not None:
        near = enumerate(rows[at : at + 1 + _ROWS_BELOW])
        texts += [row.text for below, row in near if row.page == place.page and not (below and row.figures)]
    return any(_ALTERNATIVE.search(fold(text)) for text in texts)


def _find_recurrence(item: LineItem, titles: Sequence[tuple[int, float, bool | None]]) -> bool | None:
    """What the title of the table says that a line stands in."""
    position = item.position
    above = [recurs for page, top, recurs in titles if position and (page, top) < position]
    return above[-1] if above else None


def _read_title(table: Table) -> bool | None:
    """Whether what a table lists is paid again, by the text over its header, or alone in its first row."""
    heads = [row.text for row in table.header_rows if len(row.cells()) == 1]
    title = fold(" ".join(heads or [table.title]))
    if re.search(r"\d", title):
        return None  # the last row of what stands above
    return tells_recurrence(title)


def is_paid_again(item: LineItem) -> bool | None:
    """Whether a line is paid again and again, by its column, its period or its words; None where nothing
    tells."""
    if item.recurring is not None:
        return item.recurring
    return True if item.period_months is not None else tells_recurrence(fold(item.description or ""))


def tells_recurrence(text: str) -> bool | None:
    """Whether words (folded) say that something is paid again and again, or once; None where they say
    neither, or both."""
    once = bool(_ONCE.search(text) or _SERVICE.search(text))
    recurring = bool(_RECURRING.search(text) or _AGAIN.search(text))
    return recurring if once != recurring else None
