"""Sums of several columns in one row: `Total | 4,200.00 | 798.00 | 4,998.00`, each named by its header."""

from collections.abc import Mapping, Sequence

from app.service.documents.fields.totals import LabelledSum
from app.service.documents.layout.rows import Cell, Row
from app.service.documents.lexicon.vocabulary import Total, total_kind
from app.service.documents.tables.detection import Table, TableRow, holds_figure
from app.service.values.folding import fold
from app.service.values.tax import Tax, find_tax

_KINDS: Mapping[Tax | None, Total] = {"before tax": "net", "with tax": "gross"}


def name_by_columns(
    sums: Sequence[LabelledSum], tables: Sequence[Table], rows: Sequence[Row]
) -> list[LabelledSum]:
    """The sums, but those of a row that sums up several columns by the headers of these, and none of what
    stands right below these headers, which is a line's."""
    orders = {id(row): order for order, row in enumerate(rows)}
    named: list[LabelledSum] = []
    skipped: list[Row] = []
    for table in tables:
        found = [(one, orders[id(row.row)]) for row in table.rows for one in _read(table, row)]
        named += [
            LabelledSum(kind, label, cell.figures[0].value, cell, at) for (kind, label, cell), at in found
        ]
        if found:
            skipped += [table.rows[0].row, *(rows[at] for _, at in found)]
    others = [one for one in sums if not any(_stands_in(one.cell, row) for row in skipped)]
    return sorted([*others, *named], key=lambda one: one.order)


def _stands_in(cell: Cell, row: Row) -> bool:
    return cell.page == row.page and row.box.top <= cell.box.middle <= row.box.bottom


def _read(table: Table, row: TableRow) -> list[tuple[Total, str, Cell]]:
    """The sums of a row, where a header tells which is the tax, or two what is before it and with it."""
    cells = sorted(row.cells.items())
    label = " ".join(cell.text for _, cell in cells if not holds_figure(cell))
    kind_of_row = total_kind(fold(label))
    if kind_of_row not in ("net", "gross"):
        return []
    shown = [
        (_KINDS.get(find_tax(header := fold(table.columns[at].header))) or total_kind(header), cell)
        for at, cell in cells
        if holds_figure(cell) and not cell.figures[0].percent
    ]
    kinds = [kind for kind, _ in shown]
    values = [cell.figures[0].value for _, cell in shown]
    adds_up = len(values) == 3 and 0 < values[1] < values[0] and values[0] + values[1] == values[2]
    if "tax" in kinds or adds_up:  # the last row of a table of tax rates has no header of these columns
        at = 1 if adds_up else kinds.index("tax")
        sides: dict[int, Total] = {at - 1: "net", at: "tax", at + 1: "gross"}
        return [
            (named if (named := kinds[side]) in ("net", "gross") else kind, label, shown[side][1])
            for side, kind in sides.items()
            if 0 <= side < len(shown)
        ]
    if {"net", "gross"} <= set(kinds):
        return [(kind, label, cell) for kind, cell in shown if kind in ("net", "gross")]
    amounts = [
        cell for at, cell in cells if table.columns[at].best_meaning == "amount" and holds_figure(cell)
    ]
    if len(amounts) == 1 and len(shown) > 1:  # beside the pieces, the weight and the volume of all
        return [(kind_of_row, label, amounts[0])]
    return []
