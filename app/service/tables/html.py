"""The tables of a web page that a system calls a workbook. What its styles hide is not known."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import BinaryIO

from lxml import etree
from lxml.etree import _Element  # pyright: ignore[reportPrivateUsage] # there is no public name

from app.service.tables.sheet_parts import Merged
from app.service.tables.table import CellError, FormattedNumber, UnreadableTable
from app.service.tables.xls import XlsSheet
from app.service.values.numbers import NotANumber, read_number

_MOST_COVERED = 1_000
_MERGED = "is merged over several rows"
_NO_TABLE = (
    "the file is a web page or XML without a table that can be read, whatever its name says: open it in a"
    " spreadsheet program and save it as XLSX or CSV"
)


@dataclass
class HtmlTable:
    """A table, as calamine has a sheet."""

    rows: list[list[object]] = field(default_factory=list[list[object]])
    merged_cell_ranges: list[Merged] = field(default_factory=list[Merged])
    start = (0, 0)

    @property
    def height(self) -> int:
        return len(self.rows)

    def to_python(self) -> list[list[object]]:
        """Return its rows."""
        return self.rows


class HtmlWorkbook:
    """The tables of a web page as sheets, as `xlsx.XlsxWorkbook` is. Raises `UnreadableTable` where it has
    none."""

    has_struck_text = has_raised_cents = False

    def __init__(self, stream: BinaryIO) -> None:
        content = stream.read()
        root = etree.HTML(content, etree.HTMLParser(encoding=_find_encoding(content)))
        elements: Iterable[_Element] = () if root is None else root.iter("table")
        found = (one for one in elements if one.find(".//table") is None and one.find(".//tr") is not None)
        self._tables = {f"Table {number}": _read_table(one) for number, one in enumerate(found, start=1)}
        if not self._tables:
            raise UnreadableTable(_NO_TABLE)
        self.sheets = [XlsSheet(name, False, self) for name in self._tables]

    def get_sheet_by_name(self, name: str) -> HtmlTable:
        """Return a table."""
        return self._tables[name]


def _find_encoding(content: bytes) -> str | None:
    """Return UTF-8 where the bytes are such; else the page names its own."""
    try:
        content.decode()
    except UnicodeDecodeError:
        return None
    return "utf-8"


def _read_table(element: _Element) -> HtmlTable:
    table, covered = HtmlTable(), dict[tuple[int, int], None]()
    for at, row in enumerate(element.iter("tr")):
        cells: list[object] = []
        for cell in row.iterchildren("td", "th"):
            while (at, len(cells)) in covered:
                cells.append("")
            down, right = (_read_span(cell, name) for name in ("rowspan", "colspan"))
            if down * right > 1:
                last = (at + down - 1, len(cells) + right - 1)
                table.merged_cell_ranges.append(((at, len(cells)), last))
                places = range(len(cells), len(cells) + right)
                covered |= {(at + below, place): None for below in range(1, down) for place in places}
            cells += [_read_cell(cell, down > 1), *[""] * (right - 1)]
        table.rows.append(cells)
    return table


def _read_span(cell: _Element, name: str) -> int:
    span = cell.get(name, "1").strip()
    return min(max(int(span), 1), _MOST_COVERED) if span.isdecimal() and len(span) < 9 else 1


def _read_cell(cell: _Element, is_merged: bool) -> object:
    """Return the text of a cell; of one over several rows a number, which may be that of each row or of all,
    says so."""
    for line_end in cell.iter("br"):
        line_end.tail = f" {line_end.tail or ''}"
    text = " ".join("".join(cell.itertext()).split())
    if is_merged:
        try:
            read_number(text)
        except NotANumber:
            return text
        whole = text.isdecimal() and not text.startswith("0")
        return FormattedNumber(float(text), "General", True) if whole else CellError(text, _MERGED)
    return text
