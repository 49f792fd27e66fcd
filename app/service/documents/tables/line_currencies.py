"""In which currencies the lines of a document are priced: a scope has one."""

from collections.abc import Iterable, Iterator, Sequence

from app.service.documents.extraction import LineItem, Provenance
from app.service.documents.layout.rows import Row
from app.service.documents.tables.row_figures import list_rows_at
from app.service.documents.values.money import find_figures
from app.service.values.currencies import CODES_IN_TEXT


def find_line_currencies(items: Iterable[LineItem], rows: Sequence[Row]) -> tuple[str, ...]:
    """The ISO codes that stand with the lines' prices and amounts, sorted.

    A bare sign (`$`, `kr`) is left out, for it may be short for the code that stands elsewhere.
    """
    named = {
        currency
        for item in items
        for name in ("amount", "unit_price")
        if (place := item.provenance.get(name)) is not None
        for currency in _find_currencies_at(place, rows)
    }
    return tuple(sorted(named & CODES_IN_TEXT))


def _find_currencies_at(place: Provenance, rows: Sequence[Row]) -> Iterator[str]:
    """The currency within a value's box, or in a cell of its row that holds nothing but a code."""
    if place.box is None:
        return
    for row in list_rows_at(place, rows):
        for cell in row.cells():
            if cell.text in CODES_IN_TEXT:
                yield cell.text
        inside = [word.text for word in row.words if place.box.x0 - 1 <= word.box.centre <= place.box.x1 + 1]
        for figure in find_figures(" ".join(inside), None):
            if figure.currency:
                yield figure.currency
