"""The tables of a web page that a system calls a workbook. What its styles hide is not known."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from typing import Any, BinaryIO

from lxml import etree
from lxml.etree import _Element  # pyright: ignore[reportPrivateUsage] # there is no public name

from app.service.tables.encodings import is_utf_8
from app.service.tables.sheet_parts import Merged
from app.service.tables.table import CellError, FormattedNumber, UnreadableTable
from app.service.tables.xls import XlsSheet
from app.service.values.numbers import NotANumber, read_number

_MOST_COVERED = 1_000
_NO_TABLE = "the file is a web page or XML without a table that can be read: save it as XLSX or CSV"


@dataclass(frozen=True)
class HtmlTable:
    """A table, as calamine has a sheet."""

    rows: list[list[object]]
    merged_cell_ranges: list[Merged]
    height: int
    start = (0, 0)

    def to_python(self) -> list[list[object]]:
        """Return its rows."""
        return self.rows


class HtmlWorkbook:
    """The tables of a web page as sheets, as `xlsx.XlsxWorkbook` is. Raises `UnreadableTable` where it has
    none."""

    has_struck_text = has_raised_cents = False

    def __init__(self, stream: BinaryIO) -> None:
        content = stream.read()
        # Where the bytes are no UTF-8 the page names its encoding.
        root: Any = etree.HTML(content, etree.HTMLParser(encoding="utf-8" if is_utf_8(content) else None))
        tables: Iterable[_Element] = () if root is None else root.iter("table")
        found = (one for one in tables if one.find(".//table") is None and one.find(".//tr") is not None)
        self._tables = {f"Table {number}": _read_table(one) for number, one in enumerate(found, start=1)}
        if not self._tables:
            raise UnreadableTable(_NO_TABLE)
        self.sheets = [XlsSheet(name, False, self) for name in self._tables]

    def get_sheet_by_name(self, name: str) -> HtmlTable:
        return self._tables[name]


def _read_table(table: _Element) -> HtmlTable:
    rows, merged, covered = list[list[object]](), list[Merged](), set[tuple[int, int]]()
    for at, row in enumerate(table.iter("tr")):
        cells: list[object] = []
        for cell in row.iterchildren("td", "th"):
            while (at, len(cells)) in covered:
                cells.append("")
            spans = (cell.get(name, "") for name in ("rowspan", "colspan"))
            down, right = (
                min(max(int(text), 1), _MOST_COVERED) if text.isdecimal() and len(text) < 9 else 1
                for text in spans
            )
            end = len(cells) + right
            if down * right > 1:
                merged.append(((at, len(cells)), (at + down - 1, end - 1)))
                covered.update(product(range(at + 1, at + down), range(len(cells), end)))
            cells += [_read_cell(cell, down > 1), *[""] * (right - 1)]
        rows.append(cells)
    return HtmlTable(rows, merged, len(rows))


def _read_cell(cell: _Element, is_merged: bool) -> object:
    """Return the text of a cell; a number over several rows, which may be of each or of all, says so."""
    for line_end in cell.iter("br"):
        line_end.tail = f" {line_end.tail or ''}"
    text = " ".join("".join(cell.itertext()).split())
    if is_merged and text.isdecimal() and not text.startswith("0"):
        return FormattedNumber(float(text), "General", True)
    try:
        return CellError(text, "is merged over several rows") if is_merged and read_number(text) else text
    except NotANumber:
        return text
