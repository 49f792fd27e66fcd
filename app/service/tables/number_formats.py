"""What the format of a number says: that it is a date or a time, or what is shown beside its digits."""

import re
from datetime import date, datetime, time, timedelta
from functools import cache, lru_cache

_DATES = {14: "date", 15: "date", 16: "date", 17: "date", 18: "time", 19: "time", 20: "time", 21: "time",
          22: "date", 45: "time", 46: "duration", 47: "time"}  # fmt: skip
_EAST_ASIAN_DATES = frozenset({*range(27, 37), *range(50, 59)} - {32, 33, 34, 35, 55, 56})
_PER_CENT = {9: "0%", 10: "0.00%"}
_UNSHOWN = re.compile(r'"[^"]*"|\\.|[_*].|\[(?![hms]+\])[^\]]*\]', re.IGNORECASE)
_DURATION = re.compile(r"\[[hms]+\]", re.IGNORECASE)
_PLAIN = re.compile(
    r"(?:\[(?:black|blue|cyan|green|magenta|red|white|yellow|color ?\d+|[<>=]+-?[\d.]+)\]"
    r"|[_*].|general|[#0?.,;()+\- @]|e[+-]|\\[-() ]|\"[-() ]?\")*",
    re.IGNORECASE,
)
FIRST_DAY, FIRST_DAY_1904 = date(1899, 12, 30), date(1904, 1, 1)
_LAST_SERIAL = 2_958_465
"""The 31st of December 9999."""


@cache
def find_number_kind(number: int, code: str | None) -> str:
    """Return whether a format is of a `date`, a `time`, a `duration`, of a number that `shows` more than its
    digits, or of a `plain` one. `number` is that of a built-in format, `code` the file's own."""
    if code is None:
        if number in _EAST_ASIAN_DATES:
            return "date"
        return _DATES.get(number, "shows" if number in _PER_CENT else "plain")
    # The first part is that of numbers above 0.
    shown = _UNSHOWN.sub("", code.split(";")[0]).lower()
    if _DURATION.search(shown):
        return "duration"
    letters = set(re.sub(r"general|am/pm|a/p|e[+-]", "", shown))
    if letters & set("dy") or ("m" in letters and not letters & set("hs")):
        return "date"
    if letters & set("hs"):
        return "time"
    return "plain" if _PLAIN.fullmatch(code) else "shows"


def describe_format(number: int, code: str | None) -> str:
    """Return the format of a number as text."""
    return code if code is not None else _PER_CENT.get(number, "General")


@lru_cache(16_384)
def read_serial(serial: float, kind: str, first: date) -> date | time | timedelta | float:
    """Return the day or time that a serial number stands for; the number itself where it is none."""
    if kind == "duration":
        return timedelta(days=serial) if 0 <= serial < _LAST_SERIAL else serial
    if not 0 <= serial < _LAST_SERIAL + 1:
        return serial
    days, rest = divmod(round(serial * 86_400), 86_400)
    if kind == "time" and not days:
        return time(rest // 3600, rest // 60 % 60, rest % 60)
    if first == FIRST_DAY and days < 60:
        days += 1  # Excel has a 29th of February 1900
    try:
        day = first + timedelta(days=days)
    except OverflowError:
        return serial
    return day if not rest else datetime.combine(day, time()) + timedelta(seconds=rest)
