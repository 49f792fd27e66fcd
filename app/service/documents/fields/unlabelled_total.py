"""The total of a document whose label is not known: the sum of the lines, printed below them."""

from collections.abc import Sequence
from decimal import Decimal

from app.service.documents.extraction import LineItem
from app.service.documents.fields.totals import Totals
from app.service.documents.layout.rows import Row
from app.service.values.rounding import CENT, is_close

_FEWEST_LINES = 2
_CONFIDENCE = 0.7


def find_unlabelled_total(
    items: Sequence[LineItem], lines_total: Decimal | None, rows: Sequence[Row]
) -> Totals:
    """The sums of a document without tax that prints what its lines add up to, after a label of any language;
    none where it is not printed below the last line."""
    places = [item.provenance["amount"] for item in items if "amount" in item.provenance]
    boxes = [(place.page or 0, place.box.bottom) for place in places if place.box is not None]
    if lines_total is None or len(boxes) < _FEWEST_LINES or len(boxes) < len(items):
        return Totals()
    for row in rows:
        if (row.page, row.box.top) < max(boxes):
            continue
        cells = row.cells()
        for cell in cells:
            money = [one for one in cell.figures if not one.percent]
            labelled = any(any(map(str.isalpha, other.text)) for other in cells)
            if labelled and len(money) == 1 and is_close(money[0].value, lines_total, CENT):
                seen = cell.locate(_CONFIDENCE)
                return Totals(lines_total, None, lines_total, provenance={"net_total": seen, "total": seen})
    return Totals()
