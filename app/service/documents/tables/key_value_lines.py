"""Lines set as blocks of labels and values: a name, then quantity, price, term and total below it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from app.service.charges.months import count_months_of_years, list_payments
from app.service.documents.extraction import LineItem
from app.service.documents.layout.rows import Cell, Row
from app.service.documents.lexicon.column_words import Column, column_scores
from app.service.documents.lexicon.letters import strip_letter_words
from app.service.documents.tables import certainty
from app.service.values.folding import fold
from app.service.values.rounding import is_product

_FIGURES: frozenset[Column] = frozenset(
    {"quantity", "unit_price", "list_price", "amount", "months", "years", "discount"}
)

_DETAIL = re.compile(r"[(•*·]|[-–—] ")
"""How a line begins that tells more of the thing above it."""
_LONGEST_NAME = 500


@dataclass
class _Block:
    title: str | None
    left: float
    last: Row
    values: dict[Column, tuple[Decimal, Cell]] = field(default_factory=dict[Column, tuple[Decimal, Cell]])
    prices: list[tuple[Decimal, Cell]] = field(default_factory=list[tuple[Decimal, Cell]])
    name: Cell | None = None  # the last line of the field that holds the title

    def accepts(self, column: Column) -> bool:
        """Whether a field may belong here: a price may be stated twice, a name be followed by a text."""
        if column in ("description", "unit_price"):
            return "amount" not in self.values
        return column not in self.values

    def continues_with(self, row: Row) -> bool:
        """Whether a row without fields is the next line of a label or a value."""
        near = row.page == self.last.page and row.box.top - self.last.box.bottom < 0.5 * row.size
        return near and (row.text.endswith(":") or self._right_of_labels(row))

    def extend_name(self, row: Row) -> None:
        """Add the next line of the name where it begins this row."""
        cell, above = row.cells()[0], self.name
        if above is None or not self._right_of_labels(row) or len(self.title or "") > _LONGEST_NAME:
            return
        near = -0.3 * cell.size < cell.box.top - above.box.bottom < 0.7 * cell.size
        if near and min(cell.box.x1, above.box.x1) > max(cell.box.x0, above.box.x0):
            self.title, self.name = f"{self.title} {cell.text}", cell

    def _right_of_labels(self, row: Row) -> bool:
        return row.box.x0 > self.left + 3 * row.size


def read_key_value_lines(rows: Sequence[Row]) -> list[LineItem]:
    """The lines of at least two blocks that multiply to their amounts; none otherwise."""
    proven = [item for block in _find_blocks(rows) if (item := _build_item(block)) is not None]
    return proven if len(proven) > 1 else []


def _find_blocks(rows: Sequence[Row]) -> list[_Block]:
    blocks: list[_Block] = []
    title: str | None = None
    current: _Block | None = None
    for row in rows:
        fields = list(_find_fields(row))
        if current:
            current.extend_name(row)
        if not fields and not _DETAIL.match(row.text) and not (current and current.continues_with(row)):
            title, current = strip_letter_words(row.text) or None, None
        for label, value in fields:
            pair = _read_figure(label, value)
            name = None if pair else _read_name(label, value)
            if pair is None and name is None:
                continue
            if current is None or not current.accepts(pair[0] if pair else "description"):
                current = _Block(title, row.box.x0, row)
                blocks.append(current)
            if pair is None:
                if current.name is None:
                    current.title, current.name = name, value
                continue
            column, number = pair
            current.values[column] = number, value
            if column == "unit_price":
                current.prices.append((number, value))
        if current:
            current.last = row
    return blocks


def _find_fields(row: Row) -> Iterator[tuple[Cell, Cell]]:
    """The label and value of each field of a row: `Qty  10`, or several of `Qty: 10` or `Qty:  10`."""
    cells = row.cells()
    split = [_split_at_colon(cell) for cell in cells]
    if len(cells) == 2 and not any(split):
        yield cells[0], cells[1]
        return
    label: Cell | None = None
    for cell, parts in zip(cells, split, strict=True):
        if parts:
            yield parts
        elif cell.text.endswith(":"):
            label = cell
        elif label:
            yield label, cell
            label = None
        elif column_scores(fold(cell.text)):
            label = cell


def _split_at_colon(cell: Cell) -> tuple[Cell, Cell] | None:
    at = next((n for n, word in enumerate(cell.words, 1) if word.text.endswith(":")), 0)
    if not 0 < at < len(cell.words):
        return None
    return cell.with_words(cell.words[:at]), cell.with_words(cell.words[at:])


def _read_figure(label: Cell, value: Cell) -> tuple[Column, Decimal] | None:
    known = column_scores(fold(label.text))
    scores: dict[Column, float] = {column: known[column] for column in known if column in _FIGURES}
    figures = value.figures
    if not scores or not figures or len(label.words) > 4:
        return None
    return max(scores, key=lambda column: scores[column]), figures[0].value


def _read_name(label: Cell, value: Cell) -> str | None:
    """The value of a field such as `Description:`; None for other fields."""
    scores = column_scores(fold(label.text))
    described = label.text.endswith(":") and scores.get("description", 0) >= 2
    return value.text if described and len(label.words) <= 3 else None


def _build_item(block: _Block) -> LineItem | None:
    def value(column: Column) -> Decimal | None:
        return block.values[column][0] if column in block.values else None

    quantity, amount = value("quantity"), value("amount")
    prices = [price for price, _ in reversed(block.prices)] or [value("list_price")]
    if quantity is None or amount is None:
        return None
    months, years, discount = value("months"), value("years"), value("discount")
    factors = [
        Decimal(1),
        *(list_payments(months) if months else ()),
        *(list_payments(count_months_of_years(years)) if years else ()),
    ]
    stated = [price for price in prices if price is not None]
    for one in (*stated, *(price * (100 - discount) / 100 for price in stated if discount)):
        if any(is_product(quantity, one, factor, amount) for factor in factors):
            return LineItem(
                description=block.title,
                quantity=quantity,
                unit_price=one,
                amount=amount,
                discount_percent=discount,
                period_months=int(months) if months else int(count_months_of_years(years)) if years else None,
                provenance={
                    name: cell.locate(certainty.MULTIPLY_BESIDE_LABELS, verified=True)
                    for name, column in _FIELDS_WITH_PLACES
                    if (cell := block.values[column][1] if column in block.values else None) is not None
                },
            )
    return None


_FIELDS_WITH_PLACES: tuple[tuple[str, Column], ...] = (
    ("quantity", "quantity"),
    ("unit_price", "unit_price"),
    ("amount", "amount"),
)
