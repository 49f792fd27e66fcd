"""Rows whose words name columns are the headers of tables."""

import pytest

from app.service.documents.tables.headers import find_headers, lacks_description
from tests.service.documents.typewriter import type_document


def headers(text: str) -> list[str]:
    return [" / ".join(row.text for row in one.rows) for one in find_headers(type_document(text).rows)]


@pytest.mark.parametrize(
    "line",
    [
        "Description   Qty   Unit price   Amount",
        "Bezeichnung   Menge   Einzelpreis   Gesamtpreis",
        "Artikel   Aantal   Bedrag",
        "Sr.   Description   Amount",
        "Pos.   Bezeichnung   Betrag",
        "Sl   LR No.   Vehicle   From - To   Wt (MT)   Rate/MT   Detention   Amount",
        "Rész   Megnevezés   Nettó ajánlati ár (Ft)",
        "Krint   Cena bez DPH   Cena s DPH 21 %",
        "Krint   Price excl. VAT   Price incl. VAT (20%)",
    ],
)
def test_a_row_that_names_columns_is_a_header(line: str) -> None:
    assert headers(f"Quote Q-7\n{line}\nEditor seats   10   5.00   50.00") == [line.replace("   ", " ")]


@pytest.mark.parametrize(
    "line",
    [
        "Editor seats   10   5.00   50.00",
        "Basic Plan   Price estimate",
        "Total:   50.00",
        "Krint   Price",
        "Rate   Net   VAT   Gross",
    ],
)
def test_lines_sums_and_headlines_are_none(line: str) -> None:
    assert headers(line) == []


def test_what_prices_are_for_may_stand_below_its_header() -> None:
    text = (
        "Article   Qty   Price per   Amount\n                       100\nClamp     400   415.00      1660.00"
    )
    assert headers(text) == ["Article Qty Price per Amount / 100"]


def test_a_header_broken_over_two_lines_is_one() -> None:
    text = (
        "Description   Qty   Unit     Amount\n                    price\nSeats         10    5.00     50.00"
    )
    assert headers(text) == ["Description Qty Unit Amount / price"]


def test_a_header_of_figures_alone_lacks_a_description() -> None:
    [row] = type_document("Qty   Price   Amount").rows
    assert lacks_description(row.cells())
    [row] = type_document("Item no.   Price   Amount").rows
    assert not lacks_description(row.cells())


def test_the_second_line_of_centred_headers_may_begin_further_left() -> None:
    page = """
          Cod.      Description       Unit       Total
       Principal                     price      amount
       LAP14        Laptop           12.50      125.00
    """
    assert headers(page) == ["Cod. Description Unit Total / Principal price amount"]
