"""The sheets of an XLSX workbook and their files in its archive."""

import zipfile
from posixpath import join, normpath

from lxml import etree

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_RELATION = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


def find_sheet_parts(archive: zipfile.ZipFile) -> list[tuple[str, str]]:
    """The name of each sheet with that of its file in the archive."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    relations = etree.fromstring(archive.read("xl/_rels/workbook.xml.rels"), parser)
    targets = {one.get("Id", ""): one.get("Target", "") for one in relations.iter(_RELATION)}
    book = etree.fromstring(archive.read("xl/workbook.xml"), parser)
    return [
        (sheet.get("name", ""), normpath(join("/xl", targets[sheet.get(_ID, "")])).lstrip("/"))
        for sheet in book.iter(f"{MAIN}sheet")
    ]


def is_reckoned_on_opening(archive: zipfile.ZipFile) -> bool:
    """Whether a spreadsheet program is to reckon all formulas when it opens the workbook, since whatever
    wrote it did not."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    book = etree.fromstring(archive.read("xl/workbook.xml"), parser)
    return any(one.get("fullCalcOnLoad") in ("1", "true") for one in book.iter(f"{MAIN}calcPr"))
