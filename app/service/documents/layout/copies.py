"""Pages that are not read: they repeat another, as the copy behind an original, or list what is packed."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from app.service.documents.layout.document import Document
from app.service.documents.layout.pages import Page
from app.service.documents.layout.rows import Row
from app.service.documents.lexicon.further_languages import PACKING_LISTS
from app.service.documents.lexicon.phrases import either
from app.service.values.folding import fold

_SHARE = 0.8
"""Of the rows of a page, how many another one has too."""
_FEWEST_FIGURES = 3
_TITLE_ROWS = 6
_PACKING_LIST = re.compile(either(PACKING_LISTS))


def without_copies(document: Document) -> Sequence[Page]:
    """Return the pages without those that repeat an earlier one: it has all their rows with figures, but for
    the number of the page, and nearly all others; without packing lists too, where others are left, and
    without the lower half of a page that repeats the upper one."""
    rows = {number: [*rows] for number, rows in groupby(document.rows, key=lambda row: row.page)}
    if len(document.pages) < 2:
        return [_without_lower_half(page, rows.get(page.number, [])) for page in document.pages]
    texts = {number: Counter(row.text for row in of_page) for number, of_page in rows.items()}
    pages = [page for page in document.pages if not _is_packing_list(rows.get(page.number, ()))]
    kept: list[Page] = []
    for page in pages or document.pages:
        own = texts.get(page.number, Counter())
        if not any(_repeats(own, texts.get(one.number, Counter())) for one in kept):
            kept.append(page)
    return kept


def _without_lower_half(page: Page, rows: Sequence[Row]) -> Page:
    texts = [row.text for row in rows]
    for middle in (len(rows) // 2, (len(rows) + 1) // 2):
        if _repeats(Counter(texts[middle:]), Counter(texts[:middle])):
            end = rows[middle].box.top
            return replace(page, words=tuple(word for word in page.words if word.box.bottom <= end))
    return page


def _is_packing_list(rows: Sequence[Row]) -> bool:
    """Whether the head of a page says that it lists what is packed, which another page prices."""
    cells = (cell for row in rows[:_TITLE_ROWS] for cell in row.cells())
    return any(_PACKING_LIST.fullmatch(fold(cell.text).strip(" :.")) for cell in cells)


def _repeats(page: Counter[str], other: Counter[str]) -> bool:
    lost = page - other
    figures = sum(any(map(str.isdigit, text)) for text in page.elements())
    new = [text for text in lost if any(map(str.isdigit, text))]
    # `Page 2 of 2` stands alone at the edge.
    is_numbered_only = len(new) <= 1 and all(len(text.split()) <= 4 and "," not in text for text in new)
    return figures >= _FEWEST_FIGURES and is_numbered_only and lost.total() <= (1 - _SHARE) * page.total()
