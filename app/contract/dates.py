"""Dates in sentences and letters, and the length of a month."""

from calendar import month_name
from datetime import date

DAYS_IN_MONTH = 365.25 / 12


def format_day(day: date) -> str:
    """Return `7 June 2026`."""
    return f"{day.day} {month_name[day.month]} {day.year}"
