"""A total as the price of one unit and month, which is what can be compared over terms and quantities."""

from decimal import Decimal

import streamlit as st

from components.formatting.money import format_money


def format_total_per_unit(
    total: Decimal,
    quantity: Decimal,
    months: Decimal | int | None,
    unit: str | None,
    currency: str,
) -> str:
    """`USD 12.50 per user and month`; without a term (None or 0 months: paid once) `USD 12.50 per user`. What
    a quantity counts is a `unit` where nobody says."""
    periods = Decimal(months or 0)
    price = total / (quantity or Decimal(1)) / (periods or Decimal(1))
    named = unit or "unit"
    return f"{format_unit_price(price, currency)} per {named}{' and month' if periods else ''}"


def format_unit_price(price: Decimal, currency: str) -> str:
    """A unit price: with more places than a total where it is less than one."""
    if price == 0 or price >= 1:
        return format_money(price, currency)
    return f"{currency} {price.quantize(Decimal('0.0001')).normalize():f}".strip()


def example() -> None:
    st.markdown(format_total_per_unit(Decimal(18_000), Decimal(120), 12, "user", "USD"))
    st.markdown(format_total_per_unit(Decimal(700), Decimal(10_000), None, None, "USD"))
