"""Facts about lines and sums."""

from decimal import Decimal

import pytest

from app.service.documents.extraction import LineItem
from app.service.documents.fields.totals import Totals
from app.service.documents.judge.choice import choose_lines
from app.service.documents.judge.facts import find_lines_of_sums
from app.service.documents.judge.printed_figures import PrintedFigures
from app.service.documents.judge.readings import Reading


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


def test_lines_before_tax_are_taken_where_the_page_shows_each_line_twice() -> None:
    totals = Totals(Decimal(840), Decimal(168), Decimal(1008))
    rules, learned = Reading(_lines(648, 360), totals), Reading(_lines(540, 648, 300, 360))
    taken = choose_lines(PrintedFigures([]), rules, learned, [totals])
    assert [one.amount for one in taken] == [540, 300]
