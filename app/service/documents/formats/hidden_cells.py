"""The rows, columns and cells of an XLSX workbook that its sheets do not show or strike out."""

import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import IO

from lxml import etree
from lxml.etree import _Element  # pyright: ignore[reportPrivateUsage] # there is no public name

from app.service.documents.formats.signatures import ZIP_ARCHIVE
from app.service.tables.cell_names import read_column
from app.service.tables.sheet_parts import MAIN, find_sheet_parts

_FURTHEST_COLUMN = 16_384
_CELL = re.compile(r"([A-Z]{1,3})(\d{1,7})")
_LIGHTEST = 0xF0
"""What each part of a colour is at the least that nobody sees on white."""
_WHITE_THEME, _WHITE_INDEXES = "0", ("1", "9")
_SHOWS_NOTHING = ";;;"
"""The format of numbers that has no part for any of them, nor for text."""


@dataclass(frozen=True, slots=True)
class HiddenCells:
    """Hidden rows and columns of a sheet, counted from 0, and cells that are white on white or struck out by
    both."""

    rows: frozenset[int] = frozenset()
    columns: frozenset[int] = frozenset()
    cells: frozenset[tuple[int, int]] = frozenset()

    def covers(self, place: tuple[int, int]) -> bool:
        """Whether the cell at a row and column is not shown."""
        return place[0] in self.rows or place[1] in self.columns or place in self.cells

    def leave_out(self, rows: Sequence[Sequence[str]], start: tuple[int, int]) -> list[list[str]]:
        """The cells that are shown of rows whose first cell is at `start`, its row and column."""
        return [
            [
                "" if (number, column) in self.cells else cell
                for column, cell in enumerate(row, start[1])
                if column not in self.columns
            ]
            for number, row in enumerate(rows, start[0])
            if number not in self.rows
        ]


def find_hidden_cells(content: bytes) -> dict[str, HiddenCells]:
    """The hidden cells by the name of their sheet; none for a workbook of another format or a damaged one."""
    if not content.startswith(ZIP_ARCHIVE):
        return {}
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            styles = _find_hiding_styles(archive)
            return {name: _read_hidden(archive, part, styles) for name, part in find_sheet_parts(archive)}
    except (zipfile.BadZipFile, etree.XMLSyntaxError, KeyError, ValueError, OSError, NotImplementedError):
        return {}


def _find_hiding_styles(archive: zipfile.ZipFile) -> frozenset[str]:
    """The numbers of the cell styles whose cells are not read: white on white, struck out, or with an empty
    format of numbers."""
    if "xl/styles.xml" not in archive.namelist():
        return frozenset()
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    root = etree.fromstring(archive.read("xl/styles.xml"), parser)
    fonts = list(root.iterfind(f"{MAIN}fonts/{MAIN}font"))
    white = [_is_white(font.find(f"{MAIN}color")) for font in fonts]
    struck = [_is_struck(font) for font in fonts]
    fills = [_is_blank(fill) for fill in root.iterfind(f"{MAIN}fills/{MAIN}fill")]
    empty = {
        one.get("numFmtId", "")
        for one in root.iterfind(f"{MAIN}numFmts/{MAIN}numFmt")
        if one.get("formatCode", "").strip() == _SHOWS_NOTHING
    }
    return frozenset(
        str(number)
        for number, style in enumerate(root.iterfind(f"{MAIN}cellXfs/{MAIN}xf"))
        if style.get("numFmtId") in empty
        or _at(struck, style.get("fontId", "0"))
        or (_at(white, style.get("fontId", "0")) and _at(fills, style.get("fillId", "0")))
    )


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
    strike = font.find(f"{MAIN}strike")
    return strike is not None and strike.get("val", "1") not in ("0", "false")


def _is_blank(fill: _Element) -> bool:
    """Whether a fill leaves the cell white."""
    pattern = fill.find(f"{MAIN}patternFill")
    if pattern is None:
        return False
    kind = pattern.get("patternType", "none")
    return kind == "none" or (kind == "solid" and _is_white(pattern.find(f"{MAIN}fgColor")))


def _read_hidden(archive: zipfile.ZipFile, part: str, styles: frozenset[str]) -> HiddenCells:
    with archive.open(part) as sheet:
        return _find_hidden(sheet, styles)


def _find_hidden(sheet: IO[bytes], styles: frozenset[str]) -> HiddenCells:
    rows: set[int] = set()
    columns: set[int] = set()
    cells: set[tuple[int, int]] = set()
    number = 0
    for _, element in etree.iterparse(
        sheet, tag=(f"{MAIN}row", f"{MAIN}col"), resolve_entities=False, no_network=True
    ):
        hidden = element.get("hidden") in ("1", "true")
        if element.tag == f"{MAIN}row":
            number = int(element.get("r", number + 1))
            if hidden:
                rows.add(number - 1)
            elif styles:
                cells.update((number - 1, column) for column in _list_hidden_columns(element, styles))
        elif hidden:
            last = min(int(element.get("max", "0")), _FURTHEST_COLUMN)
            columns.update(range(int(element.get("min", "1")) - 1, last))
        element.clear()
        while element.getprevious() is not None:
            del element.getparent()[0]
    return HiddenCells(frozenset(rows), frozenset(columns), frozenset(cells))


def _list_hidden_columns(row: _Element, styles: frozenset[str]) -> Iterator[int]:
    """The columns of the cells of a row that have one of the styles, counted from 0."""
    column = -1
    for cell in row.iterchildren(f"{MAIN}c"):
        place = _CELL.fullmatch(cell.get("r", ""))
        column = read_column(place[1]) if place else column + 1
        if cell.get("s") in styles:
            yield column
