"""Pages that repeat an earlier one, as the copy behind an original: they are read once."""

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from app.service.documents.layout.document import Document
from app.service.documents.layout.pages import Page

_SHARE = 0.8
"""Of the rows of a page, how many another one has too."""
_FEWEST_FIGURES = 3


def without_copies(document: Document) -> Sequence[Page]:
    """Return the pages without those that repeat an earlier one: it has all their rows with figures, but for
    the number of the page, and nearly all others."""
    if len(document.pages) < 2:
        return document.pages
    texts = {
        number: Counter(row.text for row in rows)
        for number, rows in groupby(document.rows, key=lambda row: row.page)
    }
    kept: list[Page] = []
    for page in document.pages:
        own = texts.get(page.number, Counter())
        if not any(_repeats(own, texts.get(one.number, Counter())) for one in kept):
            kept.append(page)
    return kept


def _repeats(page: Counter[str], other: Counter[str]) -> bool:
    lost = page - other
    figures = sum(any(map(str.isdigit, text)) for text in page.elements())
    new = [text for text in lost if any(map(str.isdigit, text))]
    # `Page 2 of 2` stands alone at the edge.
    is_numbered_only = len(new) <= 1 and all(len(text.split()) <= 4 and "," not in text for text in new)
    return figures >= _FEWEST_FIGURES and is_numbered_only and lost.total() <= (1 - _SHARE) * page.total()
