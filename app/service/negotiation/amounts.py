"""Amounts of money as rows store them and as JSON numbers."""

from decimal import Decimal


def amount_to_text(value: Decimal) -> str:
    """Return the exact amount as text: a float in JSON would round it."""
    return str(value)


def parse_amount(text: object) -> Decimal:
    """Return the amount that a row or a request holds, as text or as a JSON number."""
    return Decimal(str(text))


def amount_to_json(value: Decimal) -> int | float:
    """Return the amount as a JSON number."""
    return int(value) if value == value.to_integral_value() else float(value)
