"""Rows of figures under no header speak for themselves."""

from decimal import Decimal as D

import pytest

from app.service.documents.extraction import LineItem
from app.service.documents.reading import read_document
from app.service.documents.tables.headerless_lines import (
    read_counted_prices,
    read_multiplying_rows,
    read_price_matrix,
    read_summed_rows,
    read_taxed_rows,
    read_unit_prices,
)
from tests.service.documents.typewriter import type_document


def figures(items: list[LineItem]) -> list[tuple[object, ...]]:
    return [(item.description, item.quantity, item.unit_price, item.amount) for item in items]


def test_rows_that_multiply_are_lines() -> None:
    rows = type_document("Editor seats   10   5.00   50.00\nViewer seats   2   1.50   3.00").rows
    assert figures(read_multiplying_rows(rows)) == [("Editor seats", 10, 5, 50), ("Viewer seats", 2, 1.5, 3)]


def test_one_row_that_multiplies_may_be_chance() -> None:
    rows = type_document("Editor seats   10   5.00   50.00\nViewer seats   2   1.50   4.00").rows
    assert read_multiplying_rows(rows) == []


def test_a_third_factor_is_the_months() -> None:
    rows = type_document(
        "Editor   146   $75.00   12   $131,400.00\nViewer   90   $61.00   12   $65,880.00"
    ).rows
    assert [item.period_months for item in read_multiplying_rows(rows)] == [12, 12]


@pytest.mark.parametrize(
    "page",
    [
        "Desks (64)  100.00  21.00  121.00\nOf this\nChairs  50.00  10.50  60.50\nAll  150.00  31.50  181.50",
        "Stamp duty return   100.00   20.00\nLand fee   50.00   0.00\n   150.00   20.00",
    ],
)
def test_rows_of_a_net_and_its_tax_are_lines_where_their_columns_are_summed(page: str) -> None:
    assert [item.amount for item in read_taxed_rows(type_document(page).rows)] == [100, 50]


@pytest.mark.parametrize(
    "page",
    [
        "VAT 21%   100.00   21.00   121.00\nVAT 9%   100.00   9.00   109.00\n   200.00   30.00   230.00",
        "Desks   100.00   21.00\nChairs   50.00   10.50\nAll   160.00   31.50",
        "Desks   100.00   21.00   120.00\nChairs   50.00   10.50   60.00\nAll   150.00   31.50   180.00",
    ],
    ids=["rates", "another sum", "no tax"],
)
def test_a_table_of_rates_and_what_does_not_add_up_are_no_lines(page: str) -> None:
    assert read_taxed_rows(type_document(page).rows) == []


def test_rows_that_make_up_a_sum_stated_elsewhere_are_lines() -> None:
    rows = type_document("Start of work   50.00\nRoof done        3.00\nThank you").rows
    assert figures(read_summed_rows(rows, {D(53)})) == [
        ("Start of work", 1, 50, 50),
        ("Roof done", 1, 3, 3),
    ]
    assert read_summed_rows(rows, {D(54)}) == []


def test_a_calculation_may_stand_among_rows_that_add_up() -> None:
    text = "Quote\n1. Desks   2 x $25.00 = $50.00\n2. Removal   1 lot   $3.00\nTotal   $53.00\n"
    assert figures(list(read_document(text.encode(), "quote.txt").line_items)) == [
        ("Desks", 2, 25, 50),
        ("Removal", 1, 3, 3),
    ]


def test_rows_above_a_total_that_is_their_sum_are_lines() -> None:
    text = "Design work      50.00\nHosting           3.00\nTotal            53.00"
    assert figures(read_summed_rows(type_document(text).rows)) == [
        ("Design work", 1, 50, 50),
        ("Hosting", 1, 3, 3),
    ]
    assert read_summed_rows(type_document(text.replace("53.00", "54.00")).rows) == []


def test_charges_of_shipments_are_lines_below_what_they_are_for() -> None:
    text = """
        16.04.   4011   Essen, Rapp     4.200   3,2
                        Fracht                        412,00
                        Maut                           68,30
        23.04.   4019   Linz, Huber     7.850   6,0
                        Fracht                        798,00
        Summe netto                                 1.278,30
    """
    assert [item.amount for item in read_summed_rows(type_document(text).rows)] == [412, D("68.3"), 798]


@pytest.mark.parametrize(
    ("text", "prices"),
    [
        ("Wiring, one side – 275 / No.s\nWiring, two sides – 540 / No.s", [275, 540]),
        ("Pump: $1,250.00 / piece\nHose = $18.50/m", [1250, 18.5]),
        ("Wiring, one side – 275 / No.s\nSee page 2 / of the annex", []),
        (
            "Peak rate     11.84 ct/kWh\nOff-peak     9.62 ct/kWh\nStanding   18.50 €/month",
            [0.1184, 0.0962, 18.5],
        ),
        ("Hosting - $20 / month\nBackup - $5 / month", []),
        ("1-9 users – 20 / user\n10-99 users – 15 / user", []),
        ("Date: 18 / 11 / 2023\nValid: 18 / 12 / 2023", []),
    ],
)
def test_rows_of_a_thing_and_the_price_of_its_unit_are_lines(text: str, prices: list[float]) -> None:
    items = read_unit_prices(type_document(text).rows)
    assert [item.unit_price for item in items] == [D(str(price)) for price in prices]
    assert all(item.quantity is None and item.amount is None for item in items)


def test_rows_that_count_years_and_their_fees_are_lines() -> None:
    fees = "- Year 1: $240,000\n- Year 2: $247,200\n- Year 3: $254,616"
    items = read_document(f"Agreement 7\n\nThe fees are:\n{fees}\n".encode(), "agreement.txt").line_items
    assert [(item.amount, item.period_months) for item in items] == [(240000, 12), (247200, 12), (254616, 12)]


_ROOMS = "Kitchen\nWalls   640.00\nCeiling   210.00\nKitchen   {kitchen}\n"
_ROOMS += "Hall\nStairs   830.00\nHall   830.00\n{last}"


@pytest.mark.parametrize(
    ("kitchen", "last", "count"),
    [
        ("850.00", "Total   1,680.00", 3),
        ("850.00", "Total   1,690.00", 0),
        ("860.00", "Total   2,540.00", 4),  # what is not the sum of its part is a line
    ],
)
def test_the_sums_of_sections_are_no_lines(kitchen: str, last: str, count: int) -> None:
    rows = type_document(_ROOMS.format(kitchen=kitchen, last=last)).rows
    assert len(read_summed_rows(rows)) == count


@pytest.mark.parametrize(
    ("between", "is_read"),
    [
        *(("14 March 2025", True), ("20%", True), ("on acceptance", True)),
        *(
            ("12", False),
            ("4,000.00", False),
            ("12.40 per 100", False),
            ("50 boxes", False),
            ("5 days", False),
        ),
    ],
)
def test_days_shares_and_words_may_stand_between_a_text_and_its_amount(between: str, is_read: bool) -> None:
    text = f"Audit   {between}   16,800\nPilot   {between}   25,200\nTotal   42,000"
    assert bool(read_summed_rows(type_document(text).rows)) == is_read


def test_a_total_behind_another_text_is_no_line() -> None:
    text = "Seats   90.00\nHelp   10.00\nThank you   Sub total   100.00\nTax   19.00\nTotal   119.00"
    assert figures(read_summed_rows(type_document(text).rows)) == [("Seats", 1, 90, 90), ("Help", 1, 10, 10)]


@pytest.mark.parametrize("basis", ["per 100", "/100", "per hundred", "per 100 pcs", "/ 100 pcs"])
def test_a_price_for_many_multiplies_with_their_number(basis: str) -> None:
    text = f"M8 bolt   5,000 pcs   12.40 {basis}   620.00\nM8 nut   500 pcs   2.10 {basis}   10.50"
    items = read_multiplying_rows(type_document(text).rows)
    assert figures(items) == [("M8 bolt", 5_000, D("12.4"), 620), ("M8 nut", 500, D("2.1"), D("10.5"))]
    assert [item.price_basis_quantity for item in items] == [100, 100]


def test_a_third_factor_that_is_no_term_is_a_second_count() -> None:
    rows = type_document("Lift   2   $650.00   14   $18,200.00\nFence   40   $1.50   30   $1,800.00").rows
    items = read_multiplying_rows(rows)
    assert [(item.quantity, item.period_months) for item in items] == [(28, None), (1200, None)]


@pytest.mark.parametrize(("total", "count"), [("185.08", 3), ("133.34", 0), ("200.00", 0)])
def test_counts_before_names_multiply_the_prices_where_that_makes_the_sum(total: str, count: int) -> None:
    rows = type_document("2 of: Gloves   $17.49\n1 of: Printer   $109.00\n6 x Wipes   $6.85").rows
    items = read_counted_prices(rows, {D(total)})
    assert len(items) == count
    assert count == 0 or (items[0].quantity, items[0].unit_price, items[0].amount) == (
        2,
        D("17.49"),
        D("34.98"),
    )


def test_a_row_that_sums_up_those_right_above_is_none_of_the_lines() -> None:
    text = """
        Design                    6,200.00
        Works (deposit 50%)       3,400.00
        Fee                       9,600.00
        Fund                        384.00
        Net                       9,984.00
    """
    assert [item.amount for item in read_summed_rows(type_document(text).rows)] == [6200, 3400, 384]


def test_several_prices_of_units_in_a_row_are_a_line_each() -> None:
    rows = type_document("Packer, days   $24.85/hr   OT $37.28/hr\nDriver   $29.40/hr   OT $44.10/hr").rows
    assert [(item.description, item.unit_price) for item in read_unit_prices(rows)] == [
        ("Packer, days", D("24.85")), ("Packer, days OT", D("37.28")),
        ("Driver", D("29.40")), ("Driver OT", D("44.10")),
    ]  # fmt: skip


@pytest.mark.parametrize(("rows", "count"), [(4, 8), (1, 0)])
def test_a_table_of_prices_alone_is_a_line_for_each(rows: int, count: int) -> None:
    body = ["0 - 5 cm   $185.00   $70.00", "5 - 10 cm   $240.00   $95.00", "10 - 15 cm   $310.00   $125.00",
            "More   $85.00   $35.00"]  # fmt: skip
    text = "\n".join(["Snowfall   Roads   Walkways", *body[:rows]])
    items = read_price_matrix(type_document(text).rows)
    assert len(items) == count
    assert not items or (items[1].description, items[1].unit_price) == ("0 - 5 cm (Walkways)", 70)
