"""Counts and dates as text."""

from datetime import date
from decimal import Decimal

NO_VALUE = "—"
"""Shown in place of a missing value."""


def format_count(count: int, one: str, many: str | None = None) -> str:
    """Return `1 product` or `1,234 products`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def format_percent(rate: Decimal) -> str:
    """Return `23.9 %`, negative as `-23.9 %`: a metric tells by the hyphen that a change is downwards."""
    return f"{rate.normalize():f} %"


def format_date(value: date | str | None) -> str:
    """Return `20 Nov 2026` for a date or ISO text; other text unchanged, a dash for None."""
    if not value:
        return NO_VALUE
    if isinstance(value, str):
        try:
            value = date.fromisoformat(value[:10])
        except ValueError:
            return str(value)
    return f"{value:%-d %b %Y}"
