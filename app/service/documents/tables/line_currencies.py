"""In which currencies the lines of a document are priced: a scope has one."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate

from app.service.documents.extraction import LineItem, Provenance
from app.service.documents.layout.rows import Row
from app.service.documents.values.money import find_figures
from app.service.values.currencies import CODES_IN_TEXT


def find_line_currencies(items: Iterable[LineItem], rows: Sequence[Row]) -> tuple[str, ...]:
    """The ISO codes that stand with the lines' prices and amounts, sorted.

    A bare sign (`$`, `kr`) is left out, for it may be short for the code that stands elsewhere.
    """
    by_page: dict[int, list[Row]] = {}
    for row in rows:
        by_page.setdefault(row.page, []).append(row)
    lines = {page: _RowsOfPage(of_page) for page, of_page in by_page.items()}
    named = {
        currency
        for item in items
        for name in ("amount", "unit_price")
        if (place := item.provenance.get(name)) is not None
        for currency in _find_currencies_at(place, lines)
    }
    return tuple(sorted(named & CODES_IN_TEXT))


class _RowsOfPage:
    """The rows of a page from top to bottom, so that those at a height are found at once."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = rows
        self._highest = list(accumulate((row.box.bottom for row in rows), max))
        self._lowest = list(accumulate((row.box.top for row in reversed(rows)), min))[::-1]

    def at(self, height: float) -> Iterator[Row]:
        """The rows that a height lies in."""
        begin = bisect_left(self._highest, height)
        end = bisect_right(self._lowest, height)
        return (row for row in self._rows[begin:end] if row.box.top <= height <= row.box.bottom)


def _find_currencies_at(place: Provenance, lines: Mapping[int, _RowsOfPage]) -> Iterator[str]:
    """The currency within a value's box, or in a cell of its row that holds nothing but a code."""
    on_page = lines.get(place.page) if place.page is not None else None
    if place.box is None or on_page is None:
        return
    for row in on_page.at(place.box.middle):
        for cell in row.cells():
            if cell.text in CODES_IN_TEXT:
                yield cell.text
        inside = [word.text for word in row.words if place.box.x0 - 1 <= word.box.centre <= place.box.x1 + 1]
        for figure in find_figures(" ".join(inside), None):
            if figure.currency:
                yield figure.currency
