"""Counts, shares and days in words."""

from datetime import date
from decimal import Decimal

NO_VALUE = "—"
"""Stands where there is no value."""


def format_count(count: int, one: str, many: str | None = None) -> str:
    """`1 product`, `1,234 products`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def format_decimal(value: Decimal | float | None, places: int = 2) -> str:
    """`1,234.5`: thousands apart, and at most `places` decimals that are not zero."""
    if value is None:
        return NO_VALUE
    text = f"{Decimal(str(value)):,.{places}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def format_date(value: date | str | None) -> str:
    """`20 Nov 2026` of a date or of ISO text. Text that is no date stands as it is; none is a dash."""
    if not value:
        return NO_VALUE
    if isinstance(value, str):
        try:
            value = date.fromisoformat(value[:10])
        except ValueError:
            return str(value)
    return f"{value:%-d %b %Y}"
