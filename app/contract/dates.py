"""Dates in sentences and letters."""

from calendar import month_name
from datetime import date


def format_day(day: date) -> str:
    """Return `7 June 2026`."""
    return f"{day.day} {month_name[day.month]} {day.year}"
