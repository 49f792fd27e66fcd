"""What a column called `Price` holds where no column of amounts stands beside it."""

from decimal import Decimal

from app.service.documents.extraction import LineItem, Provenance
from app.service.documents.fields.totals import Totals
from app.service.documents.judge.line_amounts import correct_amounts, find_amounts
from app.service.documents.judge.readings import Reading

SEEN = {"unit_price": Provenance(1, None, 0.9)}
LINES = [
    LineItem(quantity=Decimal(10), unit_price=Decimal(50), provenance=SEEN),
    LineItem(quantity=Decimal(2), unit_price=Decimal(3), provenance=SEEN),
]


def test_prices_that_add_up_without_the_quantities_are_amounts() -> None:
    first, second = correct_amounts(LINES, {Decimal(53)})
    assert (first.unit_price, first.amount) == (5, 50)
    assert (second.unit_price, second.amount) == (Decimal("1.5"), 3)
    assert set(first.provenance) == {"amount"}


def test_prices_that_add_up_with_the_quantities_make_amounts() -> None:
    first, second = correct_amounts(LINES, {Decimal(53), Decimal(506)})
    assert (first.unit_price, first.amount, second.unit_price, second.amount) == (50, 500, 3, 6)
    assert set(first.provenance) == {"unit_price"}
    assert correct_amounts(LINES, {Decimal(99)}) == LINES


def test_lines_with_amounts_stay() -> None:
    lines = [LineItem(quantity=Decimal(1), unit_price=Decimal(53), amount=Decimal(53))]
    assert correct_amounts(lines, {Decimal(53)}) == lines


def test_fewer_lines_with_amounts_are_not_taken_for_more_prices() -> None:
    line = LineItem(quantity=Decimal(40), unit_price=Decimal(5), amount=Decimal(200))
    read = Reading([line], Totals(Decimal(200), None, Decimal(200)))
    assert find_amounts(LINES[:1], read) == [line]
    assert find_amounts(LINES * 2, read) == LINES * 2
