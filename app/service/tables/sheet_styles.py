"""The styles of an XLSX workbook's cells: what is a date, what a number shows, and what nobody sees."""

import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cache, lru_cache

from lxml import etree
from lxml.etree import _Element  # pyright: ignore[reportPrivateUsage] # there is no public name

from app.service.tables.table import FormattedNumber

_LIGHTEST = 0xF0
"""What each part of a colour is at the least that nobody sees on white."""
_WHITE_THEME, _WHITE_INDEXES = "0", ("1", "9")
_SHOWS_NOTHING = ";;;"
"""The format of numbers that has no part for any of them, nor for text."""


@dataclass(frozen=True, slots=True)
class CellStyle:
    """How a cell is shown: the kind of its number (`_find_number_kind`) and its format; `hides` says that
    nobody sees it, since it is white on white, struck out or has an empty format."""

    kind: str = "plain"
    number_format: str = ""
    hides: bool = False

    def read(self, number: int | float, first_day: date) -> object:
        """Return what a stored number is: a number, with its format where that shows more, or a date."""
        if self.kind == "plain":
            return number
        if self.kind == "shows":
            return FormattedNumber(number, self.number_format)
        return _read_serial(number, self.kind, first_day)


PLAIN = CellStyle()


def read_styles(archive: zipfile.ZipFile) -> Mapping[str, CellStyle]:
    if "xl/styles.xml" not in archive.namelist():
        return {}
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    root = etree.fromstring(archive.read("xl/styles.xml"), parser)
    fonts = list(root.iterfind("{*}fonts/{*}font"))
    white = [_is_white(font.find("{*}color")) for font in fonts]
    strikes = (font.find("{*}strike") for font in fonts)
    struck = [one is not None and one.get("val", "1") not in ("0", "false") for one in strikes]
    fills = [_is_blank(fill) for fill in root.iterfind("{*}fills/{*}fill")]
    codes = {
        one.get("numFmtId", ""): one.get("formatCode", "") for one in root.iterfind("{*}numFmts/{*}numFmt")
    }
    styles: dict[str, CellStyle] = {}
    for number, style in enumerate(root.iterfind("{*}cellXfs/{*}xf")):
        format_id = style.get("numFmtId", "0")
        code = codes.get(format_id)
        built_in = int(format_id) if format_id.isdecimal() else 0
        hides = (
            (code or "").strip() == _SHOWS_NOTHING
            or _at(struck, style.get("fontId", "0"))
            or (_at(white, style.get("fontId", "0")) and _at(fills, style.get("fillId", "0")))
        )
        styles[str(number)] = CellStyle(
            _find_number_kind(built_in, code),
            code if code is not None else _PER_CENT.get(built_in, "General"),
            hides,
        )
    return styles


def _at(values: Sequence[bool], index: str) -> bool:
    return index.isdecimal() and int(index) < len(values) and values[int(index)]


def _is_white(colour: _Element | None) -> bool:
    if colour is None:
        return False
    if (rgb := colour.get("rgb")) is not None:
        return min(bytes.fromhex(rgb)[-3:]) >= _LIGHTEST
    tint = float(colour.get("tint", "0"))
    return (colour.get("theme") == _WHITE_THEME and tint > -0.05) or colour.get("indexed") in _WHITE_INDEXES


def _is_blank(fill: _Element) -> bool:
    """Whether a fill leaves the cell white."""
    pattern = fill.find("{*}patternFill")
    if pattern is None:
        return False
    kind = pattern.get("patternType", "none")
    return kind == "none" or (kind == "solid" and _is_white(pattern.find("{*}fgColor")))


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
def _find_number_kind(number: int, code: str | None) -> str:
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


@lru_cache(16_384)
def _read_serial(serial: float, kind: str, first: date) -> date | time | timedelta | float:
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
