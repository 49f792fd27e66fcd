"""What the figures of a column show, whatever its header says."""

from app.service.documents.tables.column_figures import (
    counts_rows,
    find_amounts_before_tax,
    find_products,
    has_percent,
    is_mostly_figures,
    is_mostly_money,
    is_mostly_percents,
    is_summed,
)
from tests.service.documents.typewriter import type_table

TABLE = type_table("""
    Description       Qty     Price    VAT    Amount
    Editor seats       10      5.00    20%     50.00
    Viewer seats        2      1.50    20%      3.00
    Support             4      2.50    20%     10.00
    Total                                      63.00
""")
LINES = [row for row in TABLE.rows if row.anchor]


def test_columns_of_words_counts_money_and_percentages_are_told_apart() -> None:
    assert [is_mostly_figures(LINES, index) for index in range(5)] == [False, True, True, True, True]
    assert [is_mostly_money(LINES, index) for index in (1, 2, 4)] == [False, True, True]
    assert [is_mostly_percents(LINES, index) for index in (2, 3)] == [False, True]
    assert [has_percent(LINES, index) for index in (2, 3)] == [False, True]


def test_a_column_over_its_sum_is_summed() -> None:
    assert [is_summed(TABLE, index) for index in (1, 2, 4)] == [False, False, True]


def test_columns_that_multiply_are_found() -> None:
    assert list(find_products(LINES, [1, 2, 4])) == [(1, 2, 4)]
    assert list(find_products(LINES[:1], [1, 2, 4])) == []  # one line may be chance


def test_a_column_that_numbers_the_rows_holds_no_amounts() -> None:
    table = type_table("""
        No. Item                 Units     Price     Amount
        01  Starter pack            10    585.00   5,850.00
        02  Gloves                  11             included
        03  Laser printer           12             included
        04  Docking station         13             included
    """)
    numbering = [index for index in range(5) if counts_rows(table.rows, index)]
    assert numbering == [0, 2]
    assert not any(counts_rows(LINES, index) for index in range(5))


def test_amounts_before_tax_are_told_by_the_tax_beside_them() -> None:
    table = type_table("""
        Item              Qty     Price     Net       VAT       Total
        Kitchen             1    390.00    390.00     81.90    471.90
        Mounting           12      5.00     60.00     12.60     72.60
    """)
    rows = [row for row in table.rows if row.anchor]
    assert list(find_amounts_before_tax(rows, [2, 3, 5], [4])) == [(3, 5)]
    assert list(find_amounts_before_tax(rows[:1], [2, 3, 5], [4])) == [(2, 5), (3, 5)], (
        "one of the price of one"
    )
    assert list(find_amounts_before_tax(rows[1:], [2, 3, 5], [4])) == [(3, 5)]
    assert list(find_amounts_before_tax(rows, [2, 5], [4])) == []
