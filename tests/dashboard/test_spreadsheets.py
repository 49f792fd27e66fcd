"""Files for spreadsheets: exactly what is shown, and nothing that runs."""

import csv
import io

import openpyxl
import pytest
from hypothesis import example, given, strategies

from app.dashboard.estimates.estimate_evidence import make_sheets
from app.dashboard.negotiations.board import make_sum_rows, write_workbook
from app.dashboard.spreadsheets import write_csv, write_xlsx
from tests.components.estimates.fixtures import make_advanced_estimate, make_similar_purchases
from tests.components.savings.fixtures import make_savings_report
from tests.components.scopes.fixtures import make_scope

ATTACKS = [
    "＝1+1",
    "＠SUM(A1)",
    "－1",
    "＋1",
    " =1+1",
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "=cmd|' /C calc'!A0",
    '=HYPERLINK("http://x")',
]


def rows_of(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))


@pytest.mark.parametrize("attack", ATTACKS)
def test_no_text_is_read_as_a_formula(attack: str) -> None:
    table = [{attack: attack, "n": -5}]
    (name, _), (text, number) = csv.reader(io.StringIO(write_csv(table).decode("utf-8-sig"), newline=""))
    assert name.startswith("'")
    assert text.startswith("'")
    assert text.replace("'", "") == attack.replace("'", "")
    assert number == "-5", "a negative number stays one"
    cell = openpyxl.load_workbook(io.BytesIO(write_xlsx({"S": table})))["S"]["A2"]
    assert cell.data_type == "s"
    assert cell.hyperlink is None


@pytest.mark.campaign
@given(attack=strategies.text("a;\t\n\r\"' ,=+-@＝﹦", max_size=8))
@example(attack='a;"=1+1;')
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_no_text_is_read_as_a_formula_whatever_the_delimiter(attack: str, delimiter: str) -> None:
    content = write_csv([{"n": 1, "text": attack}, {"n": 2, "text": attack}]).decode("utf-8-sig")
    read = csv.reader(io.StringIO(content, newline=""), delimiter=delimiter)
    cells = [cell for row in read for cell in row]
    assert not any(cell.lstrip(' "\t\r\n').startswith((*"=+-@＝﹦",)) for cell in cells)


def test_a_download_holds_the_quote_and_its_estimate() -> None:
    scope = make_scope()
    sheets = make_sheets([(scope, make_advanced_estimate())], {scope.id: 51_999.5})
    (row,) = rows_of(write_csv(sheets["Estimates"]))
    assert row["Quote"] == "51999.5"
    assert row["P50"] == "48000.0"
    assert row["Products without an estimate"] == "1"


def test_the_workbook_has_the_purchases_behind_the_estimates() -> None:
    sheets = make_sheets([(make_scope(), make_advanced_estimate())], {})
    book = openpyxl.load_workbook(io.BytesIO(write_xlsx(sheets)))
    assert book.sheetnames == ["Estimates", "Similar purchases"]
    assert book["Similar purchases"].max_row == 1 + len(make_similar_purchases())


def test_savings_are_exported_as_they_are_grouped_and_whole_in_a_workbook() -> None:
    report = make_savings_report()
    (row,) = rows_of(write_csv(make_sum_rows(report.by_supplier, "Supplier")))
    assert (row["Supplier"], row["Currency"], row["Saved"]) == ("Ledgerworks", "USD", "14000.0")
    book = openpyxl.load_workbook(io.BytesIO(write_workbook(report)))
    assert book.sheetnames == ["By supplier", "By month", "By category", "Agreed prices"]
    names, agreement = book["Agreed prices"].iter_rows(values_only=True)
    cells = dict(zip(names, agreement, strict=True))
    assert (cells["Purchases behind the estimate"], cells["Not measured"]) == (31, None)


def test_nothing_makes_an_empty_file() -> None:
    assert rows_of(write_csv([])) == []
    assert openpyxl.load_workbook(io.BytesIO(write_xlsx({"Empty": []}))).sheetnames == ["Empty"]
