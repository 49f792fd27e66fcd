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


@pytest.mark.parametrize("printed", ["٤٨٬٥٠٠٫٢٥", "۴۸٬۵۰۰٫۲۵", "４８，５００．２５"])
def test_numbers_are_read_in_the_digits_of_every_script(printed: str) -> None:
    [row] = lay_out([type_page(f"Total   {printed}")]).rows
    assert [str(figure.value) for figure in row.figures] == ["48500.25"]


def test_codes_of_fields_are_left_out() -> None:
    assert lay_out([type_page("Name (BT-44): Sample plc")]).text == "Name: Sample plc"


@pytest.mark.parametrize(
    ("printed", "read"),
    [
        ("Total: $__4,750.00____", "Total: $4,750.00"),
        ("Bidder: __Larsen Paving", "Bidder: Larsen Paving"),
        ("To: ___Larsen Paving, Mill Rd 2___", "To: Larsen Paving, Mill Rd 2"),
        ("_15_ pcs at _2,890.00_ each", "15 pcs at 2,890.00 each"),
        ("Name:____ Date:____", "Name:____ Date:____"),
        ("part_no 7", "part_no 7"),
    ],
)
def test_a_value_stands_free_of_the_line_it_was_written_on(printed: str, read: str) -> None:
    assert lay_out([type_page(printed)]).text == read


@pytest.mark.parametrize(
    ("row", "rows"),
    [
        ("1    2    3    4", 2),
        ("(1)    (2)    (3)    (4)    (5)", 2),
        ("0    1    2    3(1x2)    4=3*2", 2),
        ("0    1    2    3    4    5 (3x4)    6", 2),
        ("1    2    3    4(x)", 3),
        ("1    2    3", 3),  # of three, the last may be an amount
        ("1    2    3    6", 3),
        ("1    Chair    3    4", 3),
    ],
)
def test_the_numbers_of_columns_are_no_row(row: str, rows: int) -> None:
    assert len(type_document(f"No    Item    Qty    Price\n{row}\n1    Chair    3    40").rows) == rows


@pytest.mark.parametrize(
    ("text", "currency"),
    [
        ("견적서\n품명      수량    단가       금액\n센서      10     320,000    3,200,000", "KRW"),
        ("报价单\n产品      数量    单价（元）   金额（元）\n电机      8      5600.00     44800.00", "CNY"),
        ("Devis\nDésignation    Qté    Prix     Total\nPose    8      56,00     448,00", None),
    ],
)
def test_a_language_of_one_country_tells_the_currency(text: str, currency: str | None) -> None:
    assert type_document(text).origin.currency.code == currency


def test_digits_of_other_scripts_are_those_of_all_numbers() -> None:
    assert type_document("مبلغ کل  ۱٬۱۱۰٬۰۰۰").text == "مبلغ کل 1,110,000"
