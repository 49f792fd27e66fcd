"""Counts, percentiles, terms and prices of a unit as text."""

import re
from datetime import date
from decimal import Decimal

from app.contract.counts import format_count as format_count
from app.contract.money import format_exact_quantity, format_money

NO_VALUE = "—"
"""Shown in place of a missing value."""

_REGULAR_NOUN = re.compile(r"(?=.*[aeiou])[a-z]{2,}(?<![csx]h|[^aeiou]y|.[sxz])")
"""A word whose plural has an s. Abbreviations, plurals and units of several words stay as they are."""


def format_units(quantity: Decimal, unit: str | None) -> str:
    """Return `20 seats`, `1 user`, `1.50 TB`, or the number alone where the unit is not known."""
    is_several = quantity != 1 and unit and _REGULAR_NOUN.fullmatch(unit)
    return f"{format_exact_quantity(quantity)} {unit or ''}{'s' if is_several else ''}".strip()


def format_known_money(amount: Decimal | None, currency: str | None) -> str | None:
    """Return `USD 12,500`; None where the amount is not known."""
    return None if amount is None else format_money(amount, currency or "")


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


def name_percentile(percent: int) -> str:
    """Return `A quarter pay less` for 25, `Median` for 50, `A tenth pay more` for 90."""
    if percent == 50:
        return "Median"
    share = min(percent, 100 - percent)
    words = {10: "A tenth", 25: "A quarter"}.get(share, f"{share} %")
    return f"{words} pay {'less' if percent < 50 else 'more'}"


def format_months(term: Decimal | int) -> str:
    """Return a term such as `1 month`, `18 months`, `3 years (36 months)`."""
    whole = int(term) if term == int(term) else term
    if isinstance(whole, int) and whole >= 24 and whole % 12 == 0:
        return f"{whole // 12} years ({whole} months)"
    return f"{whole} month" if whole == 1 else f"{whole} months"


def format_total_per_unit(
    total: Decimal, quantity: Decimal, months: Decimal | int | None, unit: str | None, currency: str
) -> str:
    """Return a total as `USD 12.50 per user and month`; without a term (None or 0 months: paid once) as
    `USD 12.50 per user`. The `unit` is called "unit" where it is not known."""
    periods = Decimal(months or 0)
    price = total / (quantity or Decimal(1)) / (periods or Decimal(1))
    return f"{format_money(price, currency)} {describe_unit(unit, recurring=bool(periods))}"


def describe_unit(unit: str | None, *, recurring: bool) -> str:
    """Return `per user and month`, or `per user` where the price is paid once."""
    return f"per {unit or 'unit'}{' and month' if recurring else ''}"
