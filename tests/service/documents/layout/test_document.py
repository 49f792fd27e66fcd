"""A document is laid out once."""

import pytest

from app.service.documents.layout.document import lay_out
from tests.service.documents.typewriter import type_document, type_page


def test_a_document_has_the_rows_of_all_pages_and_one_number_format() -> None:
    document = type_document("Summe   1.234,50", "Gesamt   2.000")
    assert document.text == "Summe 1.234,50\nGesamt 2.000"
    assert [row.page for row in document.rows] == [1, 2]
    assert [figure.value for figure in document.rows[1].figures] == [2000]


def test_the_home_currency_is_that_of_the_addresses() -> None:
    assert type_document("Example Software Ltd\nLondon EC1A 1BB").origin.home_currency == "GBP"
    assert type_document("Total   5.00").origin.home_currency is None


def test_codes_of_fields_are_left_out() -> None:
    assert lay_out([type_page("Name (BT-44): Sample plc")]).text == "Name: Sample plc"


@pytest.mark.parametrize(
    ("row", "rows"),
    [
        ("1    2    3    4", 2),
        ("(1)    (2)    (3)    (4)    (5)", 2),
        ("1    2    3", 3),  # of three, the last may be an amount
        ("1    2    3    6", 3),
        ("1    Chair    3    4", 3),
    ],
)
def test_the_numbers_of_columns_are_no_row(row: str, rows: int) -> None:
    assert len(type_document(f"No    Item    Qty    Price\n{row}\n1    Chair    3    40").rows) == rows
