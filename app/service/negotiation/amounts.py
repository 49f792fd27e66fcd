"""Money as a row keeps it and as a sentence says it."""

from decimal import Decimal


def amount_to_text(value: Decimal) -> str:
    """The exact amount as text: a float in JSON would round it."""
    return str(value)


def parse_amount(text: object) -> Decimal:
    """The amount that a row keeps, whether as text or as the number that came over the wire."""
    return Decimal(str(text))


def format_amount(value: Decimal) -> str:
    """The exact amount with thousands set apart and no needless zeros: 12,500 or 99.50 or 0.125."""
    whole, _, decimals = f"{value:,f}".partition(".")
    decimals = decimals.rstrip("0")
    return f"{whole}.{decimals:0<2}" if decimals else whole


def amount_to_json(value: Decimal) -> int | float:
    """The amount as a JSON number."""
    return int(value) if value == value.to_integral_value() else float(value)
