"""Rows that make up the quantity or the price of the line below them: measurements and analyses."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import permutations

from app.service.documents.layout.rows import Row
from app.service.documents.lexicon.vocabulary import total_kind
from app.service.documents.tables.detection import TableRow, find_tables
from app.service.values.folding import fold
from app.service.values.rounding import adds_up, is_product

_NAME = re.compile(r"[^\W\d]{3,}")
_MOST_COLUMNS = 8
_FEWEST_MEASURED = 2


def join_measured_lines(rows: Sequence[Row]) -> Sequence[Row]:
    """The rows with each measured line behind the name that stands above what it is made up of, and without
    the latter; all rows where fewer than two lines are measured."""
    joined: dict[Row, Row] = {}
    left_out: set[Row] = set()
    for table in find_tables(rows):
        above: list[TableRow] = []
        for row in table.rows:
            if row.anchor and _is_made_up(row, above):
                name = _find_name(above)
                joined[row.row] = _behind(name, row)
                left_out |= {one.row for one in above if one.anchor or one is name}
                above = []
            elif row.anchor and total_kind(fold(row.row.text)):
                above = []
            else:
                above.append(row)
    if len(joined) < _FEWEST_MEASURED:
        return rows
    return [joined.get(row, row) for row in rows if row not in left_out]


def _is_made_up(row: TableRow, above: Sequence[TableRow]) -> bool:
    """Whether a row without a name multiplies, and rows of figures above it, which show no other amount, add
    up to one of its factors."""
    parts = [one for one in above if one.anchor]
    if not parts or any(len(_NAME.findall(cell.text)) > 1 for cell in row.cells.values()):
        return False
    return any(
        all(one.value(amount) in (None, row.value(amount)) for one in parts)
        and any(adds_up(values, factor) for values in _list_columns(parts))
        for amount, factor in _list_factors(row)
    )


def _list_factors(row: TableRow) -> Iterator[tuple[int, Decimal]]:
    """The columns that hold the product of two others of a row, and one of the two factors."""
    shown = [(index, one.value) for index in row.cells if (one := row.figure(index)) and row.is_figure(index)]
    for (_, one), (_, other), (whole, product) in permutations(shown[:_MOST_COLUMNS], 3):
        if product and 1 not in (one, other) and is_product(one, other, Decimal(1), product):
            yield whole, one


def _list_columns(rows: Sequence[TableRow]) -> Iterator[list[Decimal]]:
    """What rows show in each column of figures."""
    for index in {index for row in rows for index in row.cells if row.is_figure(index)}:
        yield [value for row in rows if row.is_figure(index) and (value := row.value(index)) is not None]


def _find_name(above: Sequence[TableRow]) -> TableRow:
    """The words above a measured line that name it: those behind a number, else the first."""
    named = [row for row in above if not row.anchor and _NAME.search(row.row.text)]
    numbered = [row for row in named if len(row.cells) > 1]
    return (numbered[-1:] or named[:1] or above[:1])[0]


def _behind(name: TableRow, row: TableRow) -> Row:
    """A measured line behind its name, in one row."""
    box = row.row.box
    words = (
        replace(word, box=replace(word.box, top=box.top, bottom=box.bottom))
        for index, cell in name.cells.items()
        if index not in row.cells and (index == 0 or not name.is_figure(index))
        for word in cell.words
    )
    return row.row.with_words((*words, *row.row.words))
