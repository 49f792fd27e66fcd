"""The figures that a document shows, and whether a value stands where a reader says that it does."""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from app.service.documents.extraction import Box, LineItem, Provenance
from app.service.documents.layout.rows import Cell, Row, WordRun
from app.service.documents.lexicon.languages import WORDS
from app.service.documents.values.money import names_money
from app.service.values.folding import fold
from app.service.values.rounding import CENT, is_close

_YEAR = re.compile(rf"\b{WORDS.durations.year} (\d)\b", re.IGNORECASE)
_SENTENCE = 8
"""Words from which on a cell is a sentence."""
_LONGEST_NUMBER = Decimal(10) ** 12


@dataclass(frozen=True)
class PrintedFigure:
    """A figure that ends its cell, alone or after a label. `order` is the number of its row."""

    value: Decimal
    cell: Cell
    order: int

    @property
    def place(self) -> tuple[int, float]:
        """Where it stands in reading order."""
        return self.order, self.cell.box.x0


class PrintedFigures:
    """The figures of the rows of a document."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = rows
        self._by_page: dict[int, list[Row]] = defaultdict(list)
        self._at: dict[tuple[int, Box], tuple[WordRun, ...]] = {}
        for row in rows:
            self._by_page[row.page].append(row)

    @cached_property
    def sums(self) -> list[PrintedFigure]:
        """The figures that may be a sum: each ends its cell and is no percentage, in reading order."""
        return [
            PrintedFigure(one, cell, order)
            for order, row in enumerate(self.rows)
            for cell in row.cells()
            if (one := _read_sum(cell)) is not None
        ]

    def label_of(self, one: PrintedFigure) -> str:
        """The words before a figure, back to the one before it, folded."""
        words: list[str] = []
        for cell in self.rows[one.order].cells():
            if cell.box.x0 > one.cell.box.x0:
                break
            is_sum = cell.is_figure and cell is not one.cell and not cell.figures[-1].percent
            words = [] if is_sum else [*words, cell.text]
        return fold(" ".join(words))

    def list_sums_outside(self, items: Sequence[LineItem]) -> list[PrintedFigure]:
        """The figures that may be a sum and are not the amount of a line."""
        lines = {(self.order_of_line(item), item.amount) for item in items}
        return [one for one in self.sums if (one.order, one.value) not in lines]

    @cached_property
    def shows_money(self) -> bool:
        """Whether any figure has a currency or cents."""
        return any(
            one.currency or one.decimals == 2 for row in self.rows for one in row.figures if not one.percent
        ) or any(names_money(row.text) for row in self.rows)

    @cached_property
    def rates(self) -> frozenset[Decimal]:
        """The percentages, as shares of one."""
        return frozenset(
            figure.value / 100
            for row in self.rows
            for figure in row.figures
            if figure.percent and 0 < figure.value < 100
        )

    def order_of(self, place: Provenance) -> int | None:
        """The number of the row in which a place lies; None for a value without a place."""
        if place.page is None or place.box is None:
            return None
        middle = place.box.middle
        near = self._orders_by_height.get((place.page, int(middle)), ())
        rows = ((order, self.rows[order].box) for order in near)
        return next((order for order, box in rows if box.top <= middle <= box.bottom), None)

    def order_of_line(self, item: LineItem) -> int | None:
        """The number of the row in which the amount of a line, or its price alone, is printed."""
        place = item.provenance.get("amount") or item.provenance.get("unit_price")
        return self.order_of(place) if place else None

    @cached_property
    def _orders_by_height(self) -> dict[tuple[int, int], list[int]]:
        """The numbers of the rows that reach over each whole unit of a page."""
        orders: dict[tuple[int, int], list[int]] = defaultdict(list)
        for order, row in enumerate(self.rows):
            for height in range(int(row.box.top), int(row.box.bottom) + 1):
                orders[row.page, height].append(order)
        return orders

    def counts_in(self, order: int, *, without_first: Decimal) -> list[Decimal]:
        """The whole numbers of a row that are no percentage, without the number of the line at its start."""
        first, *others = self.rows[order].cells()
        cells = (
            others
            if [one.value for one in first.figures] == [without_first] and first.is_figure
            else (
                first,
                *others,
            )
        )
        return [
            one.value
            for cell in cells
            for one in cell.figures
            if not one.percent and not one.currency and one.value == one.value.to_integral_value()
        ]

    def list_other_counts(self, item: LineItem, number: int) -> list[Decimal]:
        """The whole numbers in the row of a line that are none of its values, nor its `number` from 0, nor
        that of a year."""
        order = self.order_of_line(item)
        if order is None:
            return []
        counts = self.counts_in(order, without_first=Decimal(number + 1))
        years = map(Decimal, _YEAR.findall(self.rows[order].text))
        own = (item.quantity, item.unit_price, item.amount, *years)
        return [one for one in counts if one not in own]

    def list_rates_beside(self, item: LineItem) -> list[Decimal]:
        """By what the other numbers in the row of a line would multiply its amount if they were percentages:
        of a tax that is added, or of a discount that is taken off."""
        order = self.order_of_line(item)
        cells = () if order is None else self.rows[order].cells()
        values = [abs(one.value) / 100 for cell in cells for one in cell.figures]
        own = [one / 100 for one in (item.quantity, item.unit_price, item.amount) if one is not None]
        return [1 + sign * one for one in values if 0 < one < 1 and one not in own for sign in (1, -1)]

    def shows(self, place: Provenance | None, value: Decimal | None) -> bool:
        """Whether the value, but for its sign, is printed at its place."""
        if value is None:
            return False
        return any(
            is_close(abs(figure.value), abs(value), CENT / 10)
            for run in self._runs_at(place)
            for figure in run.figures
        )

    def stands_in_sentence(self, place: Provenance | None) -> bool:
        """Whether a value stands among the words of a sentence, not alone or behind a label."""
        order = self.order_of(place) if place else None
        cells = () if order is None else self.rows[order].cells()
        return any(
            len(cell.words) >= _SENTENCE and place is not None and place.box and _lies_in(place.box, cell.box)
            for cell in cells
        )

    def looks_like_money(self, place: Provenance | None) -> bool:
        """Whether a figure has a currency, decimals or groups of thousands, as prices have."""
        return any(
            figure.currency or figure.decimals or not run.text[figure.start : figure.end].strip().isdecimal()
            for run in self._runs_at(place)
            for figure in run.figures
        )

    def recognition_at(self, place: Provenance | None) -> float:
        """How surely the words at a place were recognised, from 0 to 1."""
        return min((run.confidence for run in self._runs_at(place)), default=1.0)

    def _runs_at(self, place: Provenance | None) -> Sequence[WordRun]:
        """The words at a place, row by row."""
        if place is None or place.page is None or place.box is None:
            return ()
        at = place.page, place.box
        if at not in self._at:
            self._at[at] = tuple(self._find_runs(*at))
        return self._at[at]

    def _find_runs(self, page: int, box: Box) -> Iterator[WordRun]:
        rows = self._by_page[page]
        first = bisect_left(rows, box.top - box.height, key=lambda row: row.box.middle)
        for row in map(rows.__getitem__, range(first, len(rows))):
            if row.box.top > box.bottom:
                return
            words = tuple(word for word in row.words if _lies_in(word.box, box))
            if words:
                yield WordRun(words, page, row.number_format)


def _lies_in(inner: Box, outer: Box) -> bool:
    return outer.x0 - 1 <= inner.centre <= outer.x1 + 1 and outer.top - 1 <= inner.middle <= outer.bottom + 1


def _read_sum(cell: Cell) -> Decimal | None:
    """The figure that ends a cell; None where it holds several, or text after the figure."""
    figures = cell.figures
    if not figures or not figures[-1].may_be_money or len(cell.words) > 12:
        return None
    last = figures[-1]
    if sum(not one.percent for one in figures) > 1 or len(cell.text[last.end :].strip(" .*)")) > 4:
        return None
    return last.value if 0 < abs(last.value) < _LONGEST_NUMBER else None
