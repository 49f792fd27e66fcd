"""Columns that make a line each."""

from decimal import Decimal

from app.service.documents.extraction import LineItem
from app.service.documents.tables.line_items import Line, build_line_item
from app.service.documents.tables.role_assignment import assign_roles
from app.service.documents.tables.side_by_side import split_side_by_side
from tests.service.documents.typewriter import type_table


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


def test_an_ordinary_line_stays_one() -> None:
    text = "Description       Qty    Price    Amount\nEditor seats       10     5.00     50.00"
    assert [line.amount for line in split(text)] == [50]
