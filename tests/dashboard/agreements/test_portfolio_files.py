"""Downloads of the market and of spend: what is summed once stands once, and no cell is a formula."""

import csv
import io
from decimal import Decimal

import openpyxl

from app.contract.agreement_market import MarketLine
from app.dashboard.agreements.portfolio import make_market_rows, make_spend_rows
from app.dashboard.spreadsheets import write_csv, write_xlsx
from tests.components.agreements.fixtures import EXAMPLE_DAY, make_market_example, make_spend_group


def test_an_agreement_is_a_row_for_each_line_with_its_amounts_once() -> None:
    line = MarketLine(description="=HYPERLINK(1)", amount=Decimal(5_000), statement="Too few purchases.")
    one = make_market_example()
    rows = make_market_rows([one.model_copy(update={"lines": [*one.lines, line]})])
    read = list(csv.DictReader(io.StringIO(write_csv(rows).decode("utf-8-sig"))))
    assert [row["Possible saving"] for row in read] == ["3000.0", ""]
    assert [row["Contract"] for row in read] == ["Analytics", "Analytics"]
    assert read[1]["Line"] == "'=HYPERLINK(1)"
    assert read[0]["Purchases"] == "24"


def test_a_last_day_that_is_not_known_is_none_in_the_file() -> None:
    [known] = make_market_rows([make_market_example()])
    [unknown] = make_market_rows([make_market_example(status="unknown")])
    assert (known["Last day to act"], unknown["Last day to act"]) == (EXAMPLE_DAY.isoformat(), None)


def test_spend_is_a_workbook_of_numbers() -> None:
    rows = make_spend_rows([make_spend_group("=1+1")], "Supplier")
    sheet = openpyxl.load_workbook(io.BytesIO(write_xlsx({"Spend": rows})))["Spend"]
    head, first = list(sheet.iter_rows(values_only=True))
    assert head == ("Supplier", "Currency", "Contracts", "Recurring", "Of that assumed", "One-time")
    assert first == ("=1+1", "USD", 2, 12_000, 4_000, 1_000)
    assert sheet["A2"].data_type == "s"
