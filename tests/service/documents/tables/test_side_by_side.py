"""Columns that make a line each."""

from decimal import Decimal

import pytest

from app.service.documents.extraction import LineItem
from app.service.documents.pipeline import read_pages
from app.service.documents.reading import read_document
from app.service.documents.tables.line_items import Line, build_line_item
from app.service.documents.tables.role_assignment import assign_roles
from app.service.documents.tables.side_by_side import split_side_by_side
from app.service.documents.tables.table_lines import read_table_lines
from tests.service.documents.typewriter import type_page, type_table


def split(text: str) -> list[LineItem]:
    table = type_table(text)
    roles, row = assign_roles(table), table.rows[0]
    return split_side_by_side(table, roles, row, build_line_item(table, roles, Line(row), None))


def test_years_that_add_up_to_the_amount_are_a_line_each() -> None:
    lines = split("""
        Description         Year 1      Year 2       Total
        Editor seats        100.00      110.00      210.00
        Viewer seats         50.00       55.00      105.00
    """)
    assert [(line.amount, line.period_months) for line in lines] == [(100, 12), (110, 12)]


def test_tiers_are_a_price_each() -> None:
    lines = split("""
        Product             1-9      10-99      100+
        Editor seats       5.00       4.50      4.00
        Viewer seats       1.50       1.20      1.00
    """)
    assert [line.unit_price for line in lines] == [5, Decimal("4.5"), 4]
    assert all(line.amount is None for line in lines)


@pytest.mark.parametrize(
    "headers",
    [
        ("Day rate", "Week rate", "4-week rate"),
        ("Tagesmiete", "Wochenmiete", "Monatsmiete"),
        ("Prix jour", "Prix semaine", "Prix mois"),
    ],
)
def test_the_prices_of_a_hire_are_called_by_their_time(headers: tuple[str, str, str]) -> None:
    one, other, third = headers
    lines = split(f"""
        Product            {one:<20}{other:<20}{third}
        Light tower        95.00               320.00              980.00
        Excavator          420.00              1,680.00            5,400.00
    """)
    assert [line.description for line in lines] == [f"Light tower ({header})" for header in headers]
    assert [line.unit_price for line in lines] == [95, 320, 980]


def test_an_ordinary_line_stays_one() -> None:
    text = "Description       Qty    Price    Amount\nEditor seats       10     5.00     50.00"
    assert [line.amount for line in split(text)] == [50]


@pytest.mark.parametrize(
    ("once", "each_month"), [("One-time", "Monthly"), ("NRC", "MRC"), ("einmalig", "monatlich")]
)
def test_what_is_paid_once_and_again_in_two_columns_is_two_lines(once: str, each_month: str) -> None:
    table = type_table(f"""
    Service                  Qty      {once:>10}   {each_month:>10}
    Fiber 1 Gbps               1         500.00       795.00
    Voice seats               24          25.00        18.50
    Phone book                 1           0.00        44.00
    """)  # fmt: skip
    lines = [(one.quantity, one.unit_price, one.amount, one.recurring) for one in read_table_lines([table])]
    assert lines == [
        (1, 795, 795, True),
        (1, 500, 500, False),
        (24, Decimal("18.5"), 444, True),
        (24, 25, 600, False),
        (1, 44, 44, True),
    ]


def test_a_line_that_is_only_paid_once_is_one_line() -> None:
    table = type_table("""
    Product             Qty   Monthly price   Monthly total   One-time fee
    Workspace            40          12.00          480.00         300.00
    Archive              40           3.00          120.00
    Onboarding            1                                      1,500.00
    """)
    lines = [(one.quantity, one.amount, one.recurring) for one in read_table_lines([table])]
    assert lines == [(40, 480, True), (1, 300, False), (40, 120, True), (1, 1500, False)]


@pytest.mark.parametrize(
    ("once", "each_month"), [("One-time", "Monthly"), ("Una tantum", "Canone mensile"), ("Set-up", "Monthly")]
)
def test_without_a_column_of_quantities_each_of_the_two_columns_is_paid(once: str, each_month: str) -> None:
    table = type_table(f"""
    Service                  {once:>12}   {each_month:>16}
    Cloud telephony                350.00              90.00
    Fiber 1 Gbps                        -              65.00
    Handsets of the desk           510.00                  -
    """)
    assert [(one.amount, one.recurring) for one in read_table_lines([table])] == [
        (90, True), (350, False), (65, True), (510, False)
    ]  # fmt: skip


def test_the_price_of_a_month_multiplies_to_what_is_paid_each_month_and_not_once() -> None:
    table = type_table("""
    Service              Qty   Unit / month     Set-up    Monthly
    Managed desktop       30          32.00          -     960.00
    Firewall               1          85.00     450.00      85.00
    """)
    lines = [(one.quantity, one.unit_price, one.amount) for one in read_table_lines([table])]
    assert lines == [(30, 32, 960), (1, 85, 85), (1, 450, 450)]


def test_prices_over_a_sum_each_are_offers_of_which_one_is_chosen() -> None:
    page = """
        Quotation
        Type of AC     Qty     Basic care (Rs./unit)     Full care (Rs./unit)
        Split          32      1,800                     3,900
        Cassette       10      3,200                     6,800
        Total per year         {}                        1,92,800
    """
    read = read_pages([type_page(page.format("89,600"))], "quote.pdf")
    amounts = [(item.unit_price, item.amount, item.optional) for item in read.line_items]
    assert amounts == [(1800, 57600, True), (3900, 124800, True), (3200, 32000, True), (6800, 68000, True)]
    assert read.total is None
    other = read_pages([type_page(page.format("89,000"))], "quote.pdf")
    assert not any(item.optional for item in other.line_items)


def test_two_rates_of_a_place_are_a_line_each() -> None:
    table = (
        b"No.,Description,Lorry 16 t (EUR/t),Lorry 25 t (EUR/t)\n1,Lille,80.00,65.00\n2,Metz,62.00,47.50\n"
    )
    lines = read_document(b"Rates,Acme Ltd\n\n" + table, "rates.csv").line_items
    assert [line.unit_price for line in lines] == [80, 65, 62, Decimal("47.5")]
