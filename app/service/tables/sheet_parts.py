"""The sheets of an XLSX workbook and their files in its archive."""

import zipfile
from dataclasses import dataclass
from posixpath import join, normpath

from lxml import etree
from lxml.etree import _Element  # pyright: ignore[reportPrivateUsage] # there is no public name

_BOOK = "xl/workbook.xml"


@dataclass(frozen=True, slots=True)
class SheetPart:
    """A sheet by its name, and where it is in the archive."""

    name: str
    name_in_archive: str
    hidden: bool = False


def find_sheet_parts(archive: zipfile.ZipFile) -> list[SheetPart]:
    """Return the sheets in their order, without those that are charts."""
    relations = _parse(archive, "xl/_rels/workbook.xml.rels")
    targets = {one.get("Id", ""): one.get("Target", "") for one in relations.iter("{*}Relationship")}
    parts = [
        SheetPart(
            sheet.get("name", ""),
            normpath(join("/xl", targets[_find_id(sheet)])).lstrip("/"),
            sheet.get("state", "visible") != "visible",
        )
        for sheet in _parse(archive, _BOOK).iter("{*}sheet")
    ]
    return [part for part in parts if "/chartsheets/" not in part.name_in_archive]


def _find_id(sheet: _Element) -> str:
    return next((str(value) for name, value in sheet.items() if str(name).endswith("}id")), "")


def is_reckoned_on_opening(archive: zipfile.ZipFile) -> bool:
    """Whether a spreadsheet program is to reckon all formulas when it opens the workbook, since whatever
    wrote it did not."""
    calculation = _parse(archive, _BOOK).iter("{*}calcPr")
    return any(one.get("fullCalcOnLoad") in ("1", "true") for one in calculation)


def is_based_on_1904(archive: zipfile.ZipFile) -> bool:
    """Whether the days of the workbook are counted from the first of January 1904."""
    return any(one.get("date1904") in ("1", "true") for one in _parse(archive, _BOOK).iter("{*}workbookPr"))


def _parse(archive: zipfile.ZipFile, name: str) -> _Element:
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    return etree.fromstring(archive.read(name), parser)
