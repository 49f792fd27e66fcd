"""Quantities under a header that says something else, found by what price and amount make them."""

from collections.abc import Sequence
from dataclasses import replace

from app.service.documents.extraction import LineItem
from app.service.documents.layout.rows import Cell, Row
from app.service.documents.tables.row_figures import list_cells_beside
from app.service.documents.values.money import is_figure
from app.service.values.rounding import is_close


def fill_quantities(items: Sequence[LineItem], rows: Sequence[Row]) -> list[LineItem]:
    """The lines with quantities, where none has one and each shows a figure that makes its amount."""
    found = [_find_quantity(item, rows) for item in items]
    filled = [
        replace(
            item,
            quantity=cell.figures[0].value,
            provenance={**item.provenance, "quantity": cell.locate(item.provenance["amount"].confidence)},
        )
        for item, cell in zip(items, found, strict=True)
        if cell is not None
    ]
    # Where each is one, it may be the number of something else.
    if len(filled) < len(items) or all(item.quantity == 1 for item in filled):
        return list(items)
    return filled


def _find_quantity(item: LineItem, rows: Sequence[Row]) -> Cell | None:
    if item.quantity is not None or not item.unit_price or not item.amount or "amount" not in item.provenance:
        return None
    for cell in list_cells_beside(item, rows):
        [figure] = cell.figures
        bare = not figure.percent and figure.currency is None and is_figure(cell.text, cell.figures)
        if bare and figure.value > 0 and is_close(figure.value * item.unit_price, item.amount):
            return cell
    return None
