"""Terms as text."""

from decimal import Decimal


def format_months(term: Decimal | int) -> str:
    """Return a term such as `1 month`, `18 months`, `3 years (36 months)`."""
    whole = int(term) if term == int(term) else term
    if isinstance(whole, int) and whole >= 24 and whole % 12 == 0:
        return f"{whole // 12} years ({whole} months)"
    return f"{whole} month" if whole == 1 else f"{whole} months"
