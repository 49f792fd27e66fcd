"""One line of the learned reader: which figures around an amount are its quantity, price and discount."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import exp

from app.service.documents.learned.arithmetic import PERIODS, is_about_product
from app.service.documents.learned.features import FigureFeatures
from app.service.documents.learned.printed_figures import PrintedFigure
from app.service.documents.learned.roles import FigureRole, RoleScores

PARTS: tuple[FigureRole, ...] = ("quantity", "unit_price", "list_price", "period", "discount")
_MOST_CANDIDATES = (5, 5, 2, 2, 2)
_LEAST_PROBABILITY = 0.04
_DOUBTFUL = -2.0
"""The least score, in log odds, of a figure that multiplies."""
_STRONG = 3
"""Of the evidence of a product: of more than one by one."""
_PER_ROW = 0.45
"""What a part loses for each row between it and the amount."""

# What arithmetic adds to the sum of the scores of the roles.
_MULTIPLIES = 4.0
_PER_DIGIT = 0.9
"""For each digit of the amount after the first, up to five, without zeros at the end: chance makes few."""
_MULTIPLIES_BY_ONE = 1.0
_MULTIPLIES_WITH_UNPRINTED_PERIOD = 1.5
_DOES_NOT_MULTIPLY = -2.5
_NOTHING = 1e-6
_CENTS = 2
_EXCHANGED = -4.0
"""For a quantity with cents whose price has none: it is rather the price."""
_UNUSED = -1.0
"""For a period or a discount that multiplication does not need."""


@dataclass(frozen=True)
class LineParts:
    """A way to read a line. Indices of figures by part; `factor` is how often the price is charged."""

    amount: int | None
    parts: tuple[int | None, ...]
    score: float
    multiplies: bool
    factor: float = 1.0

    def part(self, role: FigureRole) -> int | None:
        return self.parts[PARTS.index(role)]


def choose_parts(
    features: FigureFeatures, scores: RoleScores, amount: int, around: Sequence[int]
) -> tuple[LineParts, float]:
    """The best way to read the line of an amount with the figures around it, and how far it is ahead of the
    next with another quantity or price, from 0 to 1."""
    figures = features.figures
    row = figures[amount].row
    choices: list[list[int | None]] = []
    for role, most in zip(PARTS, _MOST_CANDIDATES, strict=True):
        likely = [
            index for index in around if index != amount and _may_be(features, scores, index, role, row)
        ]
        chances = {index: _part_score(features, scores, index, role, row) for index in likely}
        likely.sort(key=chances.__getitem__, reverse=True)
        choices.append([None, *likely[:most]])
    ways = [
        _judge(features, scores, amount, parts)
        for parts in product(*choices)
        if len({one for one in parts if one is not None}) == sum(one is not None for one in parts)
    ]
    best = max(ways, key=lambda way: way.score)
    return best, _margin(figures, best, ways)


def _may_be(features: FigureFeatures, scores: RoleScores, index: int, role: FigureRole, row: int) -> bool:
    one = features.figures[index]
    if role == "discount" and one.row != row and not one.figure.percent:
        return False  # which is taken off once the lines are known
    if scores.probability(index, role) >= _LEAST_PROBABILITY:
        return True
    return _multiplies(features, index, role, row)


def _margin(figures: Sequence[PrintedFigure], best: LineParts, ways: Sequence[LineParts]) -> float:
    def values(way: LineParts) -> tuple[float | None, ...]:
        return tuple(None if one is None else figures[one].value for one in way.parts[:2])

    wanted = values(best)
    rival = max((way.score for way in ways if values(way) != wanted), default=None)
    return 1.0 if rival is None else 1.0 - exp(rival - best.score)


def _part_score(
    features: FigureFeatures, scores: RoleScores, index: int, role: FigureRole, row: int
) -> float:
    score = scores.score(index, role)
    if score < _DOUBTFUL and _multiplies(features, index, role, row):
        score = _DOUBTFUL + 0.1 * score
    return score - _PER_ROW * abs(features.figures[index].row - row)


def _multiplies(features: FigureFeatures, index: int, role: FigureRole, row: int) -> bool:
    """Whether a figure makes a printed product with another, so that it may be a quantity or price although
    the model has not seen the like; a percentage of the row may be a discount."""
    if role == "discount":
        return features.figures[index].figure.percent and features.figures[index].row == row
    found = features.evidence[index]
    return (
        role in ("quantity", "unit_price")
        and max(found.factor, found.near_factor, found.stack_factor) >= _STRONG
    )


def _judge(
    features: FigureFeatures, scores: RoleScores, amount: int, parts: tuple[int | None, ...]
) -> LineParts:
    figures = features.figures
    row = figures[amount].row
    score = sum(
        _part_score(features, scores, index, role, row)
        for role, index in zip(PARTS, parts, strict=True)
        if index is not None
    )
    quantity, price, listed, period, discount = (None if one is None else figures[one] for one in parts)
    if quantity is None or (price is None and listed is None):
        unused = (period is not None) + (discount is not None)
        alone = price is not None and abs(price.value - figures[amount].value) < 0.006
        return LineParts(amount, parts, score + _UNUSED * unused + alone, alone)
    for factor, used, bonus in _factors(price, listed, period, discount, quantity):
        stated = price or listed
        if abs(quantity.value) != 1 and abs(abs(quantity.value * factor) - 1) < _NOTHING:
            continue  # any figure is itself, twelve times a twelfth
        if stated and is_about_product(
            quantity.value * stated.value * factor, figures[amount].value, quantity.value * factor,
            stated.figure.decimals,
        ):  # fmt: skip
            trivial = abs(quantity.value) == 1 and factor == 1
            unused = (period is not None and "period" not in used) + (
                discount is not None and price is None and "discount" not in used
            )
            digits = len(str(round(abs(figures[amount].value) * 100)).rstrip("0"))
            gain = _MULTIPLIES_BY_ONE if trivial else bonus + _PER_DIGIT * min(4, max(0, digits - 1))
            gain += _UNUSED * unused
            if quantity.figure.decimals == _CENTS != stated.figure.decimals and stated.value == int(
                stated.value
            ):
                gain += _EXCHANGED
            charged = factor if "discount" not in used else 1.0
            return LineParts(amount, parts, score + gain, True, charged)
    return LineParts(amount, parts, score + _DOES_NOT_MULTIPLY, False)


def _factors(
    price: PrintedFigure | None, listed: PrintedFigure | None, period: PrintedFigure | None,
    discount: PrintedFigure | None, quantity: PrintedFigure,
) -> Iterator[tuple[float, tuple[str, ...], float]]:  # fmt: skip
    """What quantity x price may be multiplied with, what of the line that uses, and what it is worth."""
    less = 1.0
    if discount is not None and 0 < abs(discount.value) < 100:
        less = 1 - abs(discount.value) / 100
    if period is not None and period.value:
        for times in (period.value, period.value * 12, period.value / 12):
            yield times, ("period",), _MULTIPLIES
            if less != 1:
                yield times * less, ("period", "discount"), _MULTIPLIES
    if less != 1:
        yield less, ("discount",), _MULTIPLIES
    if discount is not None and not discount.figure.percent and (stated := price or listed):
        whole = quantity.value * stated.value
        if whole and abs(discount.value) < abs(whole):
            yield 1 - abs(discount.value) / abs(whole), ("discount",), _MULTIPLIES
    yield 1.0, (), _MULTIPLIES
    for times in PERIODS:
        yield times, (), _MULTIPLIES_WITH_UNPRINTED_PERIOD
