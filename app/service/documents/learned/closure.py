"""Which of the possible lines count: those that are probable, or that together make the printed sum."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import combinations
from math import exp

from app.service.documents.extraction import LineItem
from app.service.documents.learned.lines import Line
from app.service.documents.learned.printed_figures import PrintedFigure
from app.service.documents.learned.roles import RoleScores
from app.service.documents.learned.totals import LearnedTotals, choose_totals

_MOST_DOUBTFUL = 9
_MOST_CHANGES = 3
_DEAREST_CHANGE = 4.0
"""The most that changes may cost, in log odds, to make lines add up."""
_OUTSIDE_A_TOTAL = 2.5
"""What it costs to leave lines that follow each other out of the total, as options are."""
_MOST_LINES = 60


@dataclass(frozen=True)
class ClosedReading:
    """Lines and totals that fit each other as well as they can."""

    items: tuple[LineItem, ...]
    totals: LearnedTotals
    margin: float


@dataclass(frozen=True)
class _Choice:
    """Lines that are read; of these, the ones that no total counts; and what that costs."""

    lines: tuple[Line, ...]
    outside: tuple[Line, ...]
    cost: float

    @property
    def total(self) -> Decimal:
        counted = (one.item.amount for one in self.lines if one not in self.outside)
        return sum((amount for amount in counted if amount is not None), Decimal(0))


def close_lines(figures: Sequence[PrintedFigure], scores: RoleScores, lines: Sequence[Line]) -> ClosedReading:
    """The lines with the totals that they add up to."""
    choices = sorted(_list_choices(lines), key=lambda one: one.cost)
    plain = choices[0]
    taken = frozenset(index for one in plain.lines for index in one.used)
    amounts = any(one.amount is not None for one in plain.lines)
    totals = choose_totals(figures, scores, taken, [plain.total] if amounts else [])
    chosen, closes = plain, amounts and _fits(plain, totals)
    if amounts and not closes:
        for choice in choices[1:]:
            if not _fits(choice, totals):
                continue
            chosen, closes = choice, True
            break
    if chosen is not plain:
        taken = frozenset(index for one in chosen.lines for index in one.used)
        totals = choose_totals(figures, scores, taken, [chosen.total])
    return ClosedReading(
        tuple(
            replace(one.item, optional=True) if one in chosen.outside else one.item for one in chosen.lines
        ),
        totals,
        _margin(chosen, lines, closes=closes),
    )


def _fits(choice: _Choice, totals: LearnedTotals) -> bool:
    """Whether the counted lines make the net, before or after the document's discount."""
    if totals.net is None:
        return False
    targets = {totals.net, totals.net + totals.discount}
    slack = Decimal("0.011") + Decimal("0.005") * len(choice.lines)
    return any(abs(choice.total - target) <= slack for target in targets)


def _margin(choice: _Choice, lines: Sequence[Line], *, closes: bool) -> float:
    """How far these lines are ahead of the next: as the least sure of them, and of those left out."""
    sure = [one.margin for one in choice.lines]
    doubts = [1 - exp(-abs(one.score)) for one in lines]
    if closes:
        doubts = [0.5 + doubt / 2 for doubt in doubts]
    return max(0.0, min([*sure, *doubts], default=0.0))


def _list_choices(lines: Sequence[Line]) -> Iterator[_Choice]:
    """The probable lines, and what else they might be: with doubtful ones changed, or some as options."""
    base = [one for one in lines if one.score > 0]
    yield _Choice(tuple(base), (), 0.0)
    doubtful = sorted(lines, key=lambda one: abs(one.score))[:_MOST_DOUBTFUL]
    for count in range(1, _MOST_CHANGES + 1):
        for changed in combinations(doubtful, count):
            cost = sum(abs(one.score) for one in changed)
            if cost <= _DEAREST_CHANGE:
                kept = tuple(one for one in lines if (one.score > 0) != (one in changed))
                yield _Choice(kept, (), cost)
    if len(base) > _MOST_LINES:
        return
    for begin in range(len(base)):
        for end in range(begin + 1, len(base) + 1):
            if end - begin < len(base):
                outside = tuple(base[begin:end])
                yield _Choice(tuple(base), outside, _OUTSIDE_A_TOTAL + 0.1 * len(outside))
