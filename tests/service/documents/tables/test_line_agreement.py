"""Whether quantity x price x periods is the amount."""

from app.service.documents.tables.column_roles import ColumnRoles
from app.service.documents.tables.line_agreement import measure_agreement
from tests.service.documents.typewriter import type_table


def test_the_share_of_lines_that_multiply_is_measured() -> None:
    rows = type_table("""
        Description       Qty     Price    Amount
        Editor seats       10      5.00     50.00
        Viewer seats        2      1.50      4.00
    """).rows
    measured = measure_agreement(rows, ColumnRoles(quantity=1, unit_price=2, amount=3), [])
    assert (measured.agreement, measured.checked) == (0.5, 2)
    assert measure_agreement(rows, ColumnRoles(quantity=1, amount=3), []).checked == 0


def test_months_and_discounts_are_counted_in() -> None:
    rows = type_table("""
        Description       Qty     Price    Months    Discount    Amount
        Editor seats       10      5.00      12         10%      540.00
    """).rows
    roles = ColumnRoles(quantity=1, unit_price=2, months=3, discount=4, amount=5)
    assert measure_agreement(rows, roles, []).agreement == 1
