"""The styles of an XLSX workbook's cells: what is a date, what a number shows, and what nobody sees."""

import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from lxml import etree
from lxml.etree import _Element  # pyright: ignore[reportPrivateUsage] # there is no public name

from app.service.tables.number_formats import describe_format, find_number_kind, read_serial
from app.service.tables.table import FormattedNumber

_LIGHTEST = 0xF0
"""What each part of a colour is at the least that nobody sees on white."""
_WHITE_THEME, _WHITE_INDEXES = "0", ("1", "9")
_SHOWS_NOTHING = ";;;"
"""The format of numbers that has no part for any of them, nor for text."""


@dataclass(frozen=True, slots=True)
class CellStyle:
    """How a cell is shown: the kind of its number (`find_number_kind`) and its format; `hides` says that
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
        return read_serial(number, self.kind, first_day)


PLAIN = CellStyle()


def read_styles(archive: zipfile.ZipFile) -> Mapping[str, CellStyle]:
    """Return the styles by their number."""
    if "xl/styles.xml" not in archive.namelist():
        return {}
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    root = etree.fromstring(archive.read("xl/styles.xml"), parser)
    fonts = list(root.iterfind("{*}fonts/{*}font"))
    white = [_is_white(font.find("{*}color")) for font in fonts]
    struck = [_is_struck(font) for font in fonts]
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
            find_number_kind(built_in, code), describe_format(built_in, code), hides
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


def _is_struck(font: _Element) -> bool:
    strike = font.find("{*}strike")
    return strike is not None and strike.get("val", "1") not in ("0", "false")


def _is_blank(fill: _Element) -> bool:
    """Whether a fill leaves the cell white."""
    pattern = fill.find("{*}patternFill")
    if pattern is None:
        return False
    kind = pattern.get("patternType", "none")
    return kind == "none" or (kind == "solid" and _is_white(pattern.find("{*}fgColor")))
