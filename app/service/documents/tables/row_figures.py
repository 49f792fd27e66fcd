"""The figures that stand in the row of a line, whatever their columns mean."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from app.service.documents.extraction import LineItem
from app.service.documents.layout.rows import Cell, Row


def list_rows_of(item: LineItem, rows: Sequence[Row]) -> Iterator[Row]:
    """The rows in which the amount of a line stands: one, or two where they overlap."""
    place = item.provenance.get("amount")
    if place is None or place.box is None or place.page is None:
        return
    first = bisect_left(rows, (place.page, place.box.middle), key=lambda row: (row.page, row.box.bottom))
    for row in rows[first : first + 2]:
        if row.page == place.page and row.box.top <= place.box.middle:
            yield row


def list_cells_beside(item: LineItem, rows: Sequence[Row]) -> Iterator[Cell]:
    """The cells of one figure in the row of the amount of a line."""
    for row in list_rows_of(item, rows):
        yield from (cell for cell in row.cells() if len(cell.figures) == 1)
