"""The part of the term that a price is for, in words."""

_YEAR = 12


def describe_part(first_month: int | None, months: int | None) -> str | None:
    """Return `year 2`, `months 13 to 18`, or `month 7` of what is paid once; None for all of the term."""
    if first_month is None and months is None:
        return None
    first = first_month or 0
    if months in (None, _YEAR) and first % _YEAR == 0:
        return f"year {first // _YEAR + 1}"
    return f"month {first + 1}" if months in (None, 1) else f"months {first + 1} to {first + months}"
