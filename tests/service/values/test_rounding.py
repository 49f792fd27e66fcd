"""Whether printed figures add up and multiply, granting their rounding."""

from decimal import Decimal

import pytest

from app.service.values.rounding import (
    adds_up,
    count_decimals,
    divide_price,
    is_close,
    is_product,
    round_to_cents,
)


def test_amounts_are_rounded_half_up_to_cents() -> None:
    assert round_to_cents(Decimal("0.125")) == Decimal("0.13")
    assert is_close(Decimal("1.00"), Decimal("1.01"))
    assert not is_close(Decimal("1.00"), Decimal("1.02"))


def test_decimals_are_those_that_are_printed() -> None:
    assert [count_decimals(Decimal(shown)) for shown in ("12", "12.50", "1E+2")] == [0, 2, 0]


@pytest.mark.parametrize(
    ("quantity", "price", "factor", "amount", "right"),
    [
        ("10", "5.00", "1", "50.00", True),
        ("10", "5.00", "12", "600.00", True),
        ("3", "33.33", "1", "100.00", True),  # a third of 100, printed in cents
        ("3", "33", "1", "100", False),  # a whole price was not rounded from cents
        ("10", "5.00", "1", "51.00", False),
        ("100000", "0.01", "1", "1400.00", False),  # half a cent a piece is not granted without end
    ],
)
def test_a_product_grants_the_rounding_of_the_price(
    quantity: str, price: str, factor: str, amount: str, right: bool
) -> None:
    assert is_product(Decimal(quantity), Decimal(price), Decimal(factor), Decimal(amount)) is right


def test_a_sum_grants_half_a_cent_for_each_part() -> None:
    parts = [Decimal("33.33")] * 3
    assert adds_up(parts, Decimal("100.01"))
    assert not adds_up(parts, Decimal("100.10"))
    assert not adds_up([], Decimal(0))


def test_a_net_price_is_in_cents_where_that_multiplies() -> None:
    assert divide_price(Decimal("50.00"), Decimal(10)) == Decimal("5.00")
    assert divide_price(Decimal("10.00"), Decimal(3000)) == Decimal("0.0033")
