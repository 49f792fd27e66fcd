"""Discounts printed in a row of their own below the line that they are taken off."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from app.service.documents.learned.features import FigureFeatures
from app.service.documents.learned.lines import Line, price_of
from app.service.documents.learned.role_scores import RoleScores

_ROWS_BELOW = 2


def deduct_discounts(features: FigureFeatures, scores: RoleScores, lines: Sequence[Line]) -> list[Line]:
    """The lines, each net of the discounts below it; what is computed has no place on the page."""
    used = {index for line in lines for index in line.used if line.score > 0}
    rows = {line.row for line in lines if line.score > 0}
    found: list[Line] = []
    for line in lines:
        discounts = _find_discounts(features, scores, line, rows) if line.score > 0 else []
        free = [index for index in discounts if index not in used]
        found.append(_deduct(features, line, free) if free else line)
    return found


def _find_discounts(features: FigureFeatures, scores: RoleScores, line: Line, rows: set[int]) -> list[int]:
    """The reductions under the amount of a line, above the next."""
    if line.amount is None:
        return []
    found: list[int] = []
    for row in range(line.row + 1, line.row + 1 + _ROWS_BELOW):
        mates = features.rows.get(row, ())
        if row in rows or any(_is_sum(scores, index) for index in mates):
            break
        found.extend(
            index
            for index in mates
            if line.amount in features.columns[index].members
            and features.figures[index].value < 0
            and scores.probability(index, "discount") > 0.5
            and _is_of_line(features, line, index, last=row > max(rows))
        )
    return found


def _is_sum(scores: RoleScores, index: int) -> bool:
    return scores.probability(index, "subtotal") + scores.probability(index, "total") > 0.5


def _is_of_line(features: FigureFeatures, line: Line, index: int, *, last: bool) -> bool:
    """Whether a reduction is the printed percentage of the line; below the last line it may be of all."""
    percents = [
        abs(features.figures[one].value) / 100
        for one in features.rows[features.figures[index].row]
        if features.figures[one].figure.percent
    ]
    if not percents or line.amount is None:
        return not last
    amount, reduction = features.figures[line.amount].value, abs(features.figures[index].value)
    return any(abs(amount * percent - reduction) < 0.02 for percent in percents)


def _deduct(features: FigureFeatures, line: Line, discounts: Sequence[int]) -> Line:
    item, figures = line.item, features.figures
    reduction = sum((figures[index].figure.value for index in discounts), Decimal(0))
    if item.amount is None or not item.quantity or -reduction >= item.amount:
        return line
    amount = item.amount + reduction
    percents = [
        abs(figures[one].figure.value)
        for index in discounts
        for one in features.rows[figures[index].row]
        if figures[one].figure.percent
    ]
    printed = {name: place for name, place in item.provenance.items() if name not in ("amount", "unit_price")}
    if place := item.provenance.get("unit_price"):
        printed["list_unit_price"] = place
    periods = item.amount / (item.quantity * item.unit_price) if item.unit_price else Decimal(1)
    reduced = replace(
        item,
        amount=amount,
        list_unit_price=item.unit_price,
        unit_price=price_of(amount / periods, item.quantity),
        discount_percent=percents[0] if len(percents) == 1 else None,
        provenance=printed,
    )
    return replace(line, item=reduced, used=line.used.union(discounts))
