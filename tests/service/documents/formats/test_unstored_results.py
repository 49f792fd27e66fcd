"""A workbook that no spreadsheet program has saved lacks results of formulas; none is missing silently."""

import io
import time
from collections.abc import Mapping, Sequence

import openpyxl
import pytest
import xlsxwriter

from app.service.documents.formats.workbooks import XLSX
from app.service.documents.layout.pages import Page
from app.service.documents.reading import read_document

HEADER = ["Product", "Quantity", "Unit price", "Amount"]


def workbook(rows: Sequence[Sequence[str | int | float]], others: Sequence[str | int] = ()) -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Offer"
    for row in (["Acme Software GmbH"], ["Quote Q-7 in EUR"], *rows):
        sheet.append(list(row))
    if others:
        book.create_sheet("Prices").append(list(others))
        book["Prices"].sheet_state = "hidden"
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


LINES = [
    HEADER,
    ["Server licence", 2, 99.5, "=B4*C4"],
    ["Backup service", 3, "=Prices!A1", "=PRODUCT(B5,C5)"],
    ["Support", 1, 50, '=IF(B6="","",B6*C6)'],
    ["Net total", "", "", "=SUM(D4:D6)"],
    ["VAT 19 %", "", "", "=ROUND(D7*19%,2)"],
    ["Total", "", "", "=D7+D8"],
]


def test_sums_and_products_are_reckoned_and_said_to_be() -> None:
    read = read_document(workbook(LINES, [150]), "quote.xlsx")
    assert [float(line.amount or 0) for line in read.line_items] == [199, 450, 50]
    assert (read.net_total, float(read.tax_total or 0), float(read.total or 0)) == (699, 132.81, 831.81)
    said = "The sheet Offer has formulas whose results the file lacks; they were reckoned: C5, D4:D9."
    assert said in read.warnings


def test_a_formula_that_is_not_reckoned_is_named_with_its_cell() -> None:
    rows = [
        HEADER,
        ["Server licence", 2, "=VLOOKUP(A4,Prices!A:B,2)", "=B4*C4"],
        ["Support", 1, 50, "=B5*C5"],
    ]
    [said] = [one for one in read_document(workbook(rows, [150]), "q.xlsx").warnings if "not reckoned" in one]
    assert "C4 (=VLOOKUP(A4,Prices!A:B,2)), D4 (=B4*C4)." in said
    assert "Open the file in a spreadsheet program, save it and send it again." in said


def test_a_result_of_nought_that_stands_for_none_is_not_believed() -> None:
    target = io.BytesIO()
    book = xlsxwriter.Workbook(target)
    sheet = book.add_worksheet("Offer")
    for number, row in enumerate([["Quote in EUR"], *LINES[:2], ["Support", 1, 50, "=NOW()"]]):
        sheet.write_row(number, 0, row)
    sheet.write_formula("D5", "=1/0", None, "#DIV/0!")  # pyright: ignore[reportCallIssue, reportArgumentType]
    sheet.write_formula("D6", "=2+2", None, 4)
    book.close()
    [page] = XLSX.read_pages(target.getvalue(), 300)
    texts = [word.text for word in page.words]
    assert texts[-3:] == ["1", "50", "4"]
    assert len(page.remarks) == 3
    assert (
        page.remarks[1]
        == "Cells of the sheet Offer show an error, so nothing was read from them: D5 (#DIV/0!)."
    )
    assert "D4 (=NOW())" in page.remarks[2]


def test_stored_results_are_taken_as_they_are() -> None:
    target = io.BytesIO()
    book = xlsxwriter.Workbook(target)
    book.add_worksheet("Offer").write_formula("A1", "=2+2", None, 5)
    book.close()
    [page] = XLSX.read_pages(target.getvalue(), 300)
    assert ([word.text for word in page.words], page.remarks) == (["5"], ())


@pytest.mark.campaign
def test_formulas_beyond_the_other_cells_and_in_circles_end() -> None:
    cells = {"C5": "=20+1", "C6": "seats", "B7": "=B8", "B8": "=B7", "E9": "=C5*2"}
    cost, _ = _measure(cells | {f"A{row}": f"=A{row + 1}+1" for row in range(20, 300)})
    cost_of_many, page = _measure(cells | {f"A{row}": f"=A{row + 1}+1" for row in range(20, 3_000)})
    assert cost_of_many < 30 * cost
    assert [word.text for word in page.words][:3] == ["21", "seats", "42"]
    assert "B7 (=B8), B8 (=B7)" in page.remarks[1]


@pytest.mark.campaign
def test_formulas_without_end_cost_little_and_are_named() -> None:
    cost, _ = _measure_long_formulas(30)
    cost_of_many, page = _measure_long_formulas(2_000)
    assert cost_of_many < 40 * cost
    assert "more. Open the file" in page.remarks[-1]


def _measure_long_formulas(number: int) -> tuple[float, Page]:
    return _measure({"B1": "Seats", **{f"A{row}": "=1" + "+1" * 990 for row in range(1, number)}})


def _measure(cells: Mapping[str, str]) -> tuple[float, Page]:
    """The processor's seconds that reading a sheet of these cells takes, and its page."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for place, value in cells.items():
        sheet[place] = value
    target = io.BytesIO()
    book.save(target)
    began = time.process_time()
    [page] = XLSX.read_pages(target.getvalue(), 300)
    return time.process_time() - began, page
