"""The columns of a table of lines by what they mean."""

from app.service.documents.tables.column_roles import ColumnRoles


def test_a_line_is_priced_by_its_price_else_by_its_list_price() -> None:
    assert ColumnRoles(unit_price=2, list_price=1).price == 2
    assert ColumnRoles(list_price=1).price == 1
    assert ColumnRoles().price is None


def test_columns_of_figures_are_no_text() -> None:
    roles = ColumnRoles(quantity=1, amount=4, basis=5, side_by_side=(6, 7))
    assert roles.columns_of_figures == {1, 4, 6, 7}
