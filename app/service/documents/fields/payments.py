"""What is left to pay of an invoice after a payment, which looks like its total."""

from collections.abc import Sequence
from dataclasses import replace

from app.service.documents.fields.totals import LabelledSum
from app.service.documents.layout.rows import Cell, Row

_MOST_TOTALS = 8
"""The last ones of a document, which are compared with each other."""


def mark_left_to_pay(sums: Sequence[LabelledSum], rows: Sequence[Row]) -> list[LabelledSum]:
    """The sums, of which a total is `due` where it is what a figure between leaves of a total above it.

    A figure whose label says what is deducted, as a discount, makes a new total.
    """
    changes = {id(one.cell) for one in sums if one.kind in ("other", "tax", "net")}
    grosses = [one for one in sums if one.kind == "gross"][-_MOST_TOTALS:]
    marked: list[LabelledSum] = []
    for one in sums:
        totals = grosses if one in grosses else []
        if any(_is_paid_between(whole, one, rows, changes) for whole in totals):
            one = replace(one, kind="due")
        marked.append(one)
    return marked


def _is_paid_between(whole: LabelledSum, rest: LabelledSum, rows: Sequence[Row], changes: set[int]) -> bool:
    paid = whole.value - rest.value
    if not 0 < paid < whole.value:
        return False
    return any(
        figure.value.copy_abs() == paid and not figure.percent
        for row in rows
        if _place(whole.cell) < (row.page, row.box.middle) < _place(rest.cell)
        for cell in row.cells()
        if id(cell) not in changes
        for figure in cell.figures
    )


def _place(cell: Cell) -> tuple[int, float]:
    return cell.page, cell.box.middle
