"""Sums that each belong to some of the lines, and none to all: of alternatives, or of several quotes."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from decimal import Decimal
from typing import TypeAlias

from app.service.documents.extraction import LineItem
from app.service.documents.judge.printed_figures import PrintedFigures
from app.service.documents.judge.readings import HIGHEST_TAX, ROUNDING, sum_lines
from app.service.values.rounding import is_close

_ZERO = Decimal(0)
_MOST_WITH_TAX = 1 + HIGHEST_TAX
_Place: TypeAlias = tuple[int, float]
_END: _Place = (10**9, 0.0)


def find_separate_sums(items: Sequence[LineItem], figures: PrintedFigures) -> list[Decimal]:
    """The sums in the order of their lines; none where the lines have one sum, or a sum is missing."""
    lines: list[tuple[_Place, Decimal]] = []
    for item in items:
        if item.optional or item.included:
            continue
        if item.amount is None or item.position is None:
            return []
        lines.append((item.position, item.amount))
    lines.sort(key=lambda line: line[0])
    printed = sorted(((one.cell.page, one.cell.box.middle), one.value) for one in figures.sums)
    places = [place for place, _ in printed]
    sums: list[Decimal] = []
    taxed: set[bool] = set()
    begun = _ZERO
    for number, (place, amount) in enumerate(lines):
        begun += amount
        end = lines[number + 1][0] if number + 1 < len(lines) else _END
        below = [value for _, value in printed[bisect_right(places, place) : bisect_left(places, end)]]
        if any(is_close(value, begun, ROUNDING) for value in below):
            sums.append(begun)
            taxed.add(any(begun + ROUNDING < value <= begun * _MOST_WITH_TAX for value in below))
            begun = _ZERO
    # Parts are alike: what one has with its tax and another without is a quote with options.
    if begun or len(sums) < 2 or len(taxed) > 1:
        return []
    after = [value for _, value in printed[bisect_right(places, lines[-1][0]) :]]
    return [] if _is_whole_among(after, sums, figures) else sums


def are_sums_of_paces(items: Sequence[LineItem], figures: PrintedFigures) -> bool:
    """Whether what is paid again and what is paid once have a printed sum each, and both together none."""
    again, once = (
        sum_lines([item for item in items if item.recurring is recurs]) for recurs in (True, False)
    )
    if not again or not once or any(item.recurring is None and item.amount for item in items):
        return False

    lines = set(map(figures.order_of_line, items))
    printed = [one.value for at, row in enumerate(figures.rows) if at not in lines for one in row.figures]

    def is_printed(value: Decimal) -> bool:
        return any(is_close(one, value, ROUNDING) for one in printed)

    return is_printed(again) and is_printed(once) and not is_printed(again + once)


def _is_whole_among(values: Sequence[Decimal], sums: Sequence[Decimal], figures: PrintedFigures) -> bool:
    """Whether one of the values is that of all lines, with their tax or less a discount."""
    whole = sum(sums, _ZERO)
    wholes = [whole, *(whole * (1 + rate) for rate in figures.rates)]
    if any(is_close(value, one, ROUNDING) for value in values for one in wholes):
        return True
    # With a discount it is less, but more than any part with its tax.
    least = max(max(sums) * _MOST_WITH_TAX, whole / 2)
    return any(least < value <= whole * _MOST_WITH_TAX for value in values)
