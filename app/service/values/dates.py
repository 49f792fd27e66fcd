"""Dates as people write them: all readings of a cell until something decides.

`03/04/2026` is the third of April where the day comes first, and the fourth of March where the month does.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date, timedelta
from decimal import Decimal
from itertools import islice
from typing import Literal, NamedTuple, TypeAlias

from app.contract.dates import format_day
from app.service.values.cldr import find_months, find_weekdays
from app.service.values.folding import unify_letters

_Tree: TypeAlias = "dict[str, _Tree]"


def match_any(words: Iterable[str], *, any_case: bool = False) -> str:
    """Return a regular expression for the longest of the words that stands in a place.

    It looks at each letter once, and not at each word: with hundreds of them a search
    takes a third of the time.
    `any_case` matches capitals and small letters alike, whatever the flags of the expression around it.
    """
    tree: _Tree = {}
    for word in words:
        place = tree
        for letter in word.lower() if any_case else word:
            place = place.setdefault(letter, {})
        place.setdefault("", {})
    return f"(?-i:{_write(tree, any_case=True)})" if any_case else _write(tree, any_case=False)


def _write(tree: _Tree, *, any_case: bool) -> str:
    branches = [
        _match_letter(letter, any_case=any_case) + _write(rest, any_case=any_case)
        for letter, rest in tree.items()
        if letter
    ]
    return f"(?:{'|'.join(branches)}){'?' if '' in tree else ''}" if branches else ""


def _match_letter(letter: str, *, any_case: bool) -> str:
    cases = {letter, letter.upper()} if any_case else {letter}
    return f"[{''.join(sorted(cases))}]" if len(cases) > 1 else re.escape(letter)


DayOrder: TypeAlias = Literal["day first", "month first"]

EARLIEST, LATEST = date(1970, 1, 1), date(2100, 1, 1)
"""Dates beyond these stand for something else, such as 9999-12-31 for never."""

_TIME = re.compile(
    r"(?:[T ,]| at | um )\s*\d{1,2}(?:[:h]\d{2}(?::\d{2}(?:[.,:]\d{1,9})?)?"
    r"|(?<=\d{4} \d\d)\.\d{2}(?:\.\d{2})?)"
    r" ?(?:[AaPp]\.?[Mm]\.?|Uhr)?"
    r"(?: ?(?:Z|UTC|GMT|[A-Z]{2,4}T|BST|JST|(?:UTC|GMT)?[+-]\d{1,2}:?(?:\d{2})?))?(?: ?\[[\w/+-]+\])?"
    r"|T\d{4,6}Z?|T?00:00(?::00)?|Z"
)
_YEAR_FIRST = re.compile(r"(?P<year>\d{4})(?P<gap>[-/.] ?)(?P<month>\d{1,2})(?P=gap)(?P<day>\d{1,2})\.?")
_COMPACT = re.compile(r"(?P<year>(?:19|20)\d\d)(?P<month>\d\d)(?P<day>\d\d)")
_EAST_ASIAN = re.compile(
    r"(?P<era>[^\W\d]{0,2}) ?(?P<year>\d{1,4}|元) ?[年년] ?(?P<month>\d{1,2}) ?[月월]"
    r" ?(?P<day>\d{1,2}) ?[日일号號]?"
)
_VIETNAMESE = re.compile(
    r"(?:ngày )?(?P<day>\d{1,2}) (?:tháng|thg|th)\.? ?(?P<month>\d{1,2})(?: năm|,)? (?P<year>\d{4})",
    re.IGNORECASE,
)
_ERA = re.compile(
    r"(?:(?P<era>[RHS]|[^\W\d_]{2}|พ\.ศ\.|B\.?E\.?) ?(?=\d)|(?=1\d\d\D))(?P<year>\d{1,4})"
    r"(?P<gap>[-/.])(?P<month>\d{1,2})(?P=gap)(?P<day>\d{1,2})"
)
"""A year of three digits alone is of the Republic of China: no other calendar in use has one."""
_INVERTED = re.compile(r"(?:79|80)\d{6}")
"""What is missing to 99999999, by which SAP sorts the last day first: no other date is written so."""
_WEEK = re.compile(r"(?P<year>\d{4})-?W(?P<week>\d{2})-?(?P<day>[1-7])")
_NUMERIC = re.compile(
    r"(?P<one>\d{1,2})(?P<gap>[-/.]| ?[-/.] )(?P<two>\d{1,2})(?P=gap)(?P<year>\d{4}|\d{2})\.?"
)
_NAMED = re.compile(r"(?P<day>\d{1,2})[- ](?P<name>[A-Za-z]{3,9})[- ](?P<year>\d{4})")
_SHORT_YEAR_FIRST = re.compile(r"(?P<year>[3-9]\d)[-/](?P<month>\d{1,2})[-/](?P<day>\d{1,2})")
_NO_DAY = re.compile(
    r"\d{1,2}[-/.]\d{4}|\d{4}[-/.]\d{1,2}|(?:19|20)\d\d|[QTHS]\d[ -/']*\d{2,4}|\d{4}[ -/]?[QTHS]\d"
    r"|[1-4]\. ?quartal \d{4}"
    r"|(?:FY|GJ|CW|KW|week)[ -/']*\d{2,4}(?:[-/]\d{2,4})?|\d{4}-?W\d{2}|[^\W\d_]+\.?[ -/']*\d{2,4}"
    r"|\d{4} ?年 ?(?:\d{1,2} ?月)?",
    re.IGNORECASE,
)
_PARTS = re.compile(r"[^\d\s.,'/()\-_]+(?:['.][^\d\s.,'/()\-_]+)*\.?|'?\d+|[^\w\s]|_")
_WEEKDAY_ENDS = re.compile(r"(?:ที่)?(?:[,،] *| +|(?=\d))(?:den )?")
_WEEKDAY_LAST = re.compile(r"(?<=[日\s,(（])([^\d\s,()（）]+)[)）]?$")
_DOCUMENT = re.compile(r".*\d\S* +(?:от|від|vom|of|dated|del|du|z dnia|ze dne|av|af) +(?=\d)")
"""What stands before the day of a document: `Order 4512 of`."""
_YEAR_WORD = re.compile(r"(?<=\d) ?(?:г|р)\.?$")
_SMALL = (
    "de del of the d den der le el la di do da dne dnia am af г года року р roku r m d. g god на ng"
    " ta vom on ngày gada ค.ศ คศ ที่ tahun"
)
_SMALL_WORDS = frozenset(_SMALL.split())
_SUFFIXES = "st nd rd th er ere e o a º ª ° de eme го ะ"
_DAY_SUFFIXES = frozenset(_SUFFIXES.split())
_SIGNS = frozenset({",", ".", "-", "/", "'"})
_ERAS = {
    "令和": 2018,
    "平成": 1988,
    "昭和": 1925,
    "R": 2018,
    "H": 1988,
    "S": 1925,
    "民國": 1911,
    "民国": 1911,
}
"""The year before the first of an era."""
_BUDDHIST = 543
_BUDDHIST_YEARS = range(2500, 2643)
"""Years that are none of a purchase but in Thailand."""


DAY_SUFFIX = rf"{match_any(_DAY_SUFFIXES)}(?![^\W\d_])"
SMALL_WORD = rf"{match_any(_SMALL_WORDS)}(?![^\W\d_])"
ERA = match_any(_ERAS)
"""Regular expressions: the letters behind the number of a day (`3rd`), the words between the parts of a date
(`3 de mayo`), and the names of Asian eras."""
_SINCE_1900 = re.compile(r"(?P<year>1(?:2\d|30))(?P<month>\d\d)(?P<day>\d\d)")
_DAY_OF_YEAR_SINCE_1900 = re.compile(
    r"(?P<year>1(?:2\d|30))(?P<day>0(?!00)\d\d|[12]\d\d|3(?:[0-5]\d|6[0-5]))"
)
_DAY_OF_YEAR = re.compile(r"(?:19[89]|20\d)\d[0-3]\d\d")
_SERIAL = re.compile(r"(?P<days>[2-7]\d{4})(?:[.,]\d{1,12})?")
_SERIALS = range(25_569, 73_051)
"""Serial numbers of days from 1970 to 2099."""


class NotADate(ValueError):
    """The text is not a date, or one that the calendar does not have; the message says why, beginning with
    the text."""


class DateReadings(NamedTuple):
    """What a text that is one date may mean: the date where the day comes first, where the month does, and
    where a year of two digits does. They are equal where the text has one reading, and None where it is no
    date."""

    text: str
    day_first: date | None
    month_first: date | None
    year_first: date | None = None

    @property
    def all(self) -> list[date]:
        """The different readings."""
        return list(dict.fromkeys(one for one in (self.day_first, self.month_first, self.year_first) if one))

    @property
    def is_ambiguous(self) -> bool:
        """Whether there are several."""
        return len(self.all) > 1

    @property
    def order(self) -> DayOrder | None:
        """The only order that allows it; None where there are several, or where it needs none."""
        if self.year_first is not None or self.day_first == self.month_first:
            return None
        if self.month_first is None:
            return "day first"
        return "month first" if self.day_first is None else None

    def value(self, order: DayOrder | None) -> date | None:
        """Return the date in this order, or the only one that there is; None for an ambiguous one without an
        order."""
        if self.day_first == self.month_first and self.year_first is None:
            return self.day_first
        readings = self.all
        if len(readings) == 1:
            return readings[0]
        if order is None:
            return None
        return self.day_first if order == "day first" else self.month_first


def read_date(text: str) -> DateReadings:
    """Read a text that should be one date, with at most a weekday and a time. Raises `NotADate`."""
    try:
        if len(text) == 10 and text[4] == "-" and text < "25" and text.isascii():
            day = date.fromisoformat(text)
            return DateReadings(text, day, day)
    except ValueError:
        pass
    if text.isascii():
        if match := _NUMERIC.fullmatch(text):
            return _read_numeric(match.groupdict(), text)
        if (match := _NAMED.fullmatch(text)) and len(months := find_months(match["name"])) == 1:
            day = _make(text, lambda: date(int(match["year"]), next(iter(months)), int(match["day"])))
            return DateReadings(text, day, day)
    if len(text) > 80:
        raise NotADate(f"{text[:40]!r} is not a date")
    return _read_forms(text)


def read_day_since_1900(text: str) -> DateReadings:
    """Read a past day as AS/400 writes it, with the years since 1900: `1250305`, or `125064` with the day of
    the year. Those before 2020 may be years of the Republic of China, whose 120th is 2031. Raises
    `NotADate`."""
    if of_year := _DAY_OF_YEAR_SINCE_1900.fullmatch(text):
        first = date(1900 + int(of_year["year"]), 1, 1)
        day = _make(text, lambda: first + timedelta(days=int(of_year["day"]) - 1))
        return DateReadings(text, day, day)
    if (match := _SINCE_1900.fullmatch(text)) is None:
        raise NotADate(f"{text[:40]!r} is not a date")
    day = _make(text, lambda: date(1900 + int(match["year"]), int(match["month"]), int(match["day"])))
    return DateReadings(text, day, day)


def read_date_parts(parts: Mapping[str, str | None], text: str) -> DateReadings:
    """Return the date of its parts, which are digits: `day`, `month` and `year`, or `one`, `two` and `year`
    parted by `gap`. Raises `NotADate`."""
    if parts.get("one"):
        return _read_numeric(parts, text)
    year = _full_year(parts["year"] or "", text)
    day = _make(text, lambda: date(year, int(parts["month"] or 0), int(parts["day"] or 0)))
    return DateReadings(text, day, day)


_PARTS_OF_FORM = (r"(?:dd?|tt?|gg?|jj?)", r"m{1,3}", r"(?:yy|yyyy|aaaa|jj|jjjj)")
_FORMS: Mapping[DayOrder | None, re.Pattern[str]] = {
    "day first": re.compile("{}{}{}".format(*_PARTS_OF_FORM)),
    "month first": re.compile("{1}{0}{2}".format(*_PARTS_OF_FORM)),
    None: re.compile("c?{2}{1}{0}".format(*_PARTS_OF_FORM)),
}
_FORM = re.compile(r"[a-z]{1,8}(?:[-./ ][a-z]{1,4}){0,2}")
_TIME_OF_FORM = re.compile(r"[t ]hh?.?mm.*")


def read_date_form(text: str) -> tuple[DayOrder | None] | None:
    """Return which part comes first in dates of a form such as `DD/MM/YYYY`, `TT.MM.JJJJ` or `YYMMDD`: None
    where it is the year. None where the text is no form."""
    bare = _TIME_OF_FORM.sub("", text.strip().lower())
    letters = re.sub(r"[^a-z]", "", bare) if _FORM.fullmatch(bare) else ""
    return next(((order,) for order, form in _FORMS.items() if form.fullmatch(letters)), None)


def from_serial(number: int | float | Decimal, *, date1904: bool = False) -> date:
    """Return the date of a spreadsheet's serial number, with or without a fraction of a day. Raises
    `NotADate` for a number that is none from 1970 on."""
    days = int(number) + (1_462 if date1904 else 0)
    if days not in _SERIALS:
        raise NotADate(f"{number} is not a date")
    return date(1899, 12, 30) + timedelta(days=days)


def describe_dates(readings: DateReadings) -> str:
    """Return a sentence without its end that names all readings of an ambiguous date."""
    return f"{readings.text[:40]!r} is {' or '.join(map(format_day, readings.all))}"


def check_date(day: date, text: str) -> None:
    """Raise `NotADate` for a date that no purchase has; `text` is how the file writes it."""
    if day < EARLIEST:
        raise NotADate(f"{text[:40]!r} is before {EARLIEST.year}")
    if day >= LATEST:
        raise NotADate(f"{text[:40]!r} is not before {LATEST.year}")


def _read_forms(text: str) -> DateReadings:
    plain = unify_letters(text)
    bare, weekdays = _strip_weekday(_DOCUMENT.sub("", _YEAR_WORD.sub("", _strip_time(plain))))
    if match := _NUMERIC.fullmatch(bare):
        readings = _read_numeric(match.groupdict(), text)
    elif (serial := _SERIAL.fullmatch(bare)) and int(serial["days"]) in _SERIALS:
        day = from_serial(int(serial["days"]))
        readings = DateReadings(text, day, day)
    else:
        day = _read_single(bare, text)
        readings = DateReadings(text, day, day)
    return _agree_with_weekday(readings, weekdays) if weekdays else readings


def _read_single(bare: str, text: str) -> date:
    """Read the forms that say which part is the year, the month and the day."""
    if _INVERTED.fullmatch(bare):
        bare = str(99_999_999 - int(bare))
    if match := _WEEK.fullmatch(bare):
        return _make(
            text, lambda: date.fromisocalendar(int(match["year"]), int(match["week"]), int(match["day"]))
        )
    if match := (
        _YEAR_FIRST.fullmatch(bare)
        or _COMPACT.fullmatch(bare)
        or _VIETNAMESE.fullmatch(bare)
        or _SHORT_YEAR_FIRST.fullmatch(bare)
    ):
        year = _full_year(match["year"], text)
        return _make(text, lambda: date(year, int(match["month"]), int(match["day"])))
    if _DAY_OF_YEAR.fullmatch(bare):
        return _make(text, lambda: date(int(bare[:4]), 1, 1) + timedelta(days=int(bare[4:]) - 1))
    if match := _EAST_ASIAN.fullmatch(bare) or _ERA.fullmatch(bare):
        year = _read_era(match["era"], match["year"], text)
        return _make(text, lambda: date(year, int(match["month"]), int(match["day"])))
    if (day := _read_named(bare, text)) is not None:
        return day
    if _NO_DAY.fullmatch(bare):
        raise NotADate(f"{text[:40]!r} names no day")
    raise NotADate(f"{text[:40]!r} is not a date")


def _strip_time(text: str) -> str:
    for at in range(6, len(text)):
        if text[at] in "T ,Z" and _TIME.fullmatch(text, at):
            return text[:at].rstrip(" ,").removesuffix(" at").removesuffix(" um")
    return text


def _strip_weekday(text: str) -> tuple[str, frozenset[int]]:
    """`Tue, 5 Mar 2024` without its weekday, and which weekdays that may be."""
    if not text[:1].isdigit():
        for end in reversed(list(islice(_WEEKDAY_ENDS.finditer(text), 3))):
            name = text[: end.start()].strip("()")
            if (weekdays := find_weekdays(name)) and not find_months(name):
                return text[end.end() :], weekdays
    last = _WEEKDAY_LAST.search(text)
    if last and len(text) > 8 and (weekdays := find_weekdays(last[1])) and not find_months(last[1]):
        return text[: last.start()].rstrip(" ,(（"), weekdays
    return text, frozenset()


def _agree_with_weekday(readings: DateReadings, weekdays: frozenset[int]) -> DateReadings:
    def keep(day: date | None) -> date | None:
        return day if day is not None and day.weekday() in weekdays else None

    kept = DateReadings(
        readings.text, *map(keep, (readings.day_first, readings.month_first, readings.year_first))
    )
    if not kept.all:
        raise NotADate(f"{readings.text[:40]!r} is not on that weekday")
    return kept


def _read_numeric(parts: Mapping[str, str | None], text: str) -> DateReadings:
    one, gap, two, last = (parts[name] or "" for name in ("one", "gap", "two", "year"))
    year = _full_year(last, text)
    points = gap.strip() == "."
    day_first = _possible(year, int(two), int(one))
    month_first = day_first if points and day_first else _possible(year, int(one), int(two))
    year_first = None
    if len(last) == 2 and (not points or gap != "."):
        hyphens = gap == "-" and len(one) == len(two) == 2
        if hyphens or points or (int(one) > 31 and not (day_first or month_first)):
            year_first = _possible(_full_year(one, text), int(two), int(last))
    if not (day_first or month_first or year_first):
        raise NotADate(f"{text[:40]!r} is a date that the calendar does not have")
    return DateReadings(text, day_first, month_first, year_first)


def _full_year(year: str, text: str) -> int:
    number = int(year)
    if len(year) != 2:
        return number - _BUDDHIST if number in _BUDDHIST_YEARS else number
    if 50 <= number < 70:
        raise NotADate(f"{text[:40]!r} has a year of two digits that may be of either century")
    return number + (2000 if number < 50 else 1900)


def _read_era(era: str | None, year: str, text: str) -> int:
    number = 1 if year == "元" else int(year)
    if not era and len(year) > 2:
        return _full_year(year, text) if len(year) == 4 else number + _ERAS["民國"]
    if era in ("พ.ศ.", "B.E.", "BE", "พศ"):
        return number - _BUDDHIST
    if era not in _ERAS:
        raise NotADate(f"{text[:40]!r} is not a date")
    return number + _ERAS[era]


def _read_named(bare: str, text: str) -> date | None:
    """Read a date whose month has a name: one name, a day, a year, and nothing that is not explained."""
    numbers: list[str] = []
    months: list[frozenset[int]] = []
    name_at = 0
    for at, found in enumerate(_PARTS.finditer(bare)):
        part = found.group()
        if part.lstrip("'").isdigit():
            numbers.append(part.lstrip("'"))
        elif named := find_months(part.removeprefix("d'").removeprefix("D'")):
            months.append(named)
            name_at = len(numbers)
        elif part.strip(".") not in ("พ.ศ", "พศ") and not _is_filler(part, bare, found, at):
            return None
    if len(months) != 1 or len(numbers) != 2:
        return None
    day, year = (numbers[1], numbers[0]) if len(numbers[0]) == 4 else (numbers[0], numbers[1])
    if len(day) > 2 or len(year) not in (2, 4) or (len(numbers[0]) == 4 and name_at == 0):
        return None
    if len(months[0]) > 1:
        raise NotADate(f"{text[:40]!r} names a month that differs between languages")
    number = _full_year(year, text)
    return _make(text, lambda: date(number, next(iter(months[0])), int(day)))


def _is_filler(part: str, bare: str, found: re.Match[str], at: int) -> bool:
    word = part.lower().rstrip(".")
    if part in _SIGNS or word in _SMALL_WORDS or (word.split("'")[0] in _SMALL_WORDS):
        return True
    return word in _DAY_SUFFIXES and at > 0 and bare[found.start() - 1 : found.start()].strip(" ").isdigit()


def _possible(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _make(text: str, build: Callable[[], date]) -> date:
    try:
        return build()
    except ValueError as error:
        if isinstance(error, NotADate):
            raise
        raise NotADate(f"{text[:40]!r} is a date that the calendar does not have") from None
