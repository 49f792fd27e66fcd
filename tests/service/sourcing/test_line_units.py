"""Quotes in another unit, or with a tax in their prices, are compared in that of the requirement or not."""

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest

from app.contract.sourcing import Requirement, SourcingQuote
from app.service.ids import new_id
from app.service.sourcing.columns import Cell, Rate, build_column
from app.service.sourcing.line_units import find_needed_units

NOW = datetime(2026, 3, 1, tzinfo=UTC)
RATE = Rate(Decimal(1), date(2026, 3, 1))


def need(quantity: float, unit: str | None = None, text: str = "Washers M8") -> Requirement:
    line = {"id": new_id(), "description": text, "quantity": quantity}
    return Requirement.model_validate(
        {
            "id": new_id(), "name": "x", "currency": "EUR", "termMonths": 12, "quoteCount": 0,
            "lines": [line | ({"unit": unit} if unit else {})], "createdAt": NOW, "updatedAt": NOW,
        }
    )  # fmt: skip


def compare(requirement: Requirement, *quoted: dict[str, Any]) -> list[Cell]:
    """The cells of quotes with one line each."""
    [line] = requirement.lines
    quotes = [
        SourcingQuote.model_validate(
            {
                "id": new_id(), "requirementId": requirement.id, "supplierName": "s", "currency": "EUR",
                "createdAt": NOW,
                "lines": [
                    {
                        "id": new_id(), "requirementLineId": line.id, "description": line.description,
                        "alignment": "confirmed", "recurring": "once", **one,
                    }
                ],
            }
        )
        for one in quoted
    ]  # fmt: skip
    units = find_needed_units(requirement, quotes)
    return [build_column(requirement, one, RATE, units).cells[line.id][0] for one in quotes]


@pytest.mark.parametrize(
    ("needed", "quoted", "amount"),
    [
        ((1000, "pcs"), {"quantity": 10, "unit": "bag of 100", "unitPrice": 5}, 50),
        ((1000, "Stück"), {"quantity": 10, "unit": "100 Stk.", "unitPrice": 5}, 50),
        ((1000, "piece"), {"quantity": 1000, "unit": "C62", "unitPrice": 0.05}, 50),
        ((1000, None), {"quantity": 10, "unit": "pack of 100", "unitPrice": 5}, 50),
        ((1000, None), {"quantity": 10, "unit": "bags", "unitPrice": 5, "description": "bag of 100"}, 50),
        ((10, "bag of 100"), {"quantity": 1000, "unit": "pcs", "unitPrice": 0.05}, 50),
        ((1000, "pcs"), {"quantity": 1, "unit": "per 1,000", "unitPrice": 50}, 50),
        ((1000, "Stück"), {"quantity": 1, "unit": "1.000 Stück", "unitPrice": 50}, 50),
        ((1000, "Stück"), {"quantity": 1, "unit": "Tsd. Stück", "unitPrice": 50}, 50),
        ((1000, "pcs"), {"quantity": 10, "unit": "sachet de 100", "unitPrice": 5}, 50),
        ((1000, "Stück"), {"quantity": 10, "unit": "Beutel (100 St.)", "unitPrice": 5}, 50),
        ((24, "pcs"), {"quantity": 2, "unit": "dozen", "unitPrice": 6}, 12),
        ((2, "dozen"), {"quantity": 24, "unit": "pcs", "unitPrice": 0.5}, 12),
        ((3, "box of 7"), {"quantity": 21, "unit": "pcs", "unitPrice": 0.5}, 10.5),
        ((7, "hours"), {"quantity": 420, "unit": "min", "unitPrice": 1.5}, 630),
        ((500, "kg"), {"quantity": 0.5, "unit": "t", "unitPrice": 900}, 450),
        ((500, "kg"), {"quantity": 0.5, "unit": "TNE", "unitPrice": 900}, 450),
        ((2, "t"), {"quantity": 2000, "unit": "kg", "unitPrice": 0.9}, 1800),
        ((100, "lb"), {"quantity": 45.36, "unit": "kg", "unitPrice": 10}, Decimal("453.59")),
        (
            *((100, "lb"), {"quantity": 45, "unit": "kg", "unitPrice": 10, "minimumQuantity": 45.36}),
            Decimal("453.59"),
        ),
        ((24, "month"), {"quantity": 2, "unit": "year", "unitPrice": 120}, 240),
        ((20, "seats"), {"quantity": 20, "unit": "user / month", "unitPrice": 3}, 60),
        ((20, "seats"), {"quantity": 20, "unit": "pcs", "unitPrice": 3}, 60),
        ((20, "seats"), {"quantity": 20, "unitPrice": 3}, 60),
        ((40, None), {"quantity": 40, "unit": "hours", "unitPrice": 90}, 3600),
        ((1000, "pcs"), {"quantity": 1000, "unitPrice": 0.05}, 50),
    ],
)
def test_a_quote_in_a_known_unit_is_converted(
    needed: tuple[float, str | None], quoted: dict[str, Any], amount: float | Decimal
) -> None:
    [cell] = compare(need(*needed), quoted)
    assert (cell.amount, cell.reason) == (amount, None)


@pytest.mark.parametrize(
    ("needed", "quoted"),
    [
        ((10, "pcs"), {"quantity": 10, "unit": "bag"}),
        ((10, "pcs"), {"quantity": 10, "unit": "bag of 100"}),
        ((10, None), {"quantity": 10, "unit": "bag of 100"}),
        ((10, None), {"quantity": 10, "unit": "box"}),
        ((40, "hour"), {"quantity": 40, "unit": "day"}),
        ((40, "hours"), {"quantity": 5, "unit": "Tage"}),
        ((1000, "pcs"), {"quantity": 1000, "unit": "1000"}),
        ((1000, "pcs"), {"quantity": 1000, "unit": "per 1,000"}),
        ((500, "kg"), {"quantity": 500, "unit": "1.000 kg"}),
        ((1000, None), {"quantity": 1000, "unit": "crate of 144"}),
        ((500, "kg"), {"quantity": 500, "unit": "t"}),
        ((100, "lb"), {"quantity": 46, "unit": "kg"}),
        ((100, "pcs"), {"quantity": 8, "unit": "dozen"}),
        ((500, "kg"), {"quantity": 500, "unit": "pcs"}),
        ((500, "kg"), {"quantity": 500, "unit": "GB"}),
        ((20, "seats"), {"quantity": 20, "unit": "kg"}),
        ((20, "GB"), {"quantity": 20, "unit": "TB"}),
    ],
)
def test_a_quote_in_a_unit_that_nobody_can_convert_is_not_compared(
    needed: tuple[float, str | None], quoted: dict[str, Any]
) -> None:
    [cell] = compare(need(*needed), {"unitPrice": 5, **quoted})
    assert not cell.comparable


def test_quotes_in_two_units_are_not_compared_where_none_is_needed() -> None:
    hour, day = compare(
        need(40),
        {"quantity": 40, "unit": "hour", "unitPrice": 9},
        {"quantity": 40, "unit": "day", "unitPrice": 50},
    )
    assert (hour.comparable, day.comparable) == (False, False)
    kilograms, tonnes = compare(
        need(500),
        {"quantity": 500, "unit": "kg", "unitPrice": 1},
        {"quantity": 0.5, "unit": "t", "unitPrice": 900},
    )
    assert (kilograms.amount, tonnes.amount) == (500, 450)


@pytest.mark.parametrize(
    ("tax", "amount"),
    [
        ({"taxIncluded": True, "taxPercent": 20}, 125),
        ({"taxIncluded": True}, None),
        ({"taxIncluded": False}, 150),
        ({}, 150),
    ],
)
def test_a_tax_is_taken_out_of_the_price_or_the_line_is_not_compared(
    tax: dict[str, Any], amount: int | None
) -> None:
    [cell] = compare(need(10), {"quantity": 10, "unitPrice": 15, **tax})
    assert (cell.amount, cell.comparable) == (amount, amount is not None)


def test_steps_are_converted_and_hold_between_their_ends() -> None:
    steps = {
        "quantity": 1, "unit": "100 pcs", "unitPrice": 12, "minimumQuantity": 1, "maximumQuantity": 10,
        "breaks": [{"fromQuantity": 5, "unitPrice": 10}],
    }  # fmt: skip
    cells = {quantity: compare(need(quantity, "pcs"), steps)[0] for quantity in (50, 250, 600, 2000)}
    assert {quantity: cell.amount for quantity, cell in cells.items() if cell.comparable} == {
        250: 30,
        600: 60,
    }


def test_a_converted_quantity_is_said_in_few_digits() -> None:
    """Five pieces of which three are a box."""
    line = {"quantity": 3, "unit": "pcs", "unitPrice": 2, "minimumQuantity": 5}
    [cell] = compare(need(1, "box of 3"), line)
    assert cell.reason == "It is sold from 1.67 on, and 1 are needed."
    [cell] = compare(need(1, "box of 3"), {**line, "quantity": 4, "minimumQuantity": 1})
    assert cell.reason == "Quoted for 1.33, and 1 are needed: the price of a unit may be another."
