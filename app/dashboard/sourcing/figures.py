"""How the table of quotes writes amounts, prices and quantities."""

from decimal import Decimal

from app.contract.money import format_exact_quantity, format_quantity
from app.contract.sourcing import RequirementLine

_MOST_DECIMALS = 6


def format_cents(amount: Decimal) -> str:
    """Return an amount to the cent, which stands in a column of one currency: `12,500.00`."""
    return f"{amount:,.2f}".replace("-", "−")


def format_unit_price(price: Decimal, currency: str) -> str:
    """Return a price of a unit with all its digits; one that was computed from an amount, rounded."""
    exact = price.normalize()
    decimals = -int(exact.as_tuple().exponent)
    number = format_quantity(price) if decimals > _MOST_DECIMALS else format_exact_quantity(price)
    return f"{currency} {number}"


def describe_quantity(line: RequirementLine) -> str:
    """Return `20 seats`."""
    return f"{format_exact_quantity(line.quantity)} {line.unit or ''}".strip()
