"""Words of headers and arithmetic decide together which column means what."""

from app.service.documents.tables.column_roles import ColumnRoles
from app.service.documents.tables.role_assignment import assign_roles
from tests.service.documents.typewriter import type_table


def roles(text: str) -> ColumnRoles:
    return assign_roles(type_table(text))


def test_headers_name_quantity_price_and_amount() -> None:
    found = roles("""
        Description       Qty     Price    Amount
        Editor seats       10      5.00     50.00
        Viewer seats        2      1.50      3.00
    """)
    assert (found.quantity, found.unit_price, found.amount) == (1, 2, 3)
    assert (found.agreement, found.checked) == (1.0, 2)


def test_arithmetic_outweighs_a_header() -> None:
    found = roles("""
        Description       Qty     Total    Price
        Editor seats       10      5.00     50.00
        Viewer seats        2      1.50      3.00
        Support             4      2.50     10.00
    """)
    assert (found.quantity, found.unit_price, found.amount) == (1, 2, 3)


def test_a_column_of_months_is_told_from_the_quantity() -> None:
    found = roles("""
        Description       Seats    Months     Price      Amount
        Editor               10        12      5.00      600.00
        Viewer                2        24      1.50       72.00
    """)
    assert (found.quantity, found.months, found.unit_price, found.amount) == (1, 2, 3, 4)


def test_labels_of_sums_below_a_column_of_prices_are_no_part_of_it() -> None:
    found = roles("""
        Description      Qty     Unit price    Discount    Amount
        Chair             25        612.50        0.00     15312.50
        Projector          4        489.00       97.80      1858.20
        Tax note                 SUBTOTAL 15%              17170.70
        Mail                     Exempt                        0.00
        Contact                  Other charges                 0.00
    """)
    assert (found.quantity, found.unit_price, found.amount) == (1, 2, 4)


def test_a_column_of_zeros_without_a_header_is_no_amount() -> None:
    found = roles("""
        Qty      Description             Unit value
        150.00   Towel white                32.2034     0.00
        80.00    Bed sheet                 118.6441     0.00
    """)
    assert (found.quantity, found.unit_price, found.amount) == (0, 2, None)


def test_days_are_a_second_count_with_which_lines_multiply() -> None:
    found = roles("""
        Description       Qty      Days     Rate per day      Amount
        Scissor lift        2        14           650.00    18200.00
        Telehandler         1        10          1900.00    19000.00
    """)
    assert ({found.quantity, found.times}, found.months, found.agreement) == ({1, 2}, None, 1.0)


def test_list_price_and_discount_are_told_from_the_price() -> None:
    found = roles("""
        Description       Qty    List price    Discount    Net price     Amount
        Editor seats       10         10.00         50%         5.00      50.00
        Viewer seats        2          3.00         50%         1.50       3.00
    """)
    assert (found.list_price, found.discount, found.unit_price, found.amount) == (2, 3, 4, 5)


def test_years_side_by_side_are_a_line_each() -> None:
    found = roles("""
        Description         Year 1      Year 2      Year 3
        Editor seats        100.00      110.00      121.00
        Viewer seats         50.00       55.00       60.50
    """)
    assert found.side_by_side == (1, 2, 3)


def test_a_price_without_a_quantity_is_no_amount() -> None:
    found = roles("""
        Product             Code     Unit price
        Editor seats        E-1            5.00
        Viewer seats        V-1            1.50
    """)
    assert (found.unit_price, found.amount) == (2, None)


def test_amounts_that_are_summed_need_neither_a_quantity_nor_a_price() -> None:
    found = roles("""
        Item              Estimated time (days)    Estimated cost    Duration
        Web site                             90          60000.00    One time
        Application                          75          35000.00    One time
        Domain                               20       $120 for the first year    Yearly
        Total                                            95000.00
    """)
    assert (found.quantity, found.unit_price, found.amount) == (None, None, 2)
