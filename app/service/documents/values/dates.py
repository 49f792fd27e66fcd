"""Dates in running text: where they stand, and ranges in which one day leaves out what the other says."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cache

from app.service.documents.lexicon.further_languages import DAY_OF_MONTH, MONTH_BETWEEN, YEAR_BETWEEN
from app.service.documents.lexicon.languages import WORDS
from app.service.documents.lexicon.phrases import either
from app.service.values.cldr import list_months_in_text
from app.service.values.dates import (
    DAY_SUFFIX,
    EARLIEST,
    ERA,
    LATEST,
    SMALL_WORD,
    DayOrder,
    NotADate,
    match_any,
    read_date,
    read_date_parts,
)
from app.service.values.folding import fold

_DATES = WORDS.dates
_MONTHS = list_months_in_text()
_MONTH = match_any(sorted(_MONTHS))
_WORD = r"\b(?=[^\W\d_]{3,14}\.?"
MONTH = rf"{_WORD}){_MONTH}"
_YEAR = rf"(?P<year>\d{{4}}|\d{{2}}(?!\d|[-/.]\d|,? \d{{4}}|[\s.]*{_MONTH}))"
# The letters after a day (`1er`, `2nd`) are often raised, and then stand apart from it.
_LETTERS = rf"(?: ?(?:{DAY_SUFFIX}|\.|[»”“\"]))?"
_RAISED = rf"(?: ?{DAY_SUFFIX})?"
_LINK = rf"(?:{either(DAY_OF_MONTH)} |{SMALL_WORD} ?|d')?"
_DAY = rf"(?P<day>\d{{1,2}}){_LETTERS}"
_NUMERIC = re.compile(
    r"(?<![\d.,/])(?<!(?<![.\d])-)(?P<one>\d{1,2})\s?(?P<gap>[-/.])\s?(?P<two>\d{1,2})\s?(?P=gap)\s?"
    r"(?P<year>\d{4}|\d{2})(?!\d|-(?!\s|\d\d?[./]\d)|,\d)"
)
_LETTERS_WITH_SIGNS = "[\u0900-\u109f\u1780-\u17ff.]{2,14}"
"""Words of scripts that write vowels as signs, as Thai and Hindi do."""
_FORMS = (
    rf"(?P<whole>(?:{ERA} ?)?(?<!\d)(?:\d{{1,4}}|元) ?[年년]"
    r" ?\d{1,2} ?[月월] ?\d{1,2}(?!\d) ?[日일]?)",
    rf"(?P<whole>(?<!\d)\d{{1,2}} ?{_LETTERS_WITH_SIGNS} ?\d{{4}})(?!\d)",
    r"(?<!\d)(?P<year>\d{4})(?P<sign>[-/.])(?P<month>\d{1,2})(?P=sign)(?P<day>\d{1,2})(?!\d)",
    r"(?<!\d)(?P<year>(?:19|20)\d\d)\. (?P<month>\d{1,2})\. (?P<day>\d{1,2})(?!\d)",
    rf"\b(?P<year>\d{{4}})\.? {SMALL_WORD}\.? (?P<day>\d{{1,2}})\. ?(?P<name>{_MONTH})",
    rf"(?<!\d){_DAY}[\s\-./]*{_LINK}"
    rf"(?P<name>{_MONTH})\.?,?[\s\-./]*{_LINK}{_YEAR}\b",
    rf"{_WORD}[\s\-./]*\d)(?P<name>{_MONTH})\.?[\s\-./]*(?P<day>\d{{1,2}}){_RAISED}"
    rf"(?: ?,?[\s\-./]+| ?[,，](?=\d{{4}})){_YEAR}\b",
    _NUMERIC.pattern,
    rf"\b(?P<year>\d{{4}})[\s\-./]+(?:{SMALL_WORD}\.? ?)?(?P<name>{_MONTH})[\s\-./]+(?P<day>\d{{1,2}})(?!\d)",
    rf"(?<!\d)(?P<day>\d{{1,2}}) {fold(MONTH_BETWEEN)} (?P<month>\d{{1,2}})"
    rf",?(?: {fold(YEAR_BETWEEN)})? (?P<year>\d{{4}})(?!\d)",
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
_RANGES = (
    rf"(?<![\d.,])(?P<first>(?P<first_day>\d{{1,2}}){_LETTERS} ?{_LINK}(?P<first_name>{_MONTH})\.?)"
    rf"{_TO}{_LAST_NAMED}",
    rf"(?<![\w.,-])(?P<first>(?P<first_day>\d{{1,2}}) ?(?:{DAY_SUFFIX}|\.)){_TO}{_LAST_NAMED}",
    rf"{_BEGINS}(?P<first>(?P<first_day>\d{{1,2}})){_TO}{_LAST_NAMED}",
    rf"{_WORD} \d)(?P<first>(?P<first_name>{_MONTH})\.? (?P<first_day>\d{{1,2}}){_RAISED})"
    rf"{_TO}(?P<last>(?:(?P<name>{_MONTH})\.? )?(?P<day>\d{{1,2}}){_RAISED}"
    rf"(?: ?,?\s+| ?[,，](?=\d{{4}})){_YEAR}\b)",
    r"(?<![\w.,/-])(?P<first>(?P<first_one>\d{1,2})(?=[.]) ?\. ?(?P<first_two>\d{1,2})\.?)"
    rf"{_TO}{_LAST_NUMBERS}",
    rf"{_BEGINS}(?P<first>(?P<first_one>\d{{1,2}})(?P<first_gap>[-/])(?P<first_two>\d{{1,2}}))"
    rf"{_TO}{_LAST_NUMBERS}",
    r"(?<!\d)(?P<first>(?P<year>\d{4})[-/.年](?P<first_month>\d{1,2})[-/.月](?P<first_day>\d{1,2})日?)"
    rf"{_TO}(?P<last>(?P<month>\d{{1,2}})[-/.月](?P<day>\d{{1,2}})(?![\d./-])日?)",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PrintedDate:
    """A date found in a text, with the offsets of its letters. `alternative` is its reading with day
    and month exchanged, where both are possible."""

    value: date
    start: int
    end: int
    alternative: date | None = None


_MAY_HOLD_DATE = (
    rf"\d\s?[-/.年년]\s?\d\d?\s?[-/.月월]\s?\d|[년年]|\d ?{_LETTERS_WITH_SIGNS}"
    rf"|{_MONTH}|\d {fold(MONTH_BETWEEN)} \d",
)
"""What each form above holds: three numbers with signs between them, or the name of a month."""


@cache
def _compile(forms: tuple[str, ...]) -> list[re.Pattern[str]]:
    """When the first date is looked for: it takes longer than anything else that a start imports."""
    return [re.compile(form) for form in forms]


def find_dates(text: str, order: DayOrder = "day first") -> list[PrintedDate]:
    """All dates of a text from left to right; the numeric ones are read in the given order."""
    taken: list[PrintedDate] = []
    lowered = fold(text)
    if not _compile(_MAY_HOLD_DATE)[0].search(lowered):
        return taken
    for form in _compile(_RANGES):
        for found in form.finditer(lowered):
            if not _overlaps(found, taken):
                taken.extend(_read_range(found, order))
    for form in _compile(_FORMS):
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
        votes += (31 >= one > 12 >= two > 0) - (31 >= two > 12 >= one > 0)
    return None if votes == 0 else "day first" if votes > 0 else "month first"


def _list_numeric_pairs(texts: Iterable[str]) -> Iterator[tuple[int, int]]:
    """The pairs of numeric dates: what letters touch is a code, as `J12/15/2017`."""
    for text in texts:
        folded = fold(text)
        for found in _NUMERIC.finditer(folded):
            if not folded[: found.start()][-1:].isalpha():
                yield int(found["one"]), int(found["two"])


def _read_range(found: re.Match[str], order: DayOrder) -> list[PrintedDate]:
    """The first and the last day of a range; none where they are no days in this order."""
    parts = {name: part for name, part in found.groupdict().items() if part}
    last = {name: part for name, part in parts.items() if not name.startswith("first")}
    own = {name.removeprefix("first_"): part for name, part in parts.items() if name.startswith("first_")}
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
    """The date of its named parts; see `read_date_parts`. `name` is that of the month."""
    if name := parts.get("name"):
        parts = {**parts, "month": str(_MONTHS[name])}
    try:
        text = parts.get("whole")
        readings = read_date(text) if text else read_date_parts(parts, "")
    except NotADate:
        return None
    both = [readings.month_first, readings.day_first][:: 1 if order == "month first" else -1]
    days = dict.fromkeys(day for day in (*both, readings.year_first) if day and EARLIEST <= day < LATEST)
    value, *others = [*days, None]
    if value is None:
        return None
    return PrintedDate(value, *place, others[0] if others[0] in both else None)
