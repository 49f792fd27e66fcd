"""Amounts of two periods side by side, as a month's and a year's: the greater one is what is bought."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from app.service.documents.extraction import LineItem
from app.service.documents.layout.rows import Cell, Row
from app.service.documents.tables.row_figures import list_cells_beside
from app.service.values.rounding import CENT, is_close, is_product

_MONTHS = (12, 24, 36, 48, 60, 3, 6)


def choose_longer_period(items: Sequence[LineItem], rows: Sequence[Row]) -> list[LineItem]:
    """The lines with the amounts of the longer period, where every line shows both: as many times as much as
    it has months, and what quantity and price make is that of the shorter one."""
    if not items or not all(_makes_amount(item) for item in items):
        return list(items)
    found = [list(list_cells_beside(item, rows)) for item in items]
    for months in _MONTHS:
        longer = [_find_multiple(item, cells, months) for item, cells in zip(items, found, strict=True)]
        chosen = [
            replace(
                item,
                amount=cell.figures[0].value,
                period_months=months,
                provenance={**item.provenance, "amount": cell.locate(item.provenance["amount"].confidence)},
            )
            for item, cell in zip(items, longer, strict=True)
            if cell is not None
        ]
        if len(chosen) == len(items):
            return chosen
    return list(items)


def _makes_amount(item: LineItem) -> bool:
    """Whether a line is quantity x price for one period, and its amount has a place."""
    if item.quantity is None or item.unit_price is None or not item.amount or "amount" not in item.provenance:
        return False
    alone = item.period_months in (None, 1) and item.price_basis_quantity is None
    return alone and is_product(item.quantity, item.unit_price, Decimal(1), item.amount)


def _find_multiple(item: LineItem, cells: Sequence[Cell], months: int) -> Cell | None:
    assert item.amount is not None
    whole = item.amount * months
    figures = [(cell, cell.figures[0]) for cell in cells]
    return next((cell for cell, one in figures if not one.percent and is_close(one.value, whole, CENT)), None)
