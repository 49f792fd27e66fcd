"""Lines written out as calculations."""

from decimal import Decimal

import pytest

from app.service.documents.extraction import LineItem
from app.service.documents.tables.inline_calculations import read_calculation, read_inline_calculations
from tests.service.documents.typewriter import type_document


def read(text: str) -> list[LineItem]:
    return read_inline_calculations(type_document(text).rows)


@pytest.mark.parametrize(
    ("line", "quantity", "price", "amount", "months"),
    [
        ("146 users x GBP 54.00 per month x 12 months   GBP 94,608.00", 146, 54, 94608, 12),
        ("10 seats @ $5.00   $50.00", 10, 5, 50, None),
        ("- 10 seats @ $5.00 per month = $600.00", 10, 5, 600, 12),
        ("- 10 seats at $60.00 per year   $1,800.00", 10, 60, 1800, 36),
        ("Day units   3,200 kWh x 25.50p   £816.00", 3200, 0.255, 816, None),
        ("Capacity   60 kVA x 30 days x 4.00p   £72.00", 1800, 0.04, 72, None),
        ("Hire   2 units x 14 days x $5.00   $140.00", 28, 5, 140, None),
        ("10 Plätze zu je 120,00 EUR pro Jahr   1.200,00 EUR", 10, 120, 1200, 12),
    ],
)
def test_quantity_price_and_periods_give_the_amount(
    line: str, quantity: int, price: float, amount: int, months: int | None
) -> None:
    [item] = read(line)
    assert (item.quantity, item.amount, item.period_months) == (quantity, amount, months)
    assert item.unit_price == Decimal(str(price))
    assert item.provenance["amount"].verified


def test_the_description_is_the_line_above() -> None:
    [item] = read("Editor seats\n10 x $5.00   $50.00")
    assert item.description == "Editor seats"


def test_what_adds_up_to_the_lines_is_their_sum() -> None:
    items = read("10 seats @ $5.00   $50.00\n2 guests @ $1.50   $3.00\nTotal   $53.00")
    assert [item.amount for item in items] == [50, 3]


@pytest.mark.parametrize(("text", "is_sure"), [("12,500.00 x 40.00", False), ("12,500 x 40.00", True)])
def test_of_two_factors_like_money_nothing_tells_which_is_the_price(text: str, is_sure: bool) -> None:
    [line] = read(f"Cement 50 kg\n{text}  500,000.00")
    sure = [line.provenance[name].verified for name in ("quantity", "unit_price", "amount")]
    assert sure == [is_sure, is_sure, True]


def test_text_without_a_calculation_has_no_lines() -> None:
    assert read("Payment within 30 days\nTotal   $53.00") == []


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("Pos. 2: 2 Stk. Steuerung, je 420,00 EUR, gesamt 840,00 EUR", "Steuerung"),
        ("Item 2: 2 pcs driver at EUR 420.00 each, total EUR 840.00", "driver"),
    ],
)
def test_the_number_of_a_position_is_no_name(line: str, name: str) -> None:
    item = read_calculation(type_document(line).rows[0])
    assert item
    assert (item.description or "").startswith(name)
