"""Offers of one thing side by side, of which the buyer chooses one: `Good | Better | Best` over what each
holds, and what it costs in all, or a price and an amount of each for one quantity."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from app.service.documents.extraction import LineItem
from app.service.documents.layout.rows import Cell, Row
from app.service.documents.lexicon.column_words import column_scores
from app.service.documents.lexicon.languages import WORDS
from app.service.documents.lexicon.vocabulary import total_kind
from app.service.documents.tables import certainty
from app.service.documents.tables.headerless_lines import build_multiplied, count_letters
from app.service.documents.tables.line_items import build_amount_alone
from app.service.values.folding import fold
from app.service.values.rounding import is_close, is_product

_NAME = re.compile(r"[^\W\d][^\d:]{1,30}")
_MOST_OFFERS, _FEWEST_ROWS, _MOST_ROWS = 5, 3, 30
_NEAR = 3.0
"""Letter heights between the middle of a name and that of a cell below it."""
_HEAD = 5
"""Rows of a header above the first row of prices."""
_ONE = Decimal(1)
_AS_GOOD = Decimal("0.002")
_YEAR = re.compile(rf"\b(?:{WORDS.durations.year}|{WORDS.durations.month}|20\d\d)\b")


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


@dataclass(frozen=True)
class _Priced:
    """A row of one count, and of a price and an amount for each offer."""

    row: Row
    count: Cell
    pairs: Sequence[tuple[Cell, Cell]]

    @property
    def left(self) -> float:
        """Where the first offer begins: behind the count and its unit."""
        price = self.pairs[0][0].box.x0
        return max(cell.box.x1 for cell in self.row.cells() if cell.box.x0 < price)

    @property
    def shares(self) -> list[Decimal]:
        """What each other offer costs of the first one."""
        (_, first), *others = self.pairs
        return [_value(one) / _value(first) for _, one in others]

    @property
    def is_told_by_rate(self) -> bool:
        """Whether a tax or a discount of the row makes one amount of another."""
        rates = [1 + sign * one.value / 100 for one in self.row.figures for sign in (1, -1)]
        return any(is_close(share, one, _AS_GOOD) for share in self.shares for one in rates)


def read_priced_offers(rows: Sequence[Row]) -> list[LineItem]:
    """A line for each price of each row, none counted, where all rows multiply one count with several prices.
    What is as much dearer in each row is the same price with a tax or in another currency, and what is for a
    year is paid beside others."""
    found = [one for row in rows if (one := _find_priced(row)) is not None]
    if len({len(one.pairs) for one in found}) != 1 or all(_value(one.count) == 1 for one in found):
        return []
    first, *others = found
    pairs = (pair for one in others for pair in zip(one.shares, first.shares, strict=True))
    if all(is_close(*pair, _AS_GOOD) for pair in pairs) or all(one.is_told_by_rate for one in found):
        return []
    names = _find_names(first, rows[: rows.index(first.row)])
    if any(_YEAR.search(fold(name)) for name in names):
        return []
    return [
        _build_line(one, number, names[number] if names else "")
        for number in range(len(first.pairs))
        for one in found
    ]


def _find_priced(row: Row) -> _Priced | None:
    cells = row.cells()
    for at, count in enumerate(cells):
        if not count.is_figure or not at or _value(count) <= 0:
            continue
        behind = [cell for cell in cells[at + 1 :] if cell.is_figure]
        pairs = list(zip(behind[::2], behind[1::2], strict=False))
        made = ((_value(price), _value(amount)) for price, amount in pairs)
        if (
            len(behind) % 2 == 0
            and len(pairs) > 1
            and all(amount > 0 and is_product(_value(count), price, _ONE, amount) for price, amount in made)
        ):
            return _Priced(row, count, pairs)
    return None


def _find_names(first: _Priced, above: Sequence[Row]) -> list[str]:
    """What a row of the header with another cell over each offer says of it, rather one without words for
    columns."""
    found: list[list[str]] = []
    for row in [one for one in above if one.page == first.row.page][-_HEAD:]:
        left, names = first.left, list[str]()
        for _, amount in first.pairs:
            over = [one.text for one in row.cells() if left < one.box.centre < amount.box.x1 + amount.size]
            names += list(dict.fromkeys(over))[:1]
            left = amount.box.x1 + amount.size
        if len(set(names)) == len(first.pairs):
            found.append(names)
    plain = [names for names in found if not any(column_scores(fold(one)) for one in names)]
    return next(iter((*plain, *found)), list[str]())


def _build_line(one: _Priced, number: int, name: str) -> LineItem:
    text = max(one.row.cells()[: one.row.cells().index(one.count)], key=count_letters)
    item = build_multiplied(text, one.count, *one.pairs[number], None)
    return replace(item, description=f"{text.text} ({name})" if name else text.text, optional=True)


def _value(cell: Cell) -> Decimal:
    return cell.figures[0].value


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
