"""How a column writes numbers and dates: shown by its cells, never guessed."""

import pytest

from app.service.values.dates import DayOrder, read_date
from app.service.values.notation import DateNotation, NumberNotation
from app.service.values.numbers import DecimalMark, describe_readings, read_number


def take_numbers(texts: list[str]) -> NumberNotation:
    notation = NumberNotation()
    for text in texts:
        notation.take(read_number(text))
    return notation


@pytest.mark.parametrize(
    ("texts", "mark"),
    [
        (["1.500", "12,50"], ","),
        (["1.500", "12.50"], "."),
        (["1,000", "0,250"], ","),
        (["1,000", "2,500"], None),
        (["1.000", "12,50", "12.50"], None),
        (["12", "1 000"], None),
        ([], None),
    ],
)
def test_a_column_has_the_notation_that_its_numbers_show(texts: list[str], mark: DecimalMark | None) -> None:
    assert take_numbers(texts).decided == mark


def test_what_nothing_decides_comes_with_an_example_and_a_contradiction_with_both() -> None:
    undecided = take_numbers(["7", "1.500", "2.500"])
    assert undecided.ambiguous is not None
    assert describe_readings(undecided.ambiguous) == "'1.500' is 1500 or 1.5"
    assert take_numbers(["1,5", "1.5"]).shown == {",": "1,5", ".": "1.5"}


@pytest.mark.parametrize(
    ("texts", "order"),
    [
        (["03/05/2024", "25/05/2024"], "day first"),
        (["03/05/2024", "05/25/2024"], "month first"),
        (["03/05/2024"], None),
        (["25.05.2024", "2024-05-25"], None),
        (["25/05/2024", "05/25/2024"], None),
        (["Tue 05/03/2024"], "day first"),
    ],
)
def test_a_date_that_one_order_alone_allows_shows_it(texts: list[str], order: DayOrder | None) -> None:
    notation = DateNotation()
    for text in texts:
        notation.take(read_date(text))
    assert notation.decided == order
