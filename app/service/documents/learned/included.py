"""Lines whose amount is a word or a dash: parts of a bundle, included in the price of another line."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from app.service.documents.extraction import LineItem
from app.service.documents.layout.rows import Cell, Row
from app.service.documents.learned.features import FigureFeatures
from app.service.documents.learned.lines import Line, locate
from app.service.documents.learned.roles import RoleScores

_ROWS_AFTER = 2
"""How far below the last line an included one may stand."""
_MOST_WORDS = 3
_LEAST_PROBABILITY = 0.3
"""Of the quantity that such a line must show where it does not stand under the others; headings have none."""


def add_included(
    rows: Sequence[Row], features: FigureFeatures, scores: RoleScores, lines: Sequence[Line]
) -> list[Line]:
    """The lines with the included ones that stand between and right below them."""
    priced = [line for line in lines if line.score > 0 and line.amount is not None]
    if not priced:
        return list(lines)
    found = [
        line
        for number in _rows_between(rows, priced)
        if (line := _read_row(rows, number, features, scores, priced)) is not None
    ]
    return sorted([*lines, *found], key=lambda line: line.row)


def _rows_between(rows: Sequence[Row], priced: Sequence[Line]) -> Iterator[int]:
    first, last = priced[0].row, priced[-1].row
    taken = {line.row for line in priced}
    for number in range(first + 1, min(last + _ROWS_AFTER + 1, len(rows))):
        if number not in taken:
            yield number


def _read_row(
    rows: Sequence[Row], number: int, features: FigureFeatures, scores: RoleScores, priced: Sequence[Line]
) -> Line | None:
    """The included line of a row: a quantity, a word or a dash under the amounts, words to their left."""
    row = rows[number]
    cells = row.cells()
    amounts = [features.figures[line.amount].box for line in priced if line.amount is not None]
    left, right = min(box.x0 for box in amounts), max(box.x1 for box in amounts)
    last = cells[-1]
    if len(cells) < 2 or last.box.x1 <= left or last.box.x0 >= right or not _is_word_or_dash(last):
        return None
    described = [cell.text for cell in cells[:-1] if not cell.is_figure and _letters(cell.text) >= 3]
    if not described:
        return None
    quantities = {
        index for line in priced for index in line.used if scores.probability(index, "quantity") > 0.5
    }
    quantity = next(
        (
            index
            for index in features.rows.get(number, ())
            if quantities.intersection(features.columns[index].members)
            or scores.probability(index, "quantity") >= _LEAST_PROBABILITY
        ),
        None,
    )
    if quantity is None:
        return None
    return _line(described, number, quantity, features, scores)


def _line(
    described: Sequence[str], number: int, quantity: int, features: FigureFeatures, scores: RoleScores
) -> Line:
    figures = features.figures
    item = LineItem(
        description=max(described, key=_letters),
        quantity=figures[quantity].figure.value,
        unit_price=Decimal(0),
        amount=Decimal(0),
        included=True,
        provenance={"quantity": locate(figures[quantity], scores.probability(quantity, "quantity"))},
    )
    probability = scores.probability(quantity, "quantity")
    return Line(
        item, None, frozenset((quantity,)), max(0.1, scores.score(quantity, "quantity")), probability, number
    )


def _is_word_or_dash(cell: Cell) -> bool:
    return not cell.figures and len(cell.words) <= _MOST_WORDS and not any(map(str.isdigit, cell.text))


def _letters(text: str) -> int:
    return sum(map(str.isalpha, text))
