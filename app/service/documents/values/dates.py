"""Dates as people print them."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Literal, TypeAlias

from app.service.documents.lexicon.languages import WORDS
from app.service.documents.lexicon.phrases import preceded_by
from app.service.documents.values.folding import fold

DayOrder: TypeAlias = Literal["day first", "month first"]

_DATES = WORDS.dates
MONTHS = {name: number for number, names in _DATES.months.items() for name in names.split(" | ")}
_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_YEAR = rf"(?P<year>\d{{4}}|\d{{2}}(?!\d|[-/.]\d|,? \d{{4}}|[\s.]*(?:{_MONTH})))"
# The letters after a day (`1er`, `2nd`) are often raised, and then stand apart from it.
_LETTERS = rf"(?: ?(?:{_DATES.day_suffixes}|\.))?"
_LINK = rf"(?:{_DATES.links} ?)?"
_DAY = rf"(?P<day>\d{{1,2}}){_LETTERS}"
_LAST_DAY = rf"\d{{1,2}}{_LETTERS}"
_TO = rf"\s*(?:[-–—]|{_DATES.until})\s*"
# The first day of a range, which takes what it leaves out from the last: `1 - 31 March 2025`.
_FIRST_OF_RANGE = tuple(
    re.compile(form)
    for form in (
        rf"(?<![\d.,]){_DAY} ?{_LINK}(?P<name>{_MONTH})\.?"
        rf"(?={_TO}{_LAST_DAY} ?{_LINK}(?:{_MONTH})\.?,? ?{_LINK}(?P<year>\d{{4}})\b)",
        rf"(?:{preceded_by(_DATES.since)}|(?<![\d.,])(?=\d+\.)){_DAY}"
        rf"(?={_TO}{_LAST_DAY} ?{_LINK}(?P<name>{_MONTH})\.?,? ?{_LINK}(?P<year>\d{{4}})\b)",
        rf"\b(?P<name>{_MONTH})\.? {_DAY}(?={_TO}(?:(?:{_MONTH})\.? )?{_LAST_DAY},? (?P<year>\d{{4}})\b)",
        r"(?<![\d.,/-])(?P<day>\d{1,2})\. ?(?P<month>\d{1,2})\."
        rf"(?={_TO}\d{{1,2}}\. ?\d{{1,2}}\. ?(?P<year>\d{{4}})\b)",
    )
)
_NUMERIC = re.compile(
    r"(?<![\d.,/])(?<!(?<![.\d])-)(?P<one>\d{1,2})\s?(?P<gap>[-/.])\s?(?P<two>\d{1,2})\s?(?P=gap)\s?"
    r"(?P<year>\d{4}|\d{2})(?!\d|-(?!\d\d?[./]\d)|,\d)"
)
_FORMS = (
    *_FIRST_OF_RANGE,
    *(re.compile(form) for form in (
        r"(?<!\d)(?P<year>\d{4})[-/.年](?P<month>\d{1,2})[-/.月](?P<day>\d{1,2})(?!\d)日?",
        rf"(?<!\d){_DAY}[\s\-./]*{_LINK}"
        rf"(?P<name>{_MONTH})\.?,?[\s\-./]*{_LINK}{_YEAR}\b",
        rf"\b(?P<name>{_MONTH})\.?[\s\-./]*(?P<day>\d{{1,2}})(?: ?{_DATES.day_suffixes})?"
        rf",?[\s\-./]+{_YEAR}\b",
        _NUMERIC,
        rf"\b(?P<year>\d{{4}})[\s\-./]+(?P<name>{_MONTH})[\s\-./]+(?P<day>\d{{1,2}})(?!\d)",
    )),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PrintedDate:
    """A date found in a text, with the offsets of its letters. `alternative` is its reading with day
    and month exchanged, where both are possible."""

    value: date
    start: int
    end: int
    alternative: date | None = None


def find_dates(text: str, order: DayOrder = "day first") -> list[PrintedDate]:
    """All dates of a text from left to right; the numeric ones are read in the given order."""
    taken: list[PrintedDate] = []
    lowered = fold(text)
    for form in _FORMS:
        for found in form.finditer(lowered):
            if any(found.start() < one.end and one.start < found.end() for one in taken):
                continue
            printed = _read_date(found, order)
            if printed:
                taken.append(printed)
    return sorted(taken, key=lambda one: one.start)


def find_day_order(texts: Iterable[str], *, american: bool) -> DayOrder:
    """Which comes first in numeric dates: decided by a date that allows one reading only, else by the
    place the document comes from."""
    votes = {"day first": 0, "month first": 0}
    for one, two in _list_numeric_pairs(texts):
        if one > 12 >= two:
            votes["day first"] += 1
        elif two > 12 >= one:
            votes["month first"] += 1
    if votes["day first"] != votes["month first"]:
        return "day first" if votes["day first"] > votes["month first"] else "month first"
    return "month first" if american else "day first"


def _list_numeric_pairs(texts: Iterable[str]) -> Iterator[tuple[int, int]]:
    for text in texts:
        for found in _NUMERIC.finditer(fold(text)):
            yield int(found["one"]), int(found["two"])


def _read_date(found: re.Match[str], order: DayOrder) -> PrintedDate | None:
    parts = found.groupdict()
    year = int(parts["year"])
    year += 0 if year > 99 else 2000 if year < 70 else 1900
    alternative = None
    if parts.get("name"):
        value = _make_date(year, MONTHS[parts["name"]], int(parts["day"]))
    elif parts.get("one"):
        one, two = int(parts["one"]), int(parts["two"])
        # Dots are never used month first.
        month_first = order == "month first" and parts["gap"] != "."
        readings = (_make_date(year, one, two), _make_date(year, two, one))
        value, alternative = readings if month_first else readings[::-1]
        if value is None:
            value, alternative = alternative, None
    else:
        value = _make_date(year, int(parts["month"]), int(parts["day"]))
    if value is None:
        return None
    return PrintedDate(value, found.start(), found.end(), alternative if alternative != value else None)


def _make_date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day) if 1950 <= year <= 2100 else None
    except ValueError:
        return None
