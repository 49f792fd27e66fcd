"""Facts about lines and sums."""

from decimal import Decimal

import pytest

from app.service.documents.extraction import LineItem
from app.service.documents.judge.facts import find_lines_of_sums


def _lines(*amounts: int) -> list[LineItem]:
    return [LineItem(amount=Decimal(one)) for one in amounts]


@pytest.mark.parametrize(
    ("amounts", "numbers"),
    [
        ((51, 170, 245, 466), {0, 1, 2, 3}),  # a row of totals is taken for a line
        ((2125, 4000, 425, 700, 1000), {0, 2, 3, 4}),  # the parts of the first line follow
        ((10, 10), set[int]()),
        ((10, 20, 40, 80), set[int]()),
    ],
)
def test_a_line_that_is_the_sum_of_others_is_found(amounts: tuple[int, ...], numbers: set[int]) -> None:
    assert find_lines_of_sums(_lines(*amounts)) == numbers
