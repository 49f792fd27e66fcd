"""The rows in which a value stands, and the figures that stand there, whatever their columns mean."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from app.service.documents.extraction import LineItem, Provenance
from app.service.documents.layout.rows import Cell, Row


def find_row_at(place: Provenance | None, rows: Sequence[Row]) -> int | None:
    """The number of the first row that reaches down to a value; None for a value without a place."""
    position = place.position if place else None
    return bisect_left(rows, position, key=lambda row: (row.page, row.box.bottom)) if position else None


def list_rows_at(place: Provenance | None, rows: Sequence[Row]) -> Iterator[Row]:
    """The rows in which a value stands: one, or two where they overlap."""
    first = find_row_at(place, rows)
    if place is None or place.box is None or first is None:
        return
    for row in rows[first : first + 2]:
        if row.page == place.page and row.box.top <= place.box.middle:
            yield row


def list_rows_of(item: LineItem, rows: Sequence[Row]) -> Iterator[Row]:
    """The rows in which the amount of a line stands."""
    return list_rows_at(item.provenance.get("amount"), rows)


def list_cells_beside(item: LineItem, rows: Sequence[Row]) -> Iterator[Cell]:
    """The cells of one figure in the row of the amount of a line."""
    for row in list_rows_of(item, rows):
        yield from (cell for cell in row.cells() if len(cell.figures) == 1)
