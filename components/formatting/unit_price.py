"""Prices per unit and month, which can be compared over terms and quantities."""

from decimal import Decimal

from app.contract.money import format_money


def format_total_per_unit(
    total: Decimal,
    quantity: Decimal,
    months: Decimal | int | None,
    unit: str | None,
    currency: str,
) -> str:
    """Return a total as `USD 12.50 per user and month`; without a term (None or 0 months: paid once) as
    `USD 12.50 per user`. The `unit` is called "unit" where it is not known."""
    periods = Decimal(months or 0)
    price = total / (quantity or Decimal(1)) / (periods or Decimal(1))
    return f"{format_money(price, currency)} {describe_unit(unit, recurring=bool(periods))}"


def describe_unit(unit: str | None, *, recurring: bool) -> str:
    """Return `per user and month`, or `per user` where the price is paid once."""
    return f"per {unit or 'unit'}{' and month' if recurring else ''}"
