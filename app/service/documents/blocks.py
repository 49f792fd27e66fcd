"""Lines set as blocks of labels and values: a name, then quantity, price, term and total below it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from app.service.documents.arithmetic import is_product
from app.service.documents.dates import plain
from app.service.documents.extraction import Evidence, LineItem
from app.service.documents.money import find_figures
from app.service.documents.numbers import DecimalMark
from app.service.documents.rows import Cell, Row
from app.service.documents.vocabulary import Column, column_scores

_FIGURES: frozenset[Column] = frozenset(
    {"quantity", "unit_price", "list_price", "amount", "months", "years", "discount"}
)


@dataclass
class _Block:
    title: str | None
    values: dict[Column, tuple[Decimal, Cell]] = field(default_factory=dict[Column, tuple[Decimal, Cell]])


def read_blocks(rows: Sequence[Row], mark: DecimalMark | None) -> list[LineItem]:
    """The lines of at least two blocks that multiply to their amounts; none otherwise."""
    items = [item for block in _blocks(rows, mark) if (item := _item(block)) is not None]
    return items if len(items) >= 2 else []


def _blocks(rows: Sequence[Row], mark: DecimalMark | None) -> list[_Block]:
    blocks: list[_Block] = []
    title: str | None = None
    current: _Block | None = None
    for row in rows:
        pairs = [pair for cells in _fields(row) if (pair := _pair(cells, mark)) is not None]
        if not pairs:
            title, current = row.text, None
        for column, value, cell in pairs:
            if current is None or column in current.values:
                current = _Block(title)
                blocks.append(current)
            current.values[column] = (value, cell)
    return blocks


def _fields(row: Row) -> list[tuple[Cell, ...]]:
    """The label and value of each field of a row: `Qty  10`, or several of `Qty: 10`."""
    cells = row.cells()
    parted = [_parted(cell) for cell in cells]
    return parted if all(len(one) == 2 for one in parted) else [cells]


def _parted(cell: Cell) -> tuple[Cell, ...]:
    at = next((n for n, word in enumerate(cell.words, 1) if word.text.endswith(":")), 0)
    if not 0 < at < len(cell.words):
        return (cell,)
    return Cell(cell.words[:at], cell.page), Cell(cell.words[at:], cell.page)


def _pair(cells: Sequence[Cell], mark: DecimalMark | None) -> tuple[Column, Decimal, Cell] | None:
    if len(cells) != 2:
        return None
    known = column_scores(plain(cells[0].text))
    scores: dict[Column, float] = {column: known[column] for column in known if column in _FIGURES}
    figures = find_figures(cells[1].text, mark)
    if not scores or not figures or len(cells[0].words) > 4:
        return None
    best: Column = max(scores, key=lambda column: scores[column])
    return best, figures[0].value, cells[1]


def _item(block: _Block) -> LineItem | None:
    def value(column: Column) -> Decimal | None:
        return block.values[column][0] if column in block.values else None

    quantity, price, amount = value("quantity"), value("unit_price") or value("list_price"), value("amount")
    if quantity is None or price is None or amount is None:
        return None
    months, years, discount = value("months"), value("years"), value("discount")
    factors = [
        Decimal(1),
        *([months, months / 12] if months else []),
        *([years, years * 12] if years else []),
    ]
    net = price * (100 - discount) / 100 if discount else price
    for one in (price, net):
        if any(is_product(quantity, one, factor, amount) for factor in factors):
            return LineItem(
                description=block.title,
                quantity=quantity,
                unit_price=one,
                amount=amount,
                discount_percent=discount,
                period_months=int(months) if months else int(years * 12) if years else None,
                evidence={
                    name: Evidence(cell.page, cell.box, 0.97 * cell.confidence, cell.confidence > 0.9)
                    for name, column in _SHOWN
                    if (cell := block.values[column][1] if column in block.values else None) is not None
                },
            )
    return None


_SHOWN: tuple[tuple[str, Column], ...] = (
    ("quantity", "quantity"),
    ("unit_price", "unit_price"),
    ("amount", "amount"),
)
