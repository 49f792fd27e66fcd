"""What was entered into the forms of requirements and quotes, as it is sent, and what is wrong with it."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any
from unittest.mock import patch

import pytest
import streamlit as st

from app.contract.sourcing import NewRequirement, NewSourcingQuote, RequirementLine, SourcingQuote
from app.contract.sourcing_changes import SourcingQuoteChange
from app.dashboard.deployment import Deployment
from app.dashboard.kit.form import CheckedForm
from app.dashboard.sourcing.quote_addition import make_quote_form, make_quote_table
from app.dashboard.sourcing.quote_correction import make_correction_form, make_correction_table, read_breaks
from app.dashboard.sourcing.requirement_creation import LINE_COLUMNS, make_requirement_form
from components.elements.line_table import LineTable
from components.elements.table import Row, read_edited_rows
from tests.components.sourcing.fixtures import make_quote, make_requirement

NAMED = {"name": "Tools", "currency": "usd", "termMonths": 24}
LINES = make_requirement().lines
NOBODY = Deployment("https://parley.example", "key")
QUOTED = {"supplierName": "Northgate", "currency": "eur"}
PRICE, PAID, QUANTITY, UNIT = "Unit price", "Paid", "Quantity", "Unit"
TAX, BREAKS, BUNDLE = "Tax in the price, %", "Price breaks", "Bundle"


def price(row: int, **cells: Any) -> list[Any]:
    """The rows of the quote's editor with one that is filled in."""
    rows = make_quote_table("quote", LINES).rows
    return [{**one, **cells} if place == row else one for place, one in enumerate(rows)]


def validate_requirement(fields: dict[str, Any], rows: list[dict[str, Any]]) -> CheckedForm[NewRequirement]:
    table = LineTable("requirement", "What is needed", LINE_COLUMNS, rows)
    return make_requirement_form(NOBODY, table).check_values(fields)


def validate_quote(
    fields: dict[str, Any], rows: Sequence[Row], lines: Sequence[RequirementLine]
) -> CheckedForm[NewSourcingQuote]:
    table = replace(make_quote_table("lines", lines), rows=rows)
    return make_quote_form(NOBODY, "quote", lines, "USD", table).check_values(fields)


def validate_correction(
    fields: dict[str, Any], rows: Sequence[Row], quote: SourcingQuote
) -> CheckedForm[SourcingQuoteChange]:
    table = make_correction_table("lines", quote)
    with patch.object(st, "session_state", {"lines": {"edited_rows": dict(enumerate(rows))}}):
        return make_correction_form(NOBODY, "correction", quote, table).check_values(fields)


def make_correction_rows(quote: SourcingQuote) -> list[Row]:
    return [*make_correction_table("lines", quote).rows]


def test_rows_are_changed_removed_and_added(monkeypatch: pytest.MonkeyPatch) -> None:
    state = {"edited_rows": {1: {"B": 3}}, "deleted_rows": [0], "added_rows": [{"A": "new"}]}
    monkeypatch.setattr(st, "session_state", {"editor": state})
    rows = [{"A": "first", "B": 1}, {"A": "second", "B": 2}]
    assert read_edited_rows(rows, key="editor") == [{"A": "second", "B": 3}, {"A": "new"}]
    assert read_edited_rows(rows, key="another") == rows


def test_a_requirement_leaves_out_blank_rows() -> None:
    rows = [
        {"Description": " Analytics ", "Quantity": 12.5, "Unit": "TB", "Must have": False},
        {"Description": None, "Quantity": None, "Unit": None, "Must have": True},
        {"Description": "=1+1", "Quantity": 3},
    ]
    body = validate_requirement(NAMED, rows).body
    assert body is not None
    assert body.wire() == {
        "name": "Tools",
        "currency": "USD",
        "termMonths": 24,
        "lines": [
            {"description": "Analytics", "quantity": 12.5, "unit": "TB", "mustHave": False},
            {"description": "=1+1", "quantity": 3, "mustHave": True},
        ],
    }


def test_faults_name_the_line_in_the_editor() -> None:
    rows = [{}, {"Description": "Desk", "Quantity": 0}, {"Quantity": 4}]
    checked = validate_requirement({**NAMED, "currency": "euros"}, rows)
    assert checked.faults == {"lines": "Line 2: enter how many, more than 0. Line 3: say what is needed."}
    assert set(validate_requirement({}, [{}]).faults) == {"name", "currency", "termMonths", "lines"}
    checked = validate_requirement({**NAMED, "currency": "euros"}, [{"Description": "Desk", "Quantity": 1}])
    assert (checked.body, set(checked.faults)) == (None, {"currency"})


def test_a_quote_has_the_rows_that_have_a_price() -> None:
    rows = [*price(1, **{"Unit price": 0, "Paid": "each month", "Price breaks": "50: 90; 100: 85.5"})]
    rows.append(
        {"Quoted as": "Workshop", "Quantity": 1, "Unit price": 400, "Paid": "once", "Bundle": "start"}
    )
    body = validate_quote({**QUOTED, "discountFrom": 0.0, "discountPercent": 5.0}, rows, LINES).body
    assert body is not None
    assert body == NewSourcingQuote.model_validate(
        {
            "supplierName": "Northgate",
            "currency": "EUR",
            "discounts": [{"fromAmount": 0, "percent": 5}],
            "lines": [
                {
                    "requirementLineId": LINES[1].id,
                    "description": LINES[1].description,
                    "quantity": LINES[1].quantity,
                    "unitPrice": 0,
                    "recurring": "month",
                    "breaks": [
                        {"fromQuantity": 50, "unitPrice": 90},
                        {"fromQuantity": 100, "unitPrice": Decimal("85.5")},
                    ],
                },
                {
                    "description": "Workshop",
                    "quantity": 1,
                    "unitPrice": 400,
                    "recurring": "once",
                    "bundleId": "start",
                },
            ],
        }
    )


@pytest.mark.parametrize(
    ("cells", "fault"),
    [
        ({"Unit price": 5}, "Line 1: choose how often it is paid."),
        ({"Quoted as": "Desk"}, "Line 1: enter the price of a unit, 0 where it is free."),
        ({"Unit price": 5, "Paid": "once", "Quantity": None}, "Line 1: enter how many, more than 0."),
        ({"Unit price": 5, "Paid": "once", "Line": None}, "Line 1: say what is quoted, or choose the line"),
        ({"Unit price": 5, "Paid": "once", "Price breaks": "50: 9,5"}, "Line 1: write price breaks as"),
        ({}, "Enter at least one price."),
    ],
)
def test_a_quote_that_cannot_be_sent_names_the_line(cells: dict[str, Any], fault: str) -> None:
    checked = validate_quote(QUOTED, price(0, **cells), LINES)
    assert checked.body is None
    assert checked.faults["lines"].startswith(fault)


@pytest.mark.parametrize(
    "text",
    [
        "50",
        "x: 1",
        "50: -1",
        "0: 3",
        "50: NaN",
        "50: 90, 100: 80",
        "5: 9; 8: 7 from there on",
        "from there on",
    ],
)
def test_price_breaks_of_another_form_are_refused(text: str) -> None:
    assert read_breaks(text) is None


def test_a_correction_names_what_was_changed_and_nothing_else() -> None:
    quote = make_quote()
    terms = {
        "supplierName": quote.supplier_name,
        "currency": "eur",
        "validUntil": None,
        "leadTimeDays": 14,
        "discountFrom": 10_000.0,
        "discountPercent": 5.0,
    }
    rows = make_correction_rows(quote)
    rows[1] = {**rows[1], PRICE: 11.25, BREAKS: "3: 10", PAID: "each year", QUANTITY: 6.0, BUNDLE: "All"}
    body = validate_correction(terms, rows, quote).body
    assert body is not None
    assert body.wire() == {
        "validUntil": None,
        "lines": [
            {
                "id": quote.lines[1].id,
                "unitPrice": 11.25,
                "quantity": 6,
                "recurring": "year",
                "breaks": [{"fromQuantity": 3, "unitPrice": 10, "kind": "all_units"}],
                "bundleId": "All",
            }
        ],
    }
    changed = make_quote(lines=[{**quote.wire()["lines"][1], "bundleId": "All"}])
    emptied = [{**make_correction_rows(changed)[0], BUNDLE: ""}]
    body = validate_correction({**terms, "validUntil": quote.valid_until}, emptied, changed).body
    assert body is not None
    assert body.wire() == {"lines": [{"id": quote.lines[1].id, "bundleId": None}]}
    assert validate_correction(
        {**terms, "discountFrom": None, "discountPercent": None}, make_correction_rows(quote), quote
    ).body == SourcingQuoteChange.model_validate({"validUntil": None, "discounts": None})


def test_a_correction_that_cannot_be_names_its_place() -> None:
    quote = make_quote()
    rows = make_correction_rows(quote)
    rows[0], rows[1] = {**rows[0], PRICE: None}, {**rows[1], BREAKS: "half: 5"}
    checked = validate_correction({"supplierName": " ", "currency": "EUR", "discountFrom": 1.0}, rows, quote)
    assert checked.body is None
    assert checked.faults.keys() == {"supplierName", "discountPercent", "lines"}
    assert checked.faults["lines"] == (
        "Line 1: enter the price of a unit, 0 where it is free."
        " Line 2: write price breaks as 50: 90; 100: 85.50, with points for decimals, and all of them with"
        " “from there on” or none."
    )


@pytest.mark.parametrize("kind", ["all_units", "incremental"])
def test_what_the_form_shows_of_price_breaks_it_reads(kind: str) -> None:
    steps = [{"fromQuantity": q, "unitPrice": p, "kind": kind} for q, p in ((3, 9), (1200.5, 7.25))]
    [first, _] = make_quote().wire()["lines"]
    [row] = make_correction_rows(make_quote(lines=[{**first, "breaks": steps}]))
    assert read_breaks(str(row[BREAKS])) == steps


def test_several_discounts_and_steps_of_another_kind_stay_unless_they_are_replaced() -> None:
    discounts = [{"fromAmount": 1, "percent": 2}, {"fromAmount": 10, "percent": 3}]
    steps = [{"fromQuantity": 3, "unitPrice": 9, "kind": "incremental"}]
    [first, _] = make_quote().wire()["lines"]
    quote = make_quote(discounts=discounts, lines=[{**first, "breaks": steps}])
    terms = {"supplierName": quote.supplier_name, "currency": "EUR", "leadTimeDays": 14}
    terms |= {"validUntil": quote.valid_until}
    rows = make_correction_rows(quote)
    assert validate_correction(terms, rows, quote).faults == {"": "Nothing was changed."}
    other = {**terms, "discountFrom": 5.0, "discountPercent": 1.0}
    body = validate_correction(other, rows, quote).body
    assert body is not None
    assert body.wire() == {"discounts": [{"fromAmount": 5, "percent": 1}]}


def test_a_unit_and_a_tax_in_the_price_are_sent_and_corrected() -> None:
    rows = price(0, **{PRICE: 15, PAID: "once", QUANTITY: 10, UNIT: "bag of 100", TAX: 20})
    sent = validate_quote(QUOTED, rows, LINES).body
    assert sent is not None
    assert sent.lines is not None
    [line] = sent.lines
    assert (line.unit, line.tax_included, line.tax_percent) == ("bag of 100", True, 20)
    quote = make_quote()
    changed = [{**row} for row in make_correction_rows(quote)]
    changed[0] |= {UNIT: "kg", TAX: 7}
    fields = {"supplierName": quote.supplier_name, "currency": quote.currency}
    correction = validate_correction(fields, changed, quote).body
    assert correction is not None
    assert correction.wire()["lines"] == [
        {"id": quote.lines[0].id, "unit": "kg", "taxIncluded": True, "taxPercent": 7}
    ]
