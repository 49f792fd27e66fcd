"""One line of a table becomes a `LineItem`, checked by multiplication."""

from decimal import Decimal

import pytest

from app.service.documents.extraction import LineItem
from app.service.documents.tables.line_items import (
    Line,
    build_line_item,
    find_description_column,
    is_included,
    read_discount_below,
)
from app.service.documents.tables.role_assignment import assign_roles
from tests.service.documents.typewriter import type_table

HEADER = "Description          Item no.    Qty    Unit    Price     Amount\n"


def first_item(text: str, term_months: int | None = None) -> LineItem:
    table = type_table(text)
    return build_line_item(table, assign_roles(table), Line(table.rows[0]), term_months)


def test_a_line_has_the_values_of_its_columns() -> None:
    item = first_item(HEADER + "Editor seats         ED-1         10    user     5.00      50.00")
    assert (item.description, item.item_id, item.unit) == ("Editor seats", "ED-1", "user")
    assert (item.quantity, item.unit_price, item.amount) == (10, 5, 50)
    assert item.provenance["amount"].verified
    assert item.provenance["amount"].page == 1


def test_a_line_that_does_not_multiply_is_kept_as_printed_and_not_verified() -> None:
    item = first_item(HEADER + "Editor seats         ED-1         10    user     5.00      60.00")
    assert (item.quantity, item.unit_price, item.amount) == (10, 5, 60)
    assert not item.provenance["amount"].verified


def test_a_price_after_a_discount_is_exact_where_its_cents_do_not_multiply() -> None:
    item = first_item("""
        Description       Qty    List price    Discount     Amount
        Bolt M12x80       400          1.35         10%     486.00
    """)
    assert (item.list_unit_price, item.unit_price) == (Decimal("1.35"), Decimal("1.215"))


def test_a_discount_gives_the_net_price() -> None:
    text = """
        Description       Qty    List price    Discount     Amount
        Editor seats       10        $20.00         25%    $150.00
        Viewer seats        4        $10.00         50%     $20.00
    """
    item = first_item(text)
    assert (item.list_unit_price, item.discount_percent, item.unit_price) == (20, 25, 15)


def test_a_discount_below_one_is_a_fraction() -> None:
    text = """
        Description       Qty    List price    Discount
        Editor seats       10        $20.00        0.25
        Viewer seats        4        $10.00        0.50
    """
    item = first_item(text)
    assert (item.list_unit_price, item.discount_percent, item.unit_price) == (20, 25, 15)


def test_a_monthly_price_is_charged_for_the_term_of_the_document() -> None:
    text = """
        Description       Qty    Price per month      Amount
        Editor seats       10              $5.00     $600.00
        Viewer seats        2              $1.50      $36.00
    """
    item = first_item(text, term_months=12)
    assert (item.unit_price, item.period_months) == (5, 12)
    assert item.provenance["amount"].verified


def test_a_price_for_a_hundred_keeps_its_basis() -> None:
    text = """
        Description       Qty    Price    per     Amount
        Screw M4         2000     2.50    100      50.00
        Screw M6         1000     3.00    100      30.00
    """
    item = first_item(text)
    assert (item.quantity, item.unit_price, item.price_basis_quantity, item.amount) == (
        2000,
        Decimal("2.5"),
        100,
        50,
    )


def test_words_in_place_of_an_amount_say_that_the_line_is_part_of_another() -> None:
    table = type_table(HEADER + "Editor seats         ED-1         10    user     5.00      50.00\n"
                       "Onboarding           ON-1          1    once              included")  # fmt: skip
    roles = assign_roles(table)
    assert [is_included(row, roles) for row in table.rows] == [False, True]
    item = build_line_item(table, roles, Line(table.rows[1]), None)
    assert (item.included, item.amount, item.unit_price) == (True, 0, 0)


def test_a_discount_below_a_line_is_taken_off_it_when_its_percentage_fits() -> None:
    table = type_table(HEADER + "Editor seats         ED-1         10    user     5.00      50.00\n"
                       "Discount 10%                                               -5.00\n"
                       "Discount 20%                                               -5.00")  # fmt: skip
    roles, line = assign_roles(table), Line(table.rows[0])
    assert [read_discount_below(row, line, roles) for row in table.rows[1:]] == [-5, None]


def test_the_description_is_in_the_column_named_so_else_in_the_one_with_most_letters() -> None:
    named = type_table(HEADER + "Editor seats         ED-1         10    user     5.00      50.00")
    assert find_description_column(named, assign_roles(named)) == 0
    unnamed = type_table("""
        Code    What you get                       Qty    Price    Amount
        E-1     Editor seats for the press          10     5.00     50.00
        V-1     Viewer seats for all others          2     1.50      3.00
    """)
    column = find_description_column(unnamed, assign_roles(unnamed))
    assert column is not None
    assert unnamed.rows[0].text(column) == "Editor seats for the press"


@pytest.mark.parametrize(
    ("price", "quantity", "unit", "period"),
    [
        ("Price per user per month", 10, "user", 1),
        ("Price per user per month", 36, "user", 1),
        ("Preis pro Monat", 10, "Stk", 1),
        ("Monthly price", 10, "seat", 1),
        ("Price per month", 36, "", None),  # of one thing for 36 months, or of 36 things for one
        ("Price per month", 12, "months", None),
        ("Price", 10, "user", None),
    ],
)
def test_an_amount_for_one_month_is_told_from_months_that_are_counted(
    price: str, quantity: int, unit: str, period: int | None
) -> None:
    text = f"""
        Description       Qty     Unit       {price:>25}     Amount
        Editor seats       {quantity}     {unit:10} {"5.00":>25}     {quantity * 5}.00
    """
    assert first_item(text, term_months=36).period_months == period


def test_twelve_of_a_monthly_price_without_a_term_may_be_a_year() -> None:
    text = """
        Description       Qty      Price per month     Amount
        Hosting            12             5.00          60.00
    """
    assert first_item(text).period_months is None


@pytest.mark.parametrize(
    ("several", "percent"), [("10+5", "14.5"), ("10 + 5 %", "14.5"), ("50+10+5", "57.25"), ("12,5+4", "16")]
)
def test_discounts_that_follow_each_other_are_one(several: str, percent: str) -> None:
    amount = 30 * 60 * (100 - Decimal(percent)) / 100
    item = first_item(
        f"""
        Item        Qty   List price   Discount   Amount

        Mixer tap   30    60.00        {several}       {amount:,.2f}
        Tray        2     50.00                   100.00
        """
    )
    assert (item.list_unit_price, item.discount_percent, item.amount) == (60, Decimal(percent), amount)
    assert item.quantity == 30
