"""In which currencies the lines of a document are priced: a scope has one."""

from collections.abc import Iterable, Sequence

from app.service.documents.extraction import LineItem, Provenance
from app.service.documents.layout.rows import Row
from app.service.documents.values.money import ISO_CODES, find_figures


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
    return tuple(sorted(named & ISO_CODES))


def _find_currencies_at(place: Provenance, rows: Sequence[Row]) -> Iterable[str]:
    """The currency within a value's box, or in a cell of its row that holds nothing but a code."""
    if place.box is None:
        return
    for row in rows:
        if row.page != place.page or not row.box.top <= place.box.middle <= row.box.bottom:
            continue
        for cell in row.cells():
            if cell.text in ISO_CODES:
                yield cell.text
        inside = [word.text for word in row.words if place.box.x0 - 1 <= word.box.centre <= place.box.x1 + 1]
        for figure in find_figures(" ".join(inside), None):
            if figure.currency:
                yield figure.currency
