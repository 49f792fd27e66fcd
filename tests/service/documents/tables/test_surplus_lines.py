"""Tables of taxes and sums are no lines, and what a later page repeats or breaks down is read once."""

from dataclasses import replace
from decimal import Decimal

import pytest

from app.service.documents.extraction import Box, LineItem, Provenance
from app.service.documents.fields.totals import find_sums
from app.service.documents.tables.surplus_lines import (
    without_closing_sums,
    without_limits,
    without_repeated_lines,
    without_second_amounts,
    without_sum_row,
    without_sums_of,
)
from tests.service.documents.typewriter import type_document


def line(quantity: str, price: str, amount: str) -> LineItem:
    return LineItem(quantity=Decimal(quantity), unit_price=Decimal(price), amount=Decimal(amount))


def place(x0: float, top: float = 50) -> Provenance:
    return Provenance(1, Box(x0, top, x0 + 30, top + 10), 1.0)


GOODS = [line("10", "80.00", "800.00"), line("2", "150.00", "300.00")]


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


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("The Supplier's total liability in any year shall not exceed", 0),
        ("The total liability of the Supplier shall not exceed £50,000 in a year", 0),
        ("The cost of travel is limited to a maximum of", 0),
        ("Limit switch, max. 10 A", 1),
        ("A CONTRATANTE pagará honorários mensais de R$ 500,00, até o dia 10", 1),
        ("The yearly fee for the hosting of the shop is", 1),
    ],
)
def test_a_sentence_about_the_most_that_something_costs_is_no_line(name: str, kept: int) -> None:
    assert len(without_limits([LineItem(description=name, amount=Decimal(500))])) == kept


def test_net_and_tax_that_make_the_total_are_no_lines() -> None:
    document = type_document("Towel    90.00\nNet     100.00\nVAT      20.00\nTotal   120.00")
    sums = find_sums(document.rows, document.sentences)
    items = [
        replace(line("1", str(cell.figures[0].value), str(cell.figures[0].value)),
                provenance={"amount": cell.locate(1.0)})
        for row in document.rows for cell in row.cells()[1:]
    ]  # fmt: skip
    assert without_closing_sums(items, sums) == items[:1]
    open_sums = [one for one in sums if one.kind != "tax"]
    assert without_closing_sums(items, open_sums) == items, "what does not add up may be a line"
    of_rate = find_sums(document.rows[:3], ())
    assert without_closing_sums(items[:3], of_rate) == items[:1], "a tax of so many per cent of the net"


def test_of_two_amounts_of_one_quantity_and_price_that_which_multiplies_is_the_line() -> None:
    factors = {"quantity": place(100), "unit_price": place(200)}
    own = replace(line("4", "50.00", "200.00"), provenance={**factors, "amount": place(300)})
    tax = replace(own, amount=Decimal(40), provenance={**factors, "amount": place(400)})
    elsewhere = replace(tax, provenance={name: place(100, 70) for name in factors})
    assert without_second_amounts([own, tax, elsewhere], {Decimal(240)}) == [own, elsewhere]
    assert without_second_amounts([own, tax, elsewhere], {Decimal(280)}) == [own, tax, elsewhere]
    assert without_second_amounts([tax], {Decimal(0)}) == [tax]
