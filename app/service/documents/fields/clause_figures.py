"""The figures of a sentence that a clause may state: spans of time, percentages, dates and bare numbers."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal, TypeAlias

from app.service.charges.months import count_months_of_years
from app.service.documents.lexicon.languages import WORDS
from app.service.documents.values.dates import find_dates
from app.service.documents.values.durations import DAYS, MONTHS, SPAN, WEEKS, YEARS, count_days, count_months
from app.service.values.dates import DayOrder
from app.service.values.folding import fold

FigureKind: TypeAlias = Literal["days", "weeks", "months", "years", "percent", "date", "number", "pace"]

_PERCENT = re.compile(rf"(?<![\w.,])(?P<percent>\d{{1,3}}(?:[.,]\d+)?)\s?(?:%|{WORDS.clauses.percent})")
_NUMBER = re.compile(
    r"(?:(?<![\w.,/#+-])|(?<=\bnet)|(?<=\bnet-))(?P<number>\d{1,3})(?![\w%/]|[.,:/'-]\d| \d{3})"
)
_TIME = WORDS.durations
# A number without a unit is a span of time only where the unit stands in its label, or where it is net.
_UNIT = re.compile(
    rf"(?<![a-z])(?:(?P<days>{DAYS})|(?P<weeks>{WEEKS})|(?P<months>{MONTHS})"
    rf"|(?P<years>{YEARS}))(?![a-z])"
)
_NET = re.compile(r"(?<![a-z])net")
_DIGIT = re.compile(r"\d")
# `30 (trinta) dias`: a number, and again in words.
_SAID_AGAIN = re.compile(r"(?<=\d) ?\((?:[^\W\d_]+[ -]?){1,4}\)(?= [^\W\d_])")
# A period without a number: `from year to year`, `for successive annual terms`.
_PACE = re.compile(
    rf"(?<![a-z])(?:(?P<years>{_TIME.yearly}|{_TIME.year})|(?P<months>{_TIME.monthly}|{_TIME.month}))(?![a-z])"
)
_SHORT = 2
"""Letters of words that mean a year in one language and something else in others."""
_UNITS: tuple[FigureKind, ...] = ("days", "weeks", "months", "years")
_LONGEST = 36_500
"""Days of the longest span that is looked at."""


@dataclass(frozen=True, slots=True)
class ClauseFigure:
    """A figure with the offsets of its letters in the text of a clause.

    `days` is the length of a span of time, and of a bare number that is taken for days; `months` is None
    where a span counts days or weeks.
    """

    kind: FigureKind
    start: int
    end: int
    days: int | None = None
    months: int | None = None
    percent: Decimal | None = None
    day: date | None = None
    ambiguous: bool = False
    """Whether a date can be read in two ways."""


def clause_text(sentence: str) -> str:
    """A sentence in the form in which clauses are read: folded, with single spaces, numbers said once."""
    text = re.sub(r"\s+", " ", fold(sentence)).replace("ß", "ss").replace("’", "'")
    return _SAID_AGAIN.sub("", text)


def find_figures(text: str, order: DayOrder = "day first") -> list[ClauseFigure]:
    """The figures of a text (of `clause_text`) from left to right; none overlaps another."""
    found: list[ClauseFigure] = []
    searches: tuple[Iterable[ClauseFigure], ...] = (_find_spans(text),)
    if _DIGIT.search(text):
        searches = (_find_days(text, order), *searches, _find_percents(text), _find_numbers(text))
    for candidates in searches:
        found.extend(one for one in candidates if not _is_taken(one, found))
    return sorted(found, key=lambda one: one.start)


def find_paces(text: str, figures: Sequence[ClauseFigure]) -> list[ClauseFigure]:
    """The years and months of a text that no number counts: they are one each."""
    found: list[ClauseFigure] = []
    for one in _PACE.finditer(text):
        months = 12 if one["years"] else 1
        pace = ClauseFigure("pace", one.start(), one.end(), months=months)
        counted = _DIGIT.search(text, max(0, pace.start - 2), pace.start)
        if len(one.group()) > _SHORT and not counted and not _is_taken(pace, figures):
            found.append(pace)
    return found


def _is_taken(one: ClauseFigure, found: Sequence[ClauseFigure]) -> bool:
    return any(one.start < other.end and other.start < one.end for other in found)


def _find_days(text: str, order: DayOrder) -> list[ClauseFigure]:
    return [
        ClauseFigure("date", one.start, one.end, day=one.value, ambiguous=one.alternative is not None)
        for one in find_dates(text, order)
    ]


def _find_spans(text: str) -> Iterator[ClauseFigure]:
    for found in SPAN.finditer(text):
        kind: FigureKind = next(unit for unit in _UNITS if found[unit])
        if 0 < (days := count_days(found)) <= _LONGEST:
            yield ClauseFigure(kind, found.start(), found.end(), days, count_months(found))


def _find_percents(text: str) -> Iterator[ClauseFigure]:
    for found in _PERCENT.finditer(text):
        percent = Decimal(found["percent"].replace(",", "."))
        yield ClauseFigure("percent", found.start(), found.end(), percent=percent)


def _find_numbers(text: str) -> Iterator[ClauseFigure]:
    """Bare numbers that may count time: after `net` in days, else in the unit that the label names last."""
    for found in _NUMBER.finditer(text):
        units = [one.lastgroup for one in _UNIT.finditer(text, 0, found.start())]
        unit = units[-1] if units else "days" if _NET.search(text) else None
        if unit is None or (count := int(found["number"])) == 0:
            continue
        months = count_months_of_years(count) if unit == "years" else count if unit == "months" else None
        days = count * {"days": 1, "weeks": 7, "months": 30, "years": 365}[unit]
        yield ClauseFigure("number", found.start(), found.end(), days, months)
