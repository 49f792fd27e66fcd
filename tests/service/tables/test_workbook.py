"""The table of a workbook is what a person sees of it."""

import io
import re
import zipfile
from collections.abc import Callable, Sequence
from datetime import date, datetime

import openpyxl
import pytest
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.styles import Font
from openpyxl.utils.datetime import MAC_EPOCH

from app.service.tables.reading import open_table
from app.service.tables.table import CellError, FormattedNumber, Table, UnreadableTable

HEADER = ["Date", "Supplier", "Product", "Quantity", "Price"]
ORDER = [date(2025, 3, 5), "Norvale", "Key", 10, 12.5]


def build(make: Callable[[openpyxl.Workbook], None]) -> io.BytesIO:
    book = openpyxl.Workbook()
    make(book)
    content = io.BytesIO()
    book.save(content)
    return content


def read(make: Callable[[openpyxl.Workbook], None], sheet: str | None = None) -> Table:
    return open_table(build(make), sheet=sheet)


def list_cells(table: Table) -> list[list[object]]:
    return [list(row[1]) for row in table.rows if isinstance(row, tuple)]


def fill(sheet: object, *rows: Sequence[object]) -> None:
    for row in rows:
        sheet.append(row)  # type: ignore[attr-defined]


def test_hidden_rows_columns_and_cells_are_left_out_and_said() -> None:
    def make(book: openpyxl.Workbook) -> None:
        sheet = book.worksheets[0]
        fill(sheet, [*HEADER, "Our margin"], [*ORDER, 5], [*ORDER, 6], [*ORDER, 7])
        sheet.row_dimensions[3].hidden = True
        sheet.column_dimensions["F"].hidden = True
        sheet["E4"].font = Font(strike=True)

    table = read(make)
    assert list(table.head.headings) == HEADER
    assert [row for row in table.rows if isinstance(row, tuple)] == [(2, ORDER), (4, [*ORDER[:4], None])]
    [note] = table.head.notes
    assert all(part in note for part in ("1 hidden row", "column F", "1 cell"))


def test_struck_and_raised_parts_of_a_text_are_read_as_they_are_shown() -> None:
    struck, raised = InlineFont(strike=True), InlineFont(vertAlign="superscript")
    cells = [
        CellRichText(TextBlock(struck, "120.00"), " 100.00"),
        CellRichText("850", TextBlock(raised, "1")),
        CellRichText("€855", TextBlock(raised, "00")),
        CellRichText("Net 30", TextBlock(raised, "th")),
    ]
    table = read(lambda book: fill(book.worksheets[0], HEADER[1:], cells))
    assert list_cells(table) == [[" 100.00", "850¹", "€855.00", "Net 30th"]]
    assert len(table.head.notes) == 2


@pytest.mark.parametrize(
    ("first", "state", "chosen", "others"),
    [
        ([["Purchases of 2025"], ["Made by Accounts"]], "visible", "Orders", {"First": 0, "Orders": 5}),
        ([HEADER, ORDER], "hidden", "Orders", {"First": 5, "Orders": 5}),
        ([HEADER, ORDER], "veryHidden", "Orders", {"First": 5, "Orders": 5}),
        ([["Code", "Name"], ["A", "Alder"]], "visible", "Orders", {"First": 2, "Orders": 5}),
        ([HEADER, ORDER], "visible", "First", {"First": 5, "Orders": 5}),
        ([], "visible", "Orders", {"First": 0, "Orders": 5}),
    ],
)
def test_the_first_visible_sheet_with_a_table_is_read(
    first: Sequence[Sequence[object]], state: str, chosen: str, others: dict[str, int]
) -> None:
    def make(book: openpyxl.Workbook) -> None:
        sheet = book.worksheets[0]
        sheet.title = "First"
        fill(sheet, *first)
        fill(book.create_sheet("Orders"), HEADER, ORDER, ORDER)
        sheet.sheet_state = state  # type: ignore[assignment]

    table = read(make)
    assert table.head.sheet == chosen
    assert {one.name: len(one.headings) for one in table.head.sheets} == others
    assert [one.hidden for one in table.head.sheets] == [state != "visible", False]
    assert any("First" in note or chosen == "First" for note in table.head.notes)


def test_a_sheet_can_be_named() -> None:
    def make(book: openpyxl.Workbook) -> None:
        fill(book.worksheets[0], HEADER, ORDER)
        fill(book.create_sheet("Old"), ["Name", "Price"], ["Desk", 2])
        book["Old"].sheet_state = "hidden"

    assert list_cells(read(make, "Old")) == [["Desk", 2]]
    with pytest.raises(UnreadableTable, match="no sheet 'Older'"):
        read(make, "Older")


def test_a_merged_cell_has_its_value_everywhere() -> None:
    def make(book: openpyxl.Workbook) -> None:
        sheet = book.worksheets[0]
        fill(sheet, ["Orders of 2025"], ["Product", "Price", None, "Currency"], [None, "Net", "Gross", None])
        fill(sheet, ["Key", 1, 2, "CHF"], ["Vice", 3, 4, None], ["Gap", 5, 6, None], ["File", 7, 8, "EUR"])
        for cells in ("A1:D1", "A2:A3", "B2:C2", "D2:D3", "D4:D6"):
            sheet.merge_cells(cells)

    table = read(make)
    assert list(table.head.headings) == ["Product", "Price: Net", "Price: Gross", "Currency"]
    assert [row[3] for row in list_cells(table)] == ["CHF", "CHF", "CHF", "EUR"]
    assert any("D4:D6" in note for note in table.head.notes)


def test_formulas_have_their_results_and_errors_are_no_texts() -> None:
    def make(book: openpyxl.Workbook) -> None:
        sheet = book.worksheets[0]
        fill(sheet, HEADER, [*ORDER[:4], "=D2*2"], [*ORDER[:4], "=RAND()"], ["=DATE(2025,3,5)", "#N/A"])
        sheet["B4"].data_type = "e"

    rows = list_cells(read(make))
    assert rows[0][4] == 20
    assert all(isinstance(cell, CellError) for cell in (rows[1][4], rows[2][0], rows[2][1]))
    assert [str(rows[1][4]), str(rows[2][1])] == ["=RAND()", "#N/A"]
    # With stored results, which openpyxl does not write.
    content = build(make)
    stored = io.BytesIO()
    with zipfile.ZipFile(content) as source, zipfile.ZipFile(stored, "w") as target:
        for name in source.namelist():
            text = source.read(name)
            for at, formula in enumerate((b"D2*2", b"RAND()", b"DATE(2025,3,5)")):
                text = text.replace(b"<f>%b</f><v />" % formula, b"<f>%b</f><v>%d</v>" % (formula, at + 7))
                text = text.replace(b"<f>%b</f><v></v>" % formula, b"<f>%b</f><v>%d</v>" % (formula, at + 7))
            target.writestr(name, text)
    rows = list_cells(open_table(stored))
    assert [rows[0][4], rows[1][4], rows[2][0]] == [7, 8, 9]


@pytest.mark.parametrize(
    ("value", "number_format", "cell"),
    [
        (45721, "yyyy-mm-dd", date(2025, 3, 5)),
        (45721.5, "dd/mm/yyyy hh:mm", datetime(2025, 3, 5, 12)),  # noqa: DTZ001
        (45721, "[$-407]d. mmmm yyyy;@", date(2025, 3, 5)),
        (45721, '"Day "0', 45721),
        (12.5, "#,##0.00 [$€-407]", 12.5),
        (12.5, '"CHF" #,##0.00', 12.5),
        (0.19, "0%", 0.19),
        (12.5, "#,##0.00_);[Red]\\(#,##0.00\\)", 12.5),
        (12, "General", 12),
        ("0012", "@", "0012"),
        (True, "General", True),
    ],
)
def test_cells_have_their_types_and_formats(value: object, number_format: str, cell: object) -> None:
    def make(book: openpyxl.Workbook) -> None:
        sheet = book.worksheets[0]
        fill(sheet, ["Name", "Value"], ["A", None])
        sheet["B2"].value = value  # type: ignore[assignment]
        sheet["B2"].number_format = number_format

    [[_, found]] = list_cells(read(make))
    assert (found, isinstance(found, bool)) == (cell, isinstance(cell, bool))
    shows = any(sign in number_format for sign in ("€", "CHF", "%", "Day"))
    assert getattr(found, "number_format", None) == (number_format if shows else None)
    assert isinstance(found, FormattedNumber) == shows


def test_days_are_counted_from_1904_where_the_workbook_says_so() -> None:
    def make(book: openpyxl.Workbook) -> None:
        book.epoch = MAC_EPOCH
        fill(book.worksheets[0], ["Name", "Day"], ["A", date(2025, 3, 5)])

    assert list_cells(read(make)) == [["A", date(2025, 3, 5)]]


@pytest.mark.campaign
def test_a_workbook_of_many_sheets_and_one_of_long_cells_are_read() -> None:
    def make(book: openpyxl.Workbook) -> None:
        fill(book.worksheets[0], HEADER, [*ORDER[:2], "x" * 32_000, 1, 2])
        for number in range(120):
            book.create_sheet(f"S{number}").append(["Name", number])

    table = read(make)
    assert (len(table.head.sheets), table.head.sheet) == (121, "Sheet")
    assert [len(str(cell)) for cell in list_cells(table)[0]][2] == 32_000


def put_cell(xml: str, *, sheet: str = "", row: str = "") -> io.BytesIO:
    """A workbook whose cell E2 is this XML; `sheet` stands in front of the sheet's data, `row` in its row."""
    content = build(lambda book: fill(book.worksheets[0], HEADER, [*ORDER[:4], 987_654]))
    written = io.BytesIO()
    with zipfile.ZipFile(content) as source, zipfile.ZipFile(written, "w") as target:
        for name in source.namelist():
            text = source.read(name)
            if name == "xl/worksheets/sheet1.xml":
                text = re.sub(rb'<c r="E2"[^>]*><v>987654</v></c>', xml.encode(), text)
                text = text.replace(b"<sheetData>", f"{sheet}<sheetData>".encode())
                text = text.replace(b'<row r="2"', f'<row r="2" {row}'.encode())
            target.writestr(name, text)
    return written


@pytest.mark.parametrize(
    ("xml", "value"),
    [
        ('<c r="E2"><f>D2*2</f><v>21</v></c>', 21),
        ('<c r="E2" t="str"><f>TEXT(D2,"0")</f><v>12,5</v></c>', "12,5"),
        ('<c r="E2" t="b"><f>D2=10</f><v>1</v></c>', True),
        ('<c r="E2" t="e"><f>D2/0</f><v>#DIV/0!</v></c>', "#DIV/0!"),
        ('<c r="E2"><f t="shared" si="0"/><v>7</v></c>', 7),
        ('<c r="E2"><f t="shared" ref="E2:E9" si="0">D2*2</f><v>20</v></c>', 20),
        ('<c r="E2"><f t="array" ref="E2">SUM(D2*2)</f><v>20</v></c>', 20),
        ('<c r="E2" cm="1"><f t="array" ref="E2">_xlfn.XLOOKUP(D2,D2,D2)</f><v>9</v></c>', 9),
        ('<c r="E2"><f>[1]Prices!$A$1</f><v>3.5</v></c>', 3.5),
        ('<c r="E2" t="str"><f>HYPERLINK("x","5")</f><v>5</v></c>', "5"),
        ('<c r="E2"><f>D2*2</f></c>', 20),
        ('<c r="E2"><f>SUM(D2:D2)</f><v></v></c>', 10),
        ('<c r="E2"><f>VLOOKUP(D2,A1:B2,2)</f></c>', None),
        ('<c r="E2"><f>[1]Prices!$A$1</f></c>', None),
        ('<c r="E2"><f t="array" ref="E2">_xlfn.XLOOKUP(D2,D2,D2)</f></c>', None),
        ('<c r="E2"><f>E2+1</f></c>', None),
    ],
)
def test_a_formula_has_the_result_that_is_stored_or_can_be_reckoned(xml: str, value: object) -> None:
    [[*_, cell]] = list_cells(open_table(put_cell(xml)))
    if isinstance(cell, CellError):
        assert value in (None, cell.text)
    else:
        assert cell == value


@pytest.mark.parametrize(
    ("sheet", "row", "price"),
    [
        ('<cols><col min="5" max="5" width="9"/></cols>', "", 8.5),
        ('<cols><col min="5" max="5" hidden="1" width="9"/></cols>', "", None),
        ('<cols><col min="4" max="6" hidden="true"/></cols>', "", None),
        ('<cols><col min="5" max="5" width="0" customWidth="1"/></cols>', "", None),
        ('<cols><col min="5" max="5" width="9" outlineLevel="1" hidden="1"/></cols>', "", None),
        ('<cols><col min="5" max="5" width="9" outlineLevel="1"/></cols>', "", 8.5),
        ("", 'hidden="1"', None),
        ("", 'hidden="true" outlineLevel="1"', None),
        ("", 'ht="0" customHeight="1"', None),
        ("", 'ht="3" customHeight="1" outlineLevel="1"', 8.5),
    ],
)
def test_a_column_or_row_that_is_not_shown_is_left_out(sheet: str, row: str, price: float | None) -> None:
    table = open_table(put_cell('<c r="E2"><v>8.5</v></c>', sheet=sheet, row=row))
    read = [cells[4] for cells in list_cells(table)] if "Price" in table.head.headings else []
    assert read == ([] if price is None else [price])
    assert bool(table.head.notes) == (price is None)
