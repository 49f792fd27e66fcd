"""Amounts, quantities and terms as text: the currency code in front, with separators of thousands."""

from decimal import ROUND_HALF_EVEN, Decimal

_NO_CENTS_FROM = 10_000


def format_money(amount: Decimal | float, currency: str) -> str:
    """Return `USD 48,250` or `USD 12.50`; see `format_quantity` for the cents."""
    return f"{currency} {format_quantity(amount)}".strip()


def format_quantity(amount: Decimal | float) -> str:
    """Return a number with separators of thousands; two decimals where it is below 10,000 and not whole."""
    exact = amount if isinstance(amount, Decimal) else Decimal(str(amount))
    if abs(exact) >= _NO_CENTS_FROM or exact == exact.to_integral_value():
        return f"{exact.quantize(Decimal(1), ROUND_HALF_EVEN):,f}"
    return f"{exact.quantize(Decimal('0.01'), ROUND_HALF_EVEN):,f}"


def format_signed_money(amount: Decimal, currency: str) -> str:
    """Return the amount with its sign: `+USD 1,200`, `−USD 300`, `USD 0`."""
    sign = "+" if amount > 0 else "−" if amount < 0 else ""
    return f"{sign}{format_money(abs(amount), currency)}"


def format_months(term: Decimal | int) -> str:
    """Return a term such as `1 month`, `18 months`, `3 years (36 months)`."""
    whole = int(term) if term == int(term) else term
    if isinstance(whole, int) and whole >= 24 and whole % 12 == 0:
        return f"{whole // 12} years ({whole} months)"
    return f"{whole} month" if whole == 1 else f"{whole} months"
