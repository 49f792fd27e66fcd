"""Read dates in the formats that order systems export."""

import re
from collections.abc import Iterable
from datetime import date
from typing import Literal

from app.contract.dates import format_day

SlashOrder = Literal["month first", "day first"]

_ISO = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:[T ].*)?")
_COMPACT = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})")
_YEAR_FIRST = re.compile(r"([0-9]{4})[/.]([0-9]{1,2})[/.]([0-9]{1,2})")
_POINTS = re.compile(r"([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{4})(?: .*)?")
_SLASHES = re.compile(r"([0-9]{1,2})[/-]([0-9]{1,2})[/-]([0-9]{4})(?: .*)?")
_NAMED = re.compile(r"([0-9]{1,2})[- ]([A-Za-z]{3})[a-z]*[- ,]+([0-9]{4})")
_NAMED_FIRST = re.compile(r"([A-Za-z]{3})[a-z]*\.? ([0-9]{1,2}),? ([0-9]{4})")
_MONTHS = {
    name: number
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), start=1
    )
}

EARLIEST, LATEST = date(1970, 1, 1), date(2100, 1, 1)
"""Dates beyond these stand for something else, such as 9999-12-31 for never."""


class NotADate(ValueError):
    """The text is not a date, or one that the calendar does not have."""


def read_date(text: str, slashes: SlashOrder | None) -> date:
    """Read a date as `parse_date` does, and refuse one that no purchase has, or that is one of two where the
    order is not known."""
    if slashes is None:
        slashes = find_slash_order([text]) or "day first"
        if is_ambiguous(text):
            raise NotADate(f"{describe_ambiguity(text)}. Say whether the day or the month comes first.")
    day = parse_date(text, slashes)
    check_date(day, text)
    return day


def parse_date(text: str, slashes: SlashOrder) -> date:
    """Read ISO (`2024-03-05`), points (`05.03.2024`, day first) or slashes (`03/05/2024`, as `slashes`
    says)."""
    if match := _ISO.fullmatch(text) or _YEAR_FIRST.fullmatch(text) or _COMPACT.fullmatch(text):
        year, month, day = (int(part) for part in match.groups())
    elif match := _POINTS.fullmatch(text):
        day, month, year = (int(part) for part in match.groups())
    elif match := _SLASHES.fullmatch(text):
        first, second, year = (int(part) for part in match.groups())
        month, day = (first, second) if slashes == "month first" else (second, first)
    elif match := _NAMED.fullmatch(text):
        day, year = int(match[1]), int(match[3])
        month = _MONTHS.get(match[2].lower(), 0)
    elif match := _NAMED_FIRST.fullmatch(text):
        day, year = int(match[2]), int(match[3])
        month = _MONTHS.get(match[1].lower(), 0)
    else:
        raise NotADate(f"{text[:40]!r} is not a date")
    try:
        return date(year, month, day)
    except ValueError:
        raise NotADate(f"{text[:40]!r} is a date that the calendar does not have") from None


def check_date(day: date, text: str) -> None:
    """Raise `NotADate` for a date that no purchase has; `text` is how the file writes it."""
    if day < EARLIEST:
        raise NotADate(f"{text[:40]!r} is before {EARLIEST.year}")
    if day >= LATEST:
        raise NotADate(f"{text[:40]!r} is not before {LATEST.year}")


def find_slash_order(samples: Iterable[str]) -> SlashOrder | None:
    """Return whether `03/05/2024` is March or May where the other values prove it; None where none of them
    does, or where they contradict each other."""
    day_first, month_first = _count_slash_orders(samples)
    if bool(day_first) == bool(month_first):
        return None
    return "day first" if day_first else "month first"


def is_ambiguous(text: str) -> bool:
    """Say whether day and month can be exchanged, which gives another date."""
    match = _SLASHES.fullmatch(text.strip())
    return match is not None and int(match[1]) <= 12 and int(match[2]) <= 12 and match[1] != match[2]


def describe_ambiguity(text: str) -> str:
    """Return a sentence without its end that names both readings of an ambiguous date."""
    days = (format_day(parse_date(text, order)) for order in ("day first", "month first"))
    return f"{text[:40]!r} is {' or '.join(days)}, and no date of the file shows which"


def _count_slash_orders(samples: Iterable[str]) -> tuple[int, int]:
    """Return how many values can only have the day first, and how many only the month."""
    day_first = month_first = 0
    for text in samples:
        if match := _SLASHES.fullmatch(text.strip()):
            day_first += int(match[1]) > 12
            month_first += int(match[2]) > 12
    return day_first, month_first
