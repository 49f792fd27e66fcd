"""Tables of taxes and sums are no lines, and what a later page repeats or breaks down is read once."""

from dataclasses import replace
from decimal import Decimal

import pytest

from app.service.documents.extraction import LineItem, Provenance
from app.service.documents.pipeline import read_pages
from app.service.documents.tables.surplus_lines import (
    without_repeated_lines,
    without_sum_row,
    without_sums_of,
    without_tax_rows,
)
from tests.service.documents.typewriter import type_page


def line(quantity: str, price: str, amount: str) -> LineItem:
    return LineItem(quantity=Decimal(quantity), unit_price=Decimal(price), amount=Decimal(amount))


GOODS = [line("10", "80.00", "800.00"), line("2", "150.00", "300.00")]


def test_rates_of_what_the_lines_add_up_to_are_no_lines() -> None:
    assert without_tax_rows([*GOODS, line("5", "1100.00", "55.00"), line("2", "1100.00", "22.00")]) == GOODS
    assert without_tax_rows([*GOODS, line("800.00", "20", "160.00"), line("300.00", "10", "30.00")]) == GOODS


@pytest.mark.parametrize(
    ("name", "amount", "is_tax"),
    [
        ("Insurance Premium Tax 12%", "96.00", True),
        ("Insurance Premium Tax 12%", "132.00", True),
        ("Insurance Premium Tax 12%", "36.00", False),
        ("Insurance Premium Tax", "96.00", False),
        ("Tax return, 12% off", "500.00", False),
    ],
)
def test_a_line_named_as_a_tax_is_none_where_its_rate_makes_it(
    name: str, amount: str, *, is_tax: bool
) -> None:
    """Of the first line, or of both."""
    items = [*GOODS, LineItem(description=name, quantity=Decimal(1), amount=Decimal(amount))]
    assert without_tax_rows(items) == (GOODS if is_tax else items)
    assert without_tax_rows([items[0], items[2], items[1]]) == [items[0], items[2], items[1]], "of a stay"


def test_a_price_for_a_hundred_stays_a_line() -> None:
    per_hundred = line("500", "12.00", "60.00")
    assert without_tax_rows([*GOODS, per_hundred]) == [*GOODS, per_hundred]
    assert without_tax_rows([per_hundred]) == [per_hundred]


def test_a_table_of_taxes_below_the_lines_is_left_out() -> None:
    page = type_page(
        """
        Description        Qty    Price     Amount

        Consulting          10    80.00     800.00
        Support              2   150.00     300.00

        Total                             1,177.00

        Tax                  %    Of        Is
        State                5    1,100.00   55.00
        City                 2    1,100.00   22.00
        """
    )
    assert [item.description for item in read_pages([page], "bill.pdf").line_items] == [
        "Consulting",
        "Support",
    ]


def test_a_row_that_adds_up_quantities_and_amounts_is_no_line() -> None:
    whole = LineItem(quantity=Decimal(12), unit_price=Decimal("91.67"), amount=Decimal(1100))
    assert without_sum_row([*GOODS, whole], {Decimal(1100)}) == GOODS
    assert without_sum_row([*GOODS, whole], {Decimal(2200)}) == [*GOODS, whole], "a third year of more seats"
    for other in (line("1", "1100.00", "1100.00"), line("12", "90.00", "1080.00")):
        assert without_sum_row([*GOODS, other], ()) == [*GOODS, other]
    ramp = [line("10", "12.00", "120.00"), line("20", "12.00", "240.00"), line("30", "12.00", "360.00")]
    assert without_sum_row(ramp, ()) == ramp
    assert without_sum_row([], ()) == []


def test_the_sum_of_several_lines_that_the_other_reader_lacks_is_no_line() -> None:
    goods = [*GOODS, line("1", "50.00", "50.00")]
    assert without_sums_of(goods, [*goods, line("1", "1150.00", "1150.00")], ()) == goods
    other = line("3", "383.33", "1150.00")
    assert without_sums_of(goods, [*goods, other], ()) == [*goods, other]
    prices = sum(item.unit_price for item in goods if item.unit_price)
    assert without_sums_of(goods, [*goods, line("12", str(prices), "1150.00")], ()) == goods


def test_a_line_of_the_other_reader_that_is_named_as_a_printed_sum_is_none() -> None:
    def named(text: str) -> LineItem:
        return LineItem(description=text, amount=Decimal(1100))

    sums = (Decimal(1100), None)
    assert without_sums_of(GOODS, [named("Veroton yhteensä")], sums) == []
    assert without_sums_of(GOODS, [named("Roof repair")], sums) == [named("Roof repair")]
    assert without_sums_of((), [named("Subtotal")], sums) == [named("Subtotal")], "there is no other line"
    assert without_sums_of(GOODS, [named("Subtotal")], (Decimal(1300),)) == [named("Subtotal")]


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


def test_a_page_that_sums_up_counts_though_its_lines_were_taken_for_options() -> None:
    summary = [replace(item, optional=True) for item in items(FIRST, 1)]
    details = items([("Relay", 5, 42), ("Terminal", 20, 170), ("Work", 8, 400)], 2)
    assert without_repeated_lines([*summary, *details], {Decimal(612)}) == summary
