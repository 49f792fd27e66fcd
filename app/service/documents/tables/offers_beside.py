"""Offers of one thing side by side, of which the buyer chooses one: `Good | Better | Best` over what each
holds, and what it costs in all."""

import re
from collections.abc import Sequence
from dataclasses import replace

from app.service.documents.extraction import LineItem
from app.service.documents.layout.rows import Cell, Row
from app.service.documents.lexicon.column_words import column_scores
from app.service.documents.lexicon.vocabulary import total_kind
from app.service.documents.tables import certainty
from app.service.documents.tables.line_items import build_amount_alone
from app.service.values.folding import fold

_NAME = re.compile(r"[^\W\d][^\d:]{1,30}")
_MOST_OFFERS, _FEWEST_ROWS, _MOST_ROWS = 5, 3, 30
_NEAR = 3.0
"""Letter heights between the middle of a name and that of a cell below it."""


def read_offers_beside(rows: Sequence[Row]) -> list[LineItem]:
    """A line for each offer, at what the last row of prices says: named a total, the only one, or what those
    above it make. Beside prices the rows tell other things of the offers; else they are a table."""
    for order, row in enumerate(rows):
        names = [cell for cell in row.cells() if not column_scores(fold(cell.text))]
        if not 1 < len(names) <= _MOST_OFFERS or not all(_NAME.fullmatch(cell.text) for cell in names):
            continue
        below = [one for one in rows[order + 1 : order + _MOST_ROWS] if one.page == row.page]
        told = [(one, cells) for one in below if (cells := _find_below(names, one))]
        priced = [(one, cells) for one, cells in told if all(map(_is_price, cells))]
        if len(told) < _FEWEST_ROWS or not priced or len(priced) == len(told):
            continue
        *parts, (last, prices) = priced
        is_named = total_kind(fold(last.cells()[0].text)) in ("gross", "due") or not parts
        if is_named or _add_up([cells for _, cells in parts], prices):
            return [
                replace(
                    build_amount_alone(
                        name.text, cell.figures[0].value, cell.locate(certainty.STAND_IN_TABLE)
                    ),
                    optional=True,
                )
                for name, cell in zip(names, prices, strict=True)
            ]
    return []


def _find_below(names: Sequence[Cell], row: Row) -> list[Cell]:
    """The cells of a row below the names, behind the words for what they tell; none where one is missing."""
    label, *cells = row.cells()
    if len(cells) != len(names) or label.box.x1 > names[0].box.centre:
        return []
    middles = zip(names, cells, strict=True)
    return cells if all(abs(a.box.centre - b.box.centre) < _NEAR * a.size for a, b in middles) else []


def _is_price(cell: Cell) -> bool:
    return cell.is_figure and bool(cell.figures[0].currency or cell.figures[0].decimals == 2)


def _add_up(parts: Sequence[Sequence[Cell]], wholes: Sequence[Cell]) -> bool:
    """Whether the last rows of prices make the whole in each column."""
    columns = list(zip(*parts, strict=True))
    return any(
        all(sum(cell.figures[0].value for cell in column[first:]) == whole.figures[0].value
            for column, whole in zip(columns, wholes, strict=True))
        for first in range(len(parts) - 1)
    )  # fmt: skip
