"""Whether printed figures multiply and add up, granting their rounding."""

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal

from app.contract.money import CENT as CENT
from app.contract.money import round_to_cents as round_to_cents


def is_close(one: Decimal, other: Decimal, slack: Decimal = CENT) -> bool:
    return abs(one - other) <= slack


def divide_price(amount: Decimal, quantity: Decimal) -> Decimal:
    """The price that gives an amount: in cents where that multiplies, else with four decimals."""
    cents = round_to_cents(amount / quantity)
    exact = (amount / quantity).quantize(Decimal("0.0001"), ROUND_HALF_UP)
    return cents if is_close(cents * quantity, amount) else exact


def count_decimals(value: Decimal) -> int:
    exponent = value.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def is_product(quantity: Decimal, price: Decimal, factor: Decimal, amount: Decimal) -> bool:
    """Whether quantity x price x factor is the amount, granting that the printed price was rounded."""
    slack = Decimal("0.011")
    if count_decimals(price) >= 2:
        slack += abs(quantity * factor) * Decimal(5).scaleb(-count_decimals(price) - 1)
        slack = min(slack, abs(amount) * Decimal("0.002") + Decimal("0.02"))
    return abs(quantity * price * factor - amount) <= slack


def adds_up(parts: Sequence[Decimal], whole: Decimal) -> bool:
    """Whether the parts add up to the whole, granting half a cent of rounding for each part."""
    return bool(parts) and is_close(sum(parts, Decimal(0)), whole, CENT + Decimal("0.005") * len(parts))
