"""The rows and columns of an XLSX workbook that its sheets do not show."""

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from posixpath import join, normpath
from typing import IO

from lxml import etree

from app.service.documents.formats.signatures import ZIP_ARCHIVE

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_RELATION = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_FURTHEST_COLUMN = 16_384


@dataclass(frozen=True, slots=True)
class HiddenCells:
    """Hidden rows and columns of a sheet, counted from 0."""

    rows: frozenset[int] = frozenset()
    columns: frozenset[int] = frozenset()

    def leave_out(self, rows: Sequence[Sequence[str]], start: tuple[int, int]) -> list[list[str]]:
        """The cells that are shown of rows whose first cell is at `start`, its row and column."""
        return [
            [cell for column, cell in enumerate(row, start[1]) if column not in self.columns]
            for number, row in enumerate(rows, start[0])
            if number not in self.rows
        ]


def find_hidden_cells(content: bytes) -> dict[str, HiddenCells]:
    """The hidden cells by the name of their sheet; none for a workbook of another format or a damaged one."""
    if not content.startswith(ZIP_ARCHIVE):
        return {}
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return {name: _read_hidden(archive, part) for name, part in _find_sheet_parts(archive)}
    except (zipfile.BadZipFile, etree.XMLSyntaxError, KeyError, ValueError, OSError, NotImplementedError):
        return {}


def _find_sheet_parts(archive: zipfile.ZipFile) -> list[tuple[str, str]]:
    """The name of each sheet with that of its file in the archive."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    relations = etree.fromstring(archive.read("xl/_rels/workbook.xml.rels"), parser)
    targets = {one.get("Id", ""): one.get("Target", "") for one in relations.iter(_RELATION)}
    book = etree.fromstring(archive.read("xl/workbook.xml"), parser)
    return [
        (sheet.get("name", ""), normpath(join("/xl", targets[sheet.get(_ID, "")])).lstrip("/"))
        for sheet in book.iter(f"{_MAIN}sheet")
    ]


def _read_hidden(archive: zipfile.ZipFile, part: str) -> HiddenCells:
    with archive.open(part) as sheet:
        return _find_hidden(sheet)


def _find_hidden(sheet: IO[bytes]) -> HiddenCells:
    rows: set[int] = set()
    columns: set[int] = set()
    number = 0
    for _, element in etree.iterparse(
        sheet, tag=(f"{_MAIN}row", f"{_MAIN}col"), resolve_entities=False, no_network=True
    ):
        hidden = element.get("hidden") in ("1", "true")
        if element.tag == f"{_MAIN}row":
            number = int(element.get("r", number + 1))
            if hidden:
                rows.add(number - 1)
        elif hidden:
            last = min(int(element.get("max", "0")), _FURTHEST_COLUMN)
            columns.update(range(int(element.get("min", "1")) - 1, last))
        element.clear()
        while element.getprevious() is not None:
            del element.getparent()[0]
    return HiddenCells(frozenset(rows), frozenset(columns))
