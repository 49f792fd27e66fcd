"""Prices that a document shows and that became neither a line nor a sum: they are counted and said."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from app.service.documents.extraction import Kind, LineItem, Provenance
from app.service.documents.fields.totals import Totals
from app.service.documents.judge.printed_figures import PrintedFigures
from app.service.documents.judge.readings import is_sum_of_lines, sum_lines
from app.service.documents.judge.sentences import format_money
from app.service.documents.layout.rows import Cell

_PRICES = ("unit_price", "amount")
_OF_LINES = ("quantity", "unit_price", "amount", "list_unit_price", "from_quantity", "to_quantity")
_AS_FAR = 3.0
"""How many points an edge of a column may waver."""


def describe_unread_prices(
    figures: PrintedFigures, kind: Kind, items: Sequence[LineItem], totals: Totals
) -> Iterator[str]:
    """Return a sentence where rows show prices that no line has, in a column of their prices, and where there
    are no lines."""
    if not items:
        if kind != "contract" and totals.total is None and not figures.shows_money:
            yield "No lines were read."
        return
    if is_sum_of_lines(totals, items) or (totals.total is not None and sum_lines(items) == totals.total):
        return  # None is missing.
    unread = list(_list_unread(figures, items, totals))
    if unread:
        rows = "1 row shows a price" if len(unread) == 1 else f"{len(unread)} rows show prices"
        yield (
            f"{rows} that became neither a line nor a sum, the first of them {format_money(unread[0])}:"
            " lines may be missing."
        )


def _list_unread(figures: PrintedFigures, items: Sequence[LineItem], totals: Totals) -> Iterator[Decimal]:
    """The prices that were not read, one a row."""
    places = [place for item in items for place in item.provenance.values()]
    read = {figures.order_of(place) for place in (*places, *totals.provenance.values())}
    values = {
        abs(value) for item in items for name in _OF_LINES if (value := getattr(item, name)) is not None
    }
    values |= {abs(one) for one in (totals.net, totals.tax, totals.total, totals.discount) if one is not None}
    columns = [seen for item in items for name in _PRICES if (seen := item.provenance.get(name)) and seen.box]
    for order, row in enumerate(figures.rows):
        if order in read:
            continue
        for cell in row.cells():
            if cell.is_figure and _stands_under(cell, columns):
                [figure] = cell.figures
                if not figure.percent and abs(figure.value) not in values:
                    yield figure.value
                    break


def _stands_under(cell: Cell, columns: Sequence[Provenance]) -> bool:
    return any(
        seen.page == cell.page
        and seen.box is not None
        and min(abs(seen.box.x1 - cell.box.x1), abs(seen.box.x0 - cell.box.x0)) < _AS_FAR
        for seen in columns
    )
