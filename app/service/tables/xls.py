"""The sheets of a workbook of Excel 97 or of OpenDocument, or the tables of a web page. What they hide is not
known, nor what their numbers show."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, BinaryIO

from app.service.tables.formulas import Value
from app.service.tables.sheet_parts import Merged, SheetOutline
from app.service.tables.table import UnreadableTable
from app.service.tables.unstored_results import Formulas, Place
from app.service.tables.xlsx import SheetRow

if TYPE_CHECKING:
    from python_calamine import CalamineSheet, CalamineWorkbook

    from app.service.tables.html import HtmlTable, HtmlWorkbook


@dataclass
class XlsSheet:
    """A sheet of a workbook, as `xlsx.XlsxSheet` is."""

    name: str
    hidden: bool
    book: "CalamineWorkbook | HtmlWorkbook"
    hidden_columns: set[int] = field(default_factory=set[int])
    formulas: Formulas = field(default_factory=dict[Place, str])
    results: Mapping[Place, Value] = field(default_factory=dict[Place, Value])
    is_pivot = False
    knows_hidden_cells = False

    @cached_property
    def _sheet(self) -> "CalamineSheet | HtmlTable":
        from python_calamine import CalamineError

        try:
            return self.book.get_sheet_by_name(self.name)
        except (CalamineError, ValueError, OSError) as error:
            raise UnreadableTable(f"the sheet {self.name} is damaged: {error}") from None

    @cached_property
    def outline(self) -> SheetOutline:
        """What is known without the values."""
        merged: Sequence[Merged] = self._sheet.merged_cell_ranges or []
        return SheetOutline(self._sheet.height, merged=merged)

    def read_rows(self) -> Iterator[SheetRow]:
        """Yield the rows with their values."""
        top, left = self._sheet.start or (0, 0)
        try:
            rows = self._sheet.to_python()
        except (ValueError, OSError) as error:
            raise UnreadableTable(f"the sheet {self.name} is damaged: {error}") from None
        for number, cells in enumerate(rows, start=top + 1):
            yield SheetRow(number, [*[None] * left, *(None if cell == "" else cell for cell in cells)])


class XlsWorkbook:
    """A workbook that calamine reads, as `xlsx.XlsxWorkbook` is. Raises `UnreadableTable` where it is
    damaged."""

    has_struck_text = has_raised_cents = False

    def __init__(self, stream: BinaryIO) -> None:
        from python_calamine import CalamineError, CalamineWorkbook, SheetVisibleEnum

        try:
            book = CalamineWorkbook.from_filelike(stream)
        except (CalamineError, ValueError, OSError):
            raise UnreadableTable("the workbook cannot be opened; it may be damaged or protected") from None
        self.sheets = [
            XlsSheet(one.name, one.visible != SheetVisibleEnum.Visible, book) for one in book.sheets_metadata
        ]
