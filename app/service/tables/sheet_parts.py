"""The sheets of an XLSX workbook, their files in its archive, and what a sheet has besides its values, found
without taking its rows apart."""

import re
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from posixpath import join, normpath
from typing import IO, NamedTuple

from lxml import etree
from lxml.etree import _Element  # pyright: ignore[reportPrivateUsage] # there is no public name

from app.service.tables.formulas import read_column
from app.service.tables.table import UnreadableTable
from app.service.tables.unstored_results import Place

_ON = ("1", "true")
_ID = etree.XPath("string(@*[local-name() = 'id'])")


@dataclass(frozen=True, slots=True)
class SheetPart:
    """A sheet by its name, and where it is in the archive."""

    name: str
    name_in_archive: str
    hidden: bool = False


class Book(NamedTuple):
    """What a workbook says of itself: its sheets in their order, without those that are charts, whether their
    days are counted from the first of January 1904, and whether a spreadsheet program is to reckon all
    formulas when it opens the workbook, since whatever wrote it did not."""

    parts: Sequence[SheetPart]
    is_based_on_1904: bool
    is_reckoned_on_opening: bool


def read_book(archive: zipfile.ZipFile) -> Book:
    """Read what a workbook says of itself."""
    book, relations = _parse(archive, "xl/workbook.xml"), _parse(archive, "xl/_rels/workbook.xml.rels")
    targets = {one.get("Id", ""): one.get("Target", "") for one in relations.iter("{*}Relationship")}
    parts = [
        SheetPart(
            sheet.get("name", ""),
            normpath(join("/xl", targets[str(_ID(sheet))])).lstrip("/"),
            sheet.get("state", "visible") != "visible",
        )
        for sheet in book.iter("{*}sheet")
    ]
    return Book(
        [part for part in parts if "/chartsheets/" not in part.name_in_archive],
        any(one.get("date1904") in _ON for one in book.iter("{*}workbookPr")),
        any(one.get("fullCalcOnLoad") in _ON for one in book.iter("{*}calcPr")),
    )


def _parse(archive: zipfile.ZipFile, name: str) -> _Element:
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    return etree.fromstring(archive.read(name), parser)


_MOST_MERGED = 200_000
_CHUNK = 1 << 20
_LONGEST_TAG = 1 << 12
_MERGED = re.compile(
    rb"""<(?:\w+:)?mergeCell\s[^<>]*?ref\s*=\s*["']([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})["']"""
)
_HIDDEN_ROW = re.compile(
    rb"""<(?:\w+:)?row\s[^<>]*?(?:\bhidden\s*=\s*["'](?:1|true)|\bht\s*=\s*["']0(?:\.0)?)["'][^<>]*(?<!/)>"""
)
_FORMULA = re.compile(rb"<(?:\w+:)?f[\s>/]")

Merged = tuple[Place, Place]
"""The first and the last place of a merged cell."""


@dataclass(frozen=True, slots=True)
class SheetOutline:
    """What is known of a sheet without its values. `rows` counts those that are in the file, `unseen_cells`
    the cells that are struck out, or white on white."""

    rows: int = 0
    hidden_rows: int = 0
    unseen_cells: int = 0
    merged: Sequence[Merged] = ()
    has_formulas: bool = False


def read_outline(content: IO[bytes], hiding: Sequence[str]) -> SheetOutline:
    """Read the outline of a sheet; `hiding` are the numbers of the styles that hide a cell. Raises
    `UnreadableTable`."""
    rows = hidden = unseen = 0
    styled = re.compile(
        rb"""<(?:\w+:)?c\s(?:[^<>]*\s)?s\s*=\s*["'](?:%b)["'][^<>]*(?<!/)>""" % "|".join(hiding).encode()
    )
    merged: list[Merged] = []
    has_formulas = False
    rest = b""
    while chunk := content.read(_CHUNK):
        text = rest + chunk
        # What a chunk cuts is read with the next one.
        end = text.rfind(b"<", max(0, len(text) - _LONGEST_TAG))
        text, rest = (text[:end], text[end:]) if end > 0 else (text, b"")
        rows += text.count(b"<row ") + text.count(b"<row>") + text.count(b":row ") + text.count(b":row>")
        if b"hidden" in text or b'ht="0' in text:
            hidden += len(_HIDDEN_ROW.findall(text))
        unseen += len(styled.findall(text)) if hiding else 0
        if not has_formulas and (b"<f" in text or b":f" in text):
            has_formulas = _FORMULA.search(text) is not None
        if b"mergeCell" in text:
            merged += [
                ((int(top) - 1, read_column(left.decode())), (int(bottom) - 1, read_column(right.decode())))
                for left, top, right, bottom in _MERGED.findall(text)
            ]
        if len(merged) > _MOST_MERGED:
            raise UnreadableTable(f"the workbook has more than {_MOST_MERGED:,} merged cells")
    return SheetOutline(rows, hidden, unseen, merged, has_formulas)
