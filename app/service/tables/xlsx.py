"""The sheets of an XLSX workbook, each read as a stream of rows with all that is known of its cells."""

import re
import zipfile
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cached_property
from itertools import islice
from typing import IO, BinaryIO

from lxml import etree
from lxml.etree import _Element  # pyright: ignore[reportPrivateUsage] # there is no public name

from app.service.tables.archives import open_archive
from app.service.tables.formulas import Value, read_column
from app.service.tables.sheet_parts import SheetOutline, read_book, read_outline
from app.service.tables.sheet_styles import FIRST_DAY, FIRST_DAY_1904, PLAIN, CellStyle, read_styles
from app.service.tables.table import CellError, UnreadableTable
from app.service.tables.unstored_results import MOST_FORMULAS, Formulas, Place, Reckoner
from app.service.values.folding import lower_cents, raise_digits

MAX_ROWS, MAX_COLUMNS = 1 << 20, 16_384
"""Of a sheet, as Excel has them."""
_MOST_RECKONED_ROWS = 100_000
_CELL = re.compile(r"([A-Za-z]{1,3})(\d{1,16})")
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_OFF = ("0", "false")
_ERROR = "is an error of the spreadsheet"
_UNSTORED = "is a formula without a result: save the file in a spreadsheet program and send it again"

_DAMAGE = (
    *(zipfile.BadZipFile, zipfile.LargeZipFile, etree.XMLSyntaxError, ValueError, KeyError, OSError),
    *(EOFError, NotImplementedError, RuntimeError),
)
"""What a damaged workbook makes the libraries raise."""


@dataclass(slots=True)
class SheetRow:
    """A row of a sheet by its number, counted from 1, with its cells from the first column on. `unseen` are
    the columns of cells that are struck out, or white on white."""

    number: int
    cells: list[object]
    hidden: bool = False
    unseen: Sequence[int] = ()


@dataclass
class XlsxSheet:
    """A sheet of a workbook. `hidden_columns`, counted from 0, are known with the first row."""

    name: str
    hidden: bool
    is_pivot: bool
    book: "XlsxWorkbook"
    part: str
    hidden_columns: set[int] = field(default_factory=set[int])
    knows_hidden_cells = True

    @cached_property
    def outline(self) -> SheetOutline:
        """Read what is known without the values, which is fast."""
        with _report_damage(), self.book.archive.open(self.part) as content:
            return read_outline(content, [name for name, style in self.book.styles.items() if style.hides])

    @cached_property
    def formulas(self) -> Formulas:
        """The formulas without a stored result, and the errors, by their place."""
        rows = self.read_stored() if self.outline.has_formulas else ()
        found = (
            ((row.number - 1, column), cell.text)
            for row in rows
            for column, cell in enumerate(row.cells)
            if isinstance(cell, CellError)
        )
        return dict(islice(found, MOST_FORMULAS))

    @cached_property
    def results(self) -> Mapping[Place, Value]:
        """The results of formulas that the file lacks and that can be reckoned."""
        return self.book.reckoner.reckon(self.name) if self.formulas else {}

    def read_rows(self) -> Iterator[SheetRow]:
        """Yield the rows that are in the file, with the results of formulas as far as they are known. Raises
        `UnreadableTable`."""
        results = self.results
        for row in self.read_stored():
            for column, cell in enumerate(row.cells) if results else ():
                result = results.get((row.number - 1, column))
                if isinstance(cell, _Unstored) and result is not None:
                    is_number = type(result) is float
                    row.cells[column] = cell.style.read(result, self.book.first_day) if is_number else result
            yield row

    def list_stored(self) -> list[list[object]]:
        """Return the cells of the first rows as they are stored, of each row by its number."""
        rows: list[list[object]] = []
        for row in self.read_stored():
            if row.number > _MOST_RECKONED_ROWS:
                break
            rows += [[] for _ in range(row.number - 1 - len(rows))]
            rows.append(row.cells)
        return rows

    def read_stored(self) -> Iterator[SheetRow]:
        with _report_damage(), self.book.archive.open(self.part) as content:
            yield from _RowReader(self.book, self.hidden_columns).read(content)


class XlsxWorkbook:
    """An XLSX workbook. Once its rows are read, `has_struck_text` says that parts of its texts are struck out
    and left out, `has_raised_cents` that digits were read as cents since they are raised. Raises
    `UnreadableTable` where it is damaged."""

    has_struck_text = has_raised_cents = False

    def __init__(self, stream: BinaryIO) -> None:
        self.archive = open_archive(stream)
        try:
            parts, is_based_on_1904, self.distrusted = read_book(self.archive)
            self.first_day = FIRST_DAY_1904 if is_based_on_1904 else FIRST_DAY
            self.styles = read_styles(self.archive)
        except (*_DAMAGE, SyntaxError) as error:
            raise UnreadableTable(f"the workbook cannot be opened: {_first_line(error)}") from None
        self.sheets = list[XlsxSheet]()
        for part in parts:
            folder, _, name = part.name_in_archive.rpartition("/")
            relations, names = f"{folder}/_rels/{name}.rels", self.archive.NameToInfo
            is_pivot = relations in names and b"relationships/pivotTable" in self.archive.read(relations)
            if part.name_in_archive in names:
                self.sheets.append(XlsxSheet(part.name, part.hidden, is_pivot, self, part.name_in_archive))

    @cached_property
    def texts(self) -> list[str]:
        """The texts that its cells share."""
        name = next((one for one in self.archive.namelist() if one.lower() == "xl/sharedstrings.xml"), None)
        if name is None:
            return []
        texts: list[str] = []
        with _report_damage(), self.archive.open(name) as content:
            for _, item in etree.iterparse(content, tag="{*}si", resolve_entities=False, no_network=True):
                texts.append(self.read_text(item))
                _forget(item)
        return texts

    def read_text(self, item: _Element) -> str:
        """Return a text as it is shown: without what is struck out, with raised digits as ¹²³, raised cents
        as others, and without the reading aids of Japanese."""
        if len(item) == 1 and str(item[0].tag).endswith("}t"):
            return _unescape(item[0].text or "")
        parts: list[str] = []
        for child in item:
            tag = str(child.tag).rpartition("}")[2]
            if tag == "t":
                parts.append(child.text or "")
            elif tag == "r":
                text = "".join(one.text or "" for one in child if str(one.tag).endswith("}t"))
                if _find_format(child, "strike") not in (None, *_OFF):
                    self.has_struck_text |= bool(text.strip())
                else:
                    is_raised = _find_format(child, "vertAlign") == "superscript"
                    parts.append(raise_digits(text) if is_raised else text)
        shown = _unescape("".join(parts))
        lowered = lower_cents(shown)
        self.has_raised_cents |= lowered != shown
        return lowered

    @cached_property
    def reckoner(self) -> Reckoner:
        """What reckons formulas, which may be of any sheet."""
        return Reckoner({sheet.name: sheet for sheet in self.sheets})


@dataclass(frozen=True, slots=True)
class _Unstored(CellError):
    """A formula without a result, with the style in which one is shown."""

    style: CellStyle


class _RowReader:
    """Reads the rows of one sheet."""

    def __init__(self, book: XlsxWorkbook, hidden_columns: set[int]) -> None:
        self._book = book
        self._hidden_columns = hidden_columns
        self._texts = book.texts
        self._columns: dict[str, int] = {}

    def read(self, content: IO[bytes]) -> Iterator[SheetRow]:
        number = 0
        for _, element in etree.iterparse(
            content, tag=("{*}row", "{*}col"), resolve_entities=False, no_network=True
        ):
            space, _, tag = str(element.tag).rpartition("}")
            if tag == "col":
                if _is_hidden(element, "width"):
                    last = min(int(element.get("max", "0")), MAX_COLUMNS)
                    self._hidden_columns.update(range(int(element.get("min", "1")) - 1, last))
            else:
                number = int(element.get("r", number + 1))
                if not 0 < number <= MAX_ROWS:
                    raise UnreadableTable(f"the workbook has a row beyond {MAX_ROWS:,}")
                row = self._read_row(element, number, f"{space}}}" if space else "")
                if row.cells:
                    yield row
            _forget(element)

    def _read_row(self, element: _Element, number: int, space: str) -> SheetRow:
        cells: list[object] = []
        unseen: list[int] = []
        styles, first_day = self._book.styles, self._book.first_day
        cell_tag, value_tag, formula_tag = f"{space}c", f"{space}v", f"{space}f"
        column = -1
        for cell in element:
            if cell.tag != cell_tag:
                continue
            column = self._find_column(cell, column + 1)
            count = len(cell)
            if not count:
                continue
            style = styles.get(cell.get("s", "0"), PLAIN)
            child = cell[0]
            # Nearly every cell is a number or a shared text.
            if count == 1 and child.tag == value_tag and (stored := child.text):
                kind = cell.get("t")
                if kind is None or kind == "n":
                    value = _read_number(stored)
                    if style.kind != "plain":
                        value = style.read(value, first_day)
                elif kind == "s":
                    value = self._texts[int(stored)] or None
                else:
                    value = self._read_cell(cell, style, value_tag, formula_tag)
            else:
                value = self._read_cell(cell, style, value_tag, formula_tag)
            if value is None:
                continue
            if style.hides:
                unseen.append(column)
            if column >= len(cells):
                cells.extend([None] * (column - len(cells)))
                cells.append(value)
            else:
                cells[column] = value
        return SheetRow(number, cells, _is_hidden(element, "ht"), unseen)

    def _find_column(self, cell: _Element, following: int) -> int:
        name = cell.get("r")
        if name is None:
            return following
        letters = name.rstrip("0123456789")
        column = self._columns.get(letters, -1)
        if column < 0:
            column = self._columns[letters] = _find_column(letters)
        return column

    def _read_cell(self, cell: _Element, style: CellStyle, value_tag: str, formula_tag: str) -> object:
        stored = formula = inline = None
        for child in cell:
            if child.tag == value_tag:
                stored = child.text
            elif child.tag == formula_tag:
                formula = child
            else:
                inline = child
        kind = cell.get("t", "n")
        # A stored 0 may stand for a result that was not reckoned.
        is_zero = not stored or (stored == "0" and self._book.distrusted)
        if formula is not None and (stored is None if kind == "str" else kind == "n" and is_zero):
            return _Unstored(f"={formula.text or ''}", _UNSTORED, style)
        if kind == "inlineStr":
            return (self._book.read_text(inline) or None) if inline is not None else None
        if stored is None:
            return None
        if kind == "s":
            return self._texts[int(stored)] or None
        if kind == "n":
            return style.read(_read_number(stored), self._book.first_day)
        if kind == "str":
            return _unescape(stored)
        if kind == "b":
            return stored == "1"
        if kind == "e":
            return CellError(stored, _ERROR)
        return _read_iso(stored) if kind == "d" else stored


def _is_hidden(element: _Element, size: str) -> bool:
    """Whether a row or a column is not shown; `size` is the attribute that is 0 then too."""
    return element.get("hidden") in ("1", "true") or element.get(size) in ("0", "0.0")


def _find_column(letters: str) -> int:
    if not _CELL.fullmatch(f"{letters}1"):
        raise ValueError(f"there is no cell {letters[:20]!r}")
    column = read_column(letters.upper())
    if column >= MAX_COLUMNS:
        raise UnreadableTable(f"the workbook has a column beyond {MAX_COLUMNS:,}")
    return column


def _read_number(text: str) -> int | float:
    try:
        return int(text) if len(text) < 19 else float(text)
    except ValueError:
        return float(text)


def _read_iso(text: str) -> object:
    try:
        day = datetime.fromisoformat(text)
    except ValueError:
        return text
    return day if "T" in text else date(day.year, day.month, day.day)


def _find_format(run: _Element, name: str) -> str | None:
    found = run.find(f"{{*}}rPr/{{*}}{name}")
    return None if found is None else found.get("val", "")


def _unescape(text: str) -> str:
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text) if "_x" in text else text


def _forget(element: _Element) -> None:
    element.clear()
    parent = element.getparent()
    while element.getprevious() is not None and parent is not None:
        del parent[0]


@contextmanager
def _report_damage() -> Generator[None]:
    try:
        yield
    except UnreadableTable:
        raise
    except (*_DAMAGE, SyntaxError) as error:
        raise UnreadableTable(f"the workbook is damaged: {_first_line(error)}") from None


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).splitlines()), "") or type(error).__name__
