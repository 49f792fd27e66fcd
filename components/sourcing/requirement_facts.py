"""What a requirement is about, in one sentence."""

from app.contract.sourcing import Requirement
from components.formatting.counts import format_count, format_date
from components.formatting.terms import format_months


def describe_requirement(one: Requirement) -> str:
    """Return `2 lines, 3 quotes, in USD for 24 months, present values at 8 % a year`."""
    parts = [
        format_count(len(one.lines), "line"),
        format_count(one.quote_count, "quote"),
        f"in {one.currency} for {format_months(one.term_months)}",
    ]
    if one.needed_by is not None:
        parts.append(f"needed by {format_date(one.needed_by)}")
    if one.discount_rate is not None:
        parts.append(f"present values at {one.discount_rate.normalize():f} % a year")
    return ", ".join(parts)
