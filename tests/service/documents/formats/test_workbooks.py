"""Workbooks are read sheet by sheet."""

import base64
import io
import zlib

import openpyxl
import pytest
from openpyxl.styles import Color, Font, PatternFill

from app.service.documents.faults import UnreadableDocument
from app.service.documents.formats.workbooks import XLS as XLS_FORMAT
from app.service.documents.formats.workbooks import XLSX
from app.service.documents.reading import read_document
from app.service.tables.archives import COMPOUND_FILE
from tests.service.documents import pdf_builder

# A workbook of Excel 97, which nothing here writes: deflated, for it is mostly empty sectors.
XLS = zlib.decompress(
    base64.b64decode(
        "eNrtWDtMFFEUPW9md4GVzy6CCiRkQyIq0hgbG1wxIpUE/ERCTHSBKSbgzGaYLbBQFClNTKw0NiQ0NqiNn/iJdhYmGC1MTEwW7bQy"
        "0cQCGO+9O4OgW7CJEjFzJu/Mffe9e9+d95s382oumZ++2ziPX7AfOpa8CsRW6BSliiCTAJV7HovBvZySF2JDoaKcBjIWxaOql2U8"
        "hjze89BwJ/KcGPhA6RSy6LEtI7WOOCgxZBTH0EGscJM01WiQqGqFh4Q3C9+Wmo+FD4jminAH1c2rAcyle9r2+bO4X2uRsmqw3/ti"
        "8040e1CPFzyLL1xVhbpRdDpmZvTfLGiOVGIGNG7dhmU4mdE86mgAZ/DNSwFfg5X6LBXq11evQPrvq/VlRfTXtAgwAe+MTPApVGFB"
        "55Io+nK2ayygnwdX0ibgkDE25JhZ17Qt2mn7chnLNd3xOHDCMt1U1jGHDFq9nWftnOVWAl3Dpms7qTEj446Rh2O5bNZ23Chw3HYz"
        "o3Hey2XtJ1at/SpZE5XEw6gROSkrI0G7+8KtL6+PDPamT4tmQvb7wlthOz8IPFxkCzKulpLIMreJxW7hS+K1SeRG4Tp6YLq39tb7"
        "wuFJqXNZSlupnb2CN+kdK+SdJE997nvQPPUxvYvk2e75c3Wzb9PTaKG31DDZ8zWJdtWublxnPEwHd+XvIO+FG37bTcq1hB+757/6"
        "arCIuIhJ4UKOe0ct5zS/rwo5nXK670sV8aXEF/fOE2yTWJPUT6wb0JidreyDrbUi1prUjPrWhXGKie6THnDBWi9irUtNrv9UcmzN"
        "sZ/XOMeRDzTRGUCrxT1uiHbUn4gjRIgQIUKECBEixMaFknMr/FMi5EQZ8785+L/OIqWl8DfJf4ujsOly6cO0CxbdHYyXNH+2IKoC"
        "X2qNNsH/QsZJat3BCAYljpGS5y99x6mVz7Nmw8SfW0Kltr9USpx/uf0fSDThSQ=="
    )
)


def test_an_old_workbook_gives_its_lines() -> None:
    extraction = read_document(XLS, "quote.xls")
    assert [(line.description, line.quantity, line.amount) for line in extraction.line_items] == [
        ("Editor seats", 10, 1500),
        ("Support", 1, 250),
    ]
    assert extraction.total == 1750


def test_cells_are_shown_as_people_write_them() -> None:
    [page] = XLSX.read_pages(pdf_builder.xlsx([["Seats", 10, 1.5, None], ["", 2.0]]), 300)
    assert [word.text for word in page.words] == ["Seats", "10", "1.5", "2"]


def test_a_number_of_three_decimals_is_no_thousand() -> None:
    book = openpyxl.Workbook()
    assert book.active is not None
    for row in (["Description", "Qty", "Unit price", "Amount"], ["Resin", 2, 107.478, 214.956]):
        book.active.append(row)
    content = io.BytesIO()
    book.save(content)
    read = read_document(content.getvalue(), "prices.xlsx")
    assert [float(item.amount or 0) for item in read.line_items] == [214.956]
    assert not any("three decimals" in warning for warning in read.warnings)


@pytest.mark.parametrize(
    ("number_format", "currency"),
    [
        ("#,##0.00 [$€-407]", "EUR"),
        ("[$£-809]#,##0.00", "GBP"),
        ('#,##0.00 "CHF"', "CHF"),
        ("#,##0.00", None),
    ],
)
def test_the_format_of_a_price_says_its_currency(number_format: str, currency: str | None) -> None:
    book = openpyxl.Workbook()
    assert book.active is not None
    rows = (
        ["Description", "Qty", "Unit price", "Discount", "Amount"],
        ["Editor seats", 10, 150, 0.1, 1350],
        ["Support", 1, 250, 0.2, 200],
    )
    for row in rows:
        book.active.append(row)
    for row in book.active.iter_rows(min_row=2, min_col=3):
        row[0].number_format = row[2].number_format = number_format
        row[1].number_format = "0%"
    content = io.BytesIO()
    book.save(content)
    read = read_document(content.getvalue(), "prices.xlsx")
    assert read.currency == currency
    assert [(item.quantity, item.discount_percent, item.amount) for item in read.line_items] == [
        (10, 10, 1350),
        (1, 20, 200),
    ]


def test_an_empty_sheet_is_no_page() -> None:
    assert XLSX.read_pages(pdf_builder.xlsx([]), 300) == ()


def test_a_damaged_workbook_is_refused() -> None:
    with pytest.raises(UnreadableDocument, match="damaged or protected"):
        XLS_FORMAT.read_pages(XLS[:600], 300)


def test_a_workbook_with_a_password_says_so() -> None:
    with pytest.raises(UnreadableDocument, match="password"):
        XLS_FORMAT.matches(COMPOUND_FILE + "EncryptedPackage".encode("utf-16-le"), "quote.xlsx")


def test_hidden_rows_columns_and_sheets_are_not_read() -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    # Columns A and B and the first row are empty, so that places in the file and in the table differ.
    sheet.append([])
    for row in (["Product", "Our cost", "Qty", "Amount"], ["Seats", 70, 10, 900], ["Support", 30, 1, 250]):
        sheet.append([None, None, *row])
    sheet.column_dimensions["D"].hidden = True
    sheet.row_dimensions[4].hidden = True
    book.create_sheet("Margins").append(["Secret", 1])
    book["Margins"].sheet_state = "hidden"
    target = io.BytesIO()
    book.save(target)
    [page] = XLSX.read_pages(target.getvalue(), 300)
    assert [word.text for word in page.words] == ["Product", "Qty", "Amount", "Seats", "10", "900"]
    assert page.remarks == (
        "The sheet Sheet has cells that are hidden or struck out, which were not read (cells: 6).",
        "The workbook has hidden sheets, which were not read.",
    )


def test_white_text_is_read_on_a_painted_cell_only() -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["Item", "Our cost", "Qty", "Margin", "Amount", "Note"])
    white, theme = Font(color="FFFFFFFF"), Font(color=Color(theme=0))
    dark, pale = (PatternFill("solid", fgColor=colour) for colour in ("FF1F4E79", "FFFFFFFF"))
    for cell, font, fill in (
        ("A1", white, dark),
        ("B1", white, pale),
        ("D1", theme, None),
        ("E1", theme, dark),
    ):
        sheet[cell].font = font
        if fill is not None:
            sheet[cell].fill = fill
    sheet["F1"].number_format = ";;;"
    target = io.BytesIO()
    book.save(target)
    [page] = XLSX.read_pages(target.getvalue(), 300)
    assert [word.text for word in page.words] == ["Item", "Qty", "Amount"]
    assert page.remarks == (
        "The sheet Sheet has cells that are hidden or struck out, which were not read (cells: 3).",
    )
