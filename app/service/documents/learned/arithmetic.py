"""Which printed figures are products and sums of others: evidence of their roles that needs no words."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

from app.service.documents.learned.columns import Column
from app.service.documents.learned.printed_figures import PrintedFigure

PERIODS = (12.0, 24.0, 36.0, 48.0, 60.0, 2.0, 3.0, 4.0, 5.0, 6.0, 1 / 12)
"""How often a price is charged where no figure of the line says so."""
_MOST_IN_ROW = 12
_NEAR_ROWS = 3
_MOST_NEAR = 12
_MOST_IN_STACK = 5
_LEAST_OF_STACK = 20
"""The least product that is looked for in a column, where small ones are chance."""
_CENT = 0.011
_LOOK_BACK = 120
_SUM_NEIGHBOURS = 12


@dataclass(slots=True)
class Evidence:
    """What arithmetic says of one figure. Each is 0 where nothing was found."""

    product: int = 0
    """Of the row: 1 by one (`1 x 40 = 40`), 2 with a period or discount, 3 of two figures, 4 of three."""
    factor: int = 0
    factor_left: int = 0
    """1 where the other factor stands to its right, -1 where to its left."""
    near_product: int = 0
    """The same over rows close by."""
    near_factor: int = 0
    near_factor_first: int = 0
    stack_product: int = 0
    """The same of figures right under each other, as on cards and in tables on their side."""
    stack_factor: int = 0
    summands: int = 0
    """How many figures right above in the column add up to it."""
    in_sum: int = 0
    """Whether it is one of figures of a column that add up to the one below."""
    whole: int = 0
    """Whether it is the sum of two other figures close by."""
    larger_part: int = 0
    smaller_part: int = 0
    share: float = 0.0
    """As the smaller part of a sum: its share of the larger."""
    percent_of: int = 0
    """Whether it is a printed percentage of another figure close by."""


def is_about_product(product: float, amount: float, factor: float, decimals: int) -> bool:
    """Whether a product is the amount, granting that the price of this many decimals was rounded."""
    slack = 0.011
    if decimals >= 2:
        slack = min(slack + abs(factor) * 0.5 * 10.0**-decimals, abs(amount) * 0.002 + 0.02)
    return abs(product - amount) <= slack


def find_evidence(figures: Sequence[PrintedFigure], columns: Sequence[Column]) -> list[Evidence]:
    """The evidence for each figure."""
    evidence = [Evidence() for _ in figures]
    rows: dict[int, list[int]] = {}
    for index, one in enumerate(figures):
        rows.setdefault(one.row, []).append(index)
    for members in rows.values():
        _find_products_of_row(figures, evidence, members[:_MOST_IN_ROW])
    _find_products_close_by(figures, evidence, rows)
    for column in {id(one): one for one in columns}.values():
        _find_sums_of_column(figures, evidence, column.members)
        _find_products_of_column(figures, evidence, column.members)
    _find_sums_of_two(figures, evidence)
    return evidence


def _raise(current: int, strength: int) -> int:
    return max(current, strength)


def _find_products_of_row(
    figures: Sequence[PrintedFigure], evidence: list[Evidence], members: Sequence[int]
) -> None:
    money = [index for index in members if not figures[index].figure.percent and figures[index].value]
    percents = [figures[index].value for index in members if figures[index].figure.percent]
    for left, right in combinations(money, 2):
        strength = 0
        for amount in money:
            if amount in (left, right):
                continue
            strength = _strength(figures, left, right, amount, money, percents)
            if strength:
                evidence[amount].product = _raise(evidence[amount].product, strength)
                for factor, side in ((left, 1), (right, -1)):
                    if strength > evidence[factor].factor:
                        evidence[factor].factor, evidence[factor].factor_left = strength, side


def _strength(
    figures: Sequence[PrintedFigure], left: int, right: int, amount: int, others: Sequence[int],
    percents: Sequence[float],
) -> int:  # fmt: skip
    one, two, whole = figures[left], figures[right], figures[amount]
    product, target = one.value * two.value, whole.value
    if abs(target) < 0.005:
        return 0
    larger = one.value if one.figure.decimals < two.figure.decimals else two.value
    decimals = max(one.figure.decimals, two.figure.decimals)
    if is_about_product(product, target, larger, decimals):
        return 1 if abs(one.value) == 1 or abs(two.value) == 1 else 3
    ratio = target / product
    for other in others:
        if other not in (left, right, amount) and abs(ratio - figures[other].value) < 0.0005 * ratio:
            return 4
    if any(abs(ratio - (100 - abs(percent)) / 100) < 0.0002 for percent in percents):
        return 2
    if abs(one.value) != 1 and any(abs(ratio - period) < 0.0004 * period for period in PERIODS):
        return 2
    return 0


def _find_products_close_by(
    figures: Sequence[PrintedFigure], evidence: list[Evidence], rows: dict[int, list[int]]
) -> None:
    """Products whose figures stand in up to four rows that follow each other, as on cards and forms."""
    for row, own in rows.items():
        below = [index for other in range(row + 1, row + 1 + _NEAR_ROWS) for index in rows.get(other, ())]
        members = [
            index
            for index in [*own, *below][:_MOST_NEAR]
            if not figures[index].figure.percent and abs(figures[index].value) > 1
        ]
        values = {index: figures[index].value for index in members}
        for left, right in combinations(members, 2):
            product = values[left] * values[right]
            for amount in members:
                if amount in (left, right) or len({figures[one].row for one in (left, right, amount)}) == 1:
                    continue
                ratio = values[amount] / product
                strength = 0
                if abs(product - values[amount]) <= _CENT:
                    strength = 3
                elif ratio > 1.5 and any(
                    abs(ratio - values[other]) < 0.0005 * ratio
                    for other in members
                    if other not in (left, right, amount)
                ):
                    strength = 4
                if strength and figures[amount].page == figures[left].page:
                    evidence[amount].near_product = _raise(evidence[amount].near_product, strength)
                    for factor, side in ((left, 1), (right, -1)):
                        if strength > evidence[factor].near_factor:
                            evidence[factor].near_factor, evidence[factor].near_factor_first = strength, side


def _find_products_of_column(
    figures: Sequence[PrintedFigure], evidence: list[Evidence], members: Sequence[int]
) -> None:
    """Products of figures that stand under each other within a few rows, at times with a period."""
    usable = [one for one in members if not figures[one].figure.percent and abs(figures[one].value) > 1]
    for start, first in enumerate(usable):
        stack = [
            one
            for one in usable[start + 1 : start + _MOST_IN_STACK]
            if figures[one].row - figures[first].row < _MOST_IN_STACK
            and figures[one].page == figures[first].page
        ]
        for second, amount in permutations(stack, 2):
            product = figures[first].value * figures[second].value
            whole = figures[amount].value
            if abs(whole) < _LEAST_OF_STACK:
                continue
            strength = 3 if abs(product - whole) <= _CENT else 0
            rest = [one for one in stack if one not in (second, amount)]
            if not strength and any(
                abs(product * figures[one].value - whole) <= 0.0005 * abs(whole) for one in rest
            ):
                strength = 4
            if strength:
                evidence[amount].stack_product = _raise(evidence[amount].stack_product, strength)
                for factor in (first, second):
                    evidence[factor].stack_factor = _raise(evidence[factor].stack_factor, strength)


def _find_sums_of_column(
    figures: Sequence[PrintedFigure], evidence: list[Evidence], members: Sequence[int]
) -> None:
    cents = [round(figures[index].value * 100) for index in members]
    for below in range(2, len(members)):
        target, total = cents[below], 0
        if not target:
            continue
        for count, above in enumerate(range(below - 1, max(-1, below - 1 - _LOOK_BACK), -1), 1):
            total += cents[above]
            if count > 1 and abs(total - target) <= 1:
                found = evidence[members[below]]
                found.summands = _raise(found.summands, count)
                for index in members[above:below]:
                    evidence[index].in_sum = _raise(evidence[index].in_sum, count)
                break


def _find_sums_of_two(figures: Sequence[PrintedFigure], evidence: list[Evidence]) -> None:
    """Net, tax and gross: sums of two within figures that follow each other; and percentages."""
    money = [index for index, one in enumerate(figures) if not one.figure.percent and one.value]
    cents = [round(figures[index].value * 100) for index in money]
    for at, index in enumerate(money):
        begin, end = max(0, at - _SUM_NEIGHBOURS), at + _SUM_NEIGHBOURS + 1
        near = {cents[other]: money[other] for other in range(begin, min(end, len(money))) if other != at}
        for value, other in near.items():
            rest = cents[at] - value
            if abs(rest) < 2 or abs(rest) > abs(value):
                continue
            part = next((near[rest + off] for off in (0, 1, -1) if rest + off in near), None)
            if part is None or part == other or value * rest == 0:
                continue
            evidence[index].whole += 1
            evidence[other].larger_part += 1
            evidence[part].smaller_part += 1
            evidence[part].share = rest / value
    _find_percentages(figures, evidence, money)


def _find_percentages(
    figures: Sequence[PrintedFigure], evidence: list[Evidence], money: Sequence[int]
) -> None:
    percents = [index for index, one in enumerate(figures) if one.figure.percent and one.value]
    for percent in percents[:200]:
        share, row = abs(figures[percent].value) / 100, figures[percent].row
        near = [index for index in money if abs(figures[index].row - row) <= 5]
        found = {round(abs(figures[index].value) * share * 100) for index in near}
        for index in near:
            cents = round(abs(figures[index].value) * 100)
            if abs(figures[index].row - row) <= 1 and any(cents + off in found for off in (0, 1, -1)):
                evidence[index].percent_of = 1


def mean(values: Iterable[float]) -> float:
    """The mean; 0 of nothing."""
    listed = list(values)
    return sum(listed) / len(listed) if listed else 0.0
