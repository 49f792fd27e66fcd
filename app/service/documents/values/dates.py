"""Dates as people print them."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal, TypeAlias

from app.service.documents.lexicon.languages import WORDS
from app.service.documents.lexicon.phrases import either
from app.service.values.folding import fold

DayOrder: TypeAlias = Literal["day first", "month first"]

_DATES = WORDS.dates
MONTHS = {name: number for number, names in _DATES.months.items() for name in names.split(" | ")}
_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_YEAR = rf"(?P<year>\d{{4}}|\d{{2}}(?!\d|[-/.]\d|,? \d{{4}}|[\s.]*(?:{_MONTH})))"
# The letters after a day (`1er`, `2nd`) are often raised, and then stand apart from it.
_LETTERS = rf"(?: ?(?:{_DATES.day_suffixes}|\.))?"
_LINK = rf"(?:{_DATES.links} ?)?"
_DAY = rf"(?P<day>\d{{1,2}}){_LETTERS}"
_NUMERIC = re.compile(
    r"(?<![\d.,/])(?<!(?<![.\d])-)(?P<one>\d{1,2})\s?(?P<gap>[-/.])\s?(?P<two>\d{1,2})\s?(?P=gap)\s?"
    r"(?P<year>\d{4}|\d{2})(?!\d|-(?!\d\d?[./]\d)|,\d)"
)
_FORMS = tuple(
    re.compile(form) for form in (
        r"(?<!\d)(?P<year>\d{4})(?:年|(?P<sign>[-/.]))(?P<month>\d{1,2})(?(sign)(?P=sign)|月)"
        r"(?P<day>\d{1,2})(?!\d)日?",
        rf"(?<!\d){_DAY}[\s\-./]*{_LINK}"
        rf"(?P<name>{_MONTH})\.?,?[\s\-./]*{_LINK}{_YEAR}\b",
        rf"\b(?P<name>{_MONTH})\.?[\s\-./]*(?P<day>\d{{1,2}})(?: ?{_DATES.day_suffixes})?"
        rf",?[\s\-./]+{_YEAR}\b",
        _NUMERIC,
        rf"\b(?P<year>\d{{4}})[\s\-./]+(?P<name>{_MONTH})[\s\-./]+(?P<day>\d{{1,2}})(?!\d)",
    )
)  # fmt: skip

# A range whose first day leaves out what the last one says, or the last what the first one says. Digits alone
# may be the number of a line or of a page, and so begin a range only where a text, a part of it or a label
# does: `Quantity 4 - 31 March 2025` is none.
_TO = rf"\s*(?:[-–—~〜]|(?<![a-z0-9])(?:{_DATES.until})(?![a-z]))\s*"
_BEGINS = (
    rf"(?:^|[:(,;|]|(?<![a-z0-9])(?:{either(' | '.join(_DATES.since))}|{_DATES.starts})(?![a-z]))\s*:?\s*"
)
_NAMED_YEAR = rf",?[\s\-./]*{_LINK}[‘’']?{_YEAR}\b"
_LAST_NAMED = rf"(?P<last>(?P<day>\d{{1,2}}){_LETTERS} ?{_LINK}(?P<name>{_MONTH})\.?{_NAMED_YEAR})"
_LAST_NUMBERS = (
    r"(?P<last>(?P<one>\d{1,2})(?P<gap>[-/.]) ?(?P<two>\d{1,2})(?P=gap) ?(?P<year>\d{4}|\d{2})(?![\d,]))"
)
_RANGES = tuple(
    re.compile(form) for form in (
        rf"(?<![\d.,])(?P<first>(?P<first_day>\d{{1,2}}){_LETTERS} ?{_LINK}(?P<first_name>{_MONTH})\.?)"
        rf"{_TO}{_LAST_NAMED}",
        rf"(?<![\w.,-])(?P<first>(?P<first_day>\d{{1,2}}) ?(?:{_DATES.day_suffixes}|\.)){_TO}{_LAST_NAMED}",
        rf"{_BEGINS}(?P<first>(?P<first_day>\d{{1,2}})){_TO}{_LAST_NAMED}",
        rf"\b(?P<first>(?P<first_name>{_MONTH})\.? (?P<first_day>\d{{1,2}})(?: ?{_DATES.day_suffixes})?)"
        rf"{_TO}(?P<last>(?:(?P<name>{_MONTH})\.? )?(?P<day>\d{{1,2}})(?: ?{_DATES.day_suffixes})?"
        rf",?\s+{_YEAR}\b)",
        r"(?<![\w.,/-])(?P<first>(?P<first_one>\d{1,2})(?=[.]) ?\. ?(?P<first_two>\d{1,2})\.?)"
        rf"{_TO}{_LAST_NUMBERS}",
        rf"{_BEGINS}(?P<first>(?P<first_one>\d{{1,2}})(?P<first_gap>[-/])(?P<first_two>\d{{1,2}}))"
        rf"{_TO}{_LAST_NUMBERS}",
        r"(?<!\d)(?P<first>(?P<year>\d{4})[-/.年](?P<first_month>\d{1,2})[-/.月](?P<first_day>\d{1,2})日?)"
        rf"{_TO}(?P<last>(?P<month>\d{{1,2}})[-/.月](?P<day>\d{{1,2}})(?![\d./-])日?)",
    )
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
    for form in _RANGES:
        for found in form.finditer(lowered):
            if not _overlaps(found, taken):
                taken.extend(_read_range(found, order))
    for form in _FORMS:
        for found in form.finditer(lowered):
            if not _overlaps(found, taken) and (printed := _read_date(found, order)):
                taken.append(printed)
    return sorted(taken, key=lambda one: one.start)


def _overlaps(found: re.Match[str], taken: Iterable[PrintedDate]) -> bool:
    return any(found.start() < one.end and one.start < found.end() for one in taken)


def find_day_order(texts: Iterable[str], *, american: bool) -> DayOrder:
    """Which comes first in numeric dates: decided by a date that allows one reading only, else by the
    place the document comes from."""
    return _find_order(_list_numeric_pairs(texts)) or ("month first" if american else "day first")


def find_telling_date(texts: Iterable[str], order: DayOrder) -> str | None:
    """A numeric date, as printed, that can be read in this order alone."""
    for text in texts:
        for found in _NUMERIC.finditer(fold(text)):
            one, two = int(found["one"]), int(found["two"])
            day, month = (one, two) if order == "day first" else (two, one)
            if found["gap"] != "." and day > 12 >= month and _read_date(found, order):
                return text[found.start() : found.end()]
    return None


def _find_order(pairs: Iterable[tuple[int, int]]) -> DayOrder | None:
    """The order that most of the pairs of a day and a month allow alone; None when nothing tells."""
    votes = 0
    for one, two in pairs:
        votes += (one > 12 >= two) - (two > 12 >= one)
    return None if votes == 0 else "day first" if votes > 0 else "month first"


def _list_numeric_pairs(texts: Iterable[str]) -> Iterator[tuple[int, int]]:
    for text in texts:
        for found in _NUMERIC.finditer(fold(text)):
            yield int(found["one"]), int(found["two"])


def _read_range(found: re.Match[str], order: DayOrder) -> list[PrintedDate]:
    """The first and the last day of a range; none where they are no days in this order."""
    parts = {name: part for name, part in found.groupdict().items() if part}
    last = {name: part for name, part in parts.items() if not name.startswith("first")}
    own = {name.removeprefix("first_"): part for name, part in parts.items() if name.startswith("first_")}
    if own.get("gap", last.get("gap")) != last.get("gap"):
        return []
    first = {**last, **own}
    last = {**({"name": first["name"]} if "name" in first else {}), **last}
    decided = _find_order([(int(part["one"]), int(part["two"])) for part in (first, last) if part.get("one")])
    ends = _read_parts(last, found.span("last"), decided or order)
    starts = _read_parts(first, found.span("first"), decided or order)
    if ends and starts and starts.value > ends.value and own.keys() & {"name", "month", "one"}:
        # `15 December – 14 January 2027`
        earlier = {**first, "year": str(ends.value.year - 1)}
        starts = _read_parts(earlier, found.span("first"), decided or order)
    if not (starts and ends and starts.value < ends.value):
        return []
    return [replace(one, alternative=None) if decided else one for one in (starts, ends)]


def _read_date(found: re.Match[str], order: DayOrder) -> PrintedDate | None:
    return _read_parts(found.groupdict(), found.span(), order)


def _read_parts(
    parts: Mapping[str, str | None], place: tuple[int, int], order: DayOrder
) -> PrintedDate | None:
    """The date of its named parts: `year` with `day` and `name` or `month`, or with `one` and `two`."""
    year, alternative = int(parts["year"] or 0), None
    year += 0 if year > 99 else 2000 if year < 70 else 1900
    if name := parts.get("name"):
        value = _make_date(year, MONTHS[name], int(parts["day"] or 0))
    elif parts.get("one"):
        one, two = int(parts["one"] or 0), int(parts["two"] or 0)
        # Dots are never used month first.
        month_first = order == "month first" and parts["gap"] != "."
        readings = (_make_date(year, one, two), _make_date(year, two, one))
        value, alternative = readings if month_first else readings[::-1]
        if value is None:
            value, alternative = alternative, None
    else:
        value = _make_date(year, int(parts["month"] or 0), int(parts["day"] or 0))
    if value is None:
        return None
    return PrintedDate(value, *place, alternative if alternative != value else None)


def _make_date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day) if 1950 <= year <= 2100 else None
    except ValueError:
        return None
