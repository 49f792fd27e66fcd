"""Lines that a later page repeats or breaks down are read once."""

from decimal import Decimal

import pytest

from app.service.documents.extraction import LineItem, Provenance
from app.service.documents.tables.repeated_lines import without_repeated_lines

Line = tuple[str, int, int]
FIRST = [("Parts", 1, 212), ("Labour", 2, 400)]


def items(lines: list[Line], page: int) -> list[LineItem]:
    place = Provenance(page, None, 0.9)
    return [
        LineItem(
            description=text, quantity=Decimal(count), amount=Decimal(amount), provenance={"amount": place}
        )
        for text, count, amount in lines
    ]


@pytest.mark.parametrize(
    ("second", "sums", "kept"),
    [
        (FIRST, {612}, 2),
        ([("Parts", 1, 260), ("Labour", 2, 490)], {612}, 2),  # the same with tax
        ([("Relay", 5, 42), ("Terminal", 20, 170)], {612}, 2),  # what the parts are
        (FIRST, {612, 1224}, 4),  # a second year, which the total counts
        ([("Relay", 5, 42), ("Terminal", 20, 170), ("Work", 8, 400)], {612}, 2),  # what all are, in turn
        ([("Relay", 5, 42), ("Terminal", 20, 171), ("Work", 8, 399)], {612}, 5),
        ([("Travel", 1, 90)], {612}, 3),
        (FIRST, set(), 4),
    ],
)
def test_the_first_page_counts_where_it_adds_up(second: list[Line], sums: set[int], kept: int) -> None:
    read = [*items(FIRST, 1), *items(second, 2)]
    assert len(without_repeated_lines(read, {Decimal(one) for one in sums})) == kept


@pytest.mark.parametrize(("sums", "kept"), [({612}, 2), ({612, 1224}, 4), (set(), 4)])
def test_a_copy_on_the_same_page_counts_once(sums: set[int], kept: int) -> None:
    assert len(without_repeated_lines(items([*FIRST, *FIRST], 1), {Decimal(one) for one in sums})) == kept
