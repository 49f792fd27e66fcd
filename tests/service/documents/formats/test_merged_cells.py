"""Merged cells are read beside each line that they stand beside, in every format that has them."""

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from email.message import EmailMessage

import docx
import openpyxl
import pytest

from app.service.documents.extraction import Extraction
from app.service.documents.formats.merged_cells import MergedCell, fill_merged
from app.service.documents.reading import read_document

Row = Sequence[str | int]


@dataclass(frozen=True)
class Merge:
    """Cells of a table that are one, counted from 0, the last ones included."""

    first: tuple[int, int]
    last: tuple[int, int]


def workbook(rows: Sequence[Row], merges: Sequence[Merge]) -> tuple[bytes, str]:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["Acme Software GmbH"])
    sheet.append(["Quote Q-7 in EUR"])
    for row in rows:
        sheet.append([cell or None for cell in row])
    for merge in merges:
        sheet.merge_cells(
            start_row=merge.first[0] + 3,
            start_column=merge.first[1] + 1,
            end_row=merge.last[0] + 3,
            end_column=merge.last[1] + 1,
        )
    target = io.BytesIO()
    book.save(target)
    return target.getvalue(), "quote.xlsx"


def word_file(rows: Sequence[Row], merges: Sequence[Merge]) -> tuple[bytes, str]:
    document = docx.Document()
    document.add_paragraph("Acme Software GmbH")
    document.add_paragraph("Quote Q-7 in EUR")
    table = document.add_table(rows=len(rows), cols=len(rows[0]))
    for merge in merges:
        table.cell(*merge.first).merge(table.cell(*merge.last))
    for number, row in enumerate(rows):
        for column, text in enumerate(row):
            if text:
                table.cell(number, column).text = str(text)
    target = io.BytesIO()
    document.save(target)
    return target.getvalue(), "quote.docx"


def mail(rows: Sequence[Row], merges: Sequence[Merge]) -> tuple[bytes, str]:
    begins = {merge.first: merge for merge in merges}
    covered = {
        (row, column)
        for merge in merges
        for row in range(merge.first[0], merge.last[0] + 1)
        for column in range(merge.first[1], merge.last[1] + 1)
        if (row, column) != merge.first
    }
    cells = [
        "".join(_html_cell(begins.get((number, column)), text) for column, text in enumerate(row)
                if (number, column) not in covered)
        for number, row in enumerate(rows)
    ]  # fmt: skip
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "sales@acme.example", "me@buyer.example", "Quote Q-7"
    table = "".join(f"<tr>{row}</tr>" for row in cells)
    message.set_content(f"<p>Acme Software GmbH</p><p>Quote Q-7 in EUR</p><table>{table}</table>", "html")
    return message.as_bytes(), "quote.eml"


def _html_cell(merge: Merge | None, text: str | int) -> str:
    if merge is None:
        return f"<td>{text}</td>"
    rows, columns = (last - first + 1 for first, last in zip(merge.first, merge.last, strict=True))
    return f'<td rowspan="{rows}" colspan="{columns}">{text}</td>'


WRITERS = [workbook, word_file, mail]
Write = Callable[[Sequence[Row], Sequence[Merge]], tuple[bytes, str]]


def lines(extraction: Extraction) -> list[tuple[str | None, float, float]]:
    return [(line.description, float(line.quantity or 0), float(line.amount or 0))
            for line in extraction.line_items]  # fmt: skip


@pytest.mark.campaign
@pytest.mark.parametrize("write", WRITERS)
def test_a_description_over_several_lines_stands_in_each(write: Write) -> None:
    rows = [
        ["No.", "Description", "Quantity", "Unit price", "Amount"],
        [1, "Server licence", 2, 100, 200],
        [2, "", 3, 150, 450],
        [3, "", 1, 75, 75],
        [4, "Support", 1, 50, 50],
        ["Total", "", "", "", 775],
    ]
    read = read_document(*write(rows, [Merge((1, 1), (3, 1)), Merge((5, 0), (5, 3))]))
    licence = "Server licence"
    assert lines(read) == [(licence, 2, 200), (licence, 3, 450), (licence, 1, 75), ("Support", 1, 50)]
    assert read.total == 775
    [said] = [warning for warning in read.warnings if "erged cells" in warning]
    assert "one text for several rows, which was read for each of them" in said
    assert licence in said
    assert ("B4:B6" in said) == (write is workbook)


@pytest.mark.parametrize("write", WRITERS)
def test_a_product_over_several_lines_stands_before_the_description_of_each(write: Write) -> None:
    rows = [
        ["Product", "Description", "Quantity", "Unit price", "Amount"],
        ["Office suite", "Editor seat", 2, 100, 200],
        ["", "Viewer seat", 3, 150, 450],
        ["Services", "Training day", 1, 50, 50],
        ["Total", "", "", "", 700],
    ]
    read = read_document(*write(rows, [Merge((1, 0), (2, 0))]))
    assert [line.description for line in read.line_items] == [
        "Office suite, Editor seat",
        "Office suite, Viewer seat",
        "Services, Training day",
    ]


@pytest.mark.parametrize("write", WRITERS)
def test_a_description_over_several_columns_is_one(write: Write) -> None:
    rows = [
        ["Item", "Description", "", "Quantity", "Unit price", "Amount"],
        ["Server licence", "", "", 2, 100, 200],
        ["A-2", "Backup service", "", 3, 150, 450],
        ["Support", "", "", 1, 50, 50],
        ["Total", "", "", "", "", 700],
    ]
    merges = [Merge((0, 1), (0, 2)), *(Merge((row, 0), (row, 2)) for row in (1, 3))]
    read = read_document(*write(rows, [*merges, Merge((4, 0), (4, 4))]))
    assert lines(read) == [("Server licence", 2, 200), ("Backup service", 3, 450), ("Support", 1, 50)]
    assert read.total == 700
    assert not any("erged cells" in warning for warning in read.warnings)


@pytest.mark.parametrize("write", WRITERS)
def test_a_figure_over_several_lines_is_counted_once_and_named(write: Write) -> None:
    rows = [
        ["Description", "Quantity", "Unit price", "Amount"],
        ["Server licence", 2, 100, 500],
        ["Backup service", 3, 100, ""],
        ["Support", 1, 50, 50],
        ["Total", "", "", 550],
    ]
    read = read_document(*write(rows, [Merge((1, 3), (2, 3))]))
    assert sum(amount for _, _, amount in lines(read)[:1]) == 500
    [said] = [warning for warning in read.warnings if "erged cells" in warning]
    assert "one figure for several rows, which was read in the first of them only" in said
    assert "500" in said


@pytest.mark.parametrize("quantities", [(2, 3), ("", "")])
@pytest.mark.parametrize("write", WRITERS)
def test_a_line_that_has_no_figure_but_a_merged_price_is_not_lost_without_a_word(
    write: Write, quantities: tuple[int | str, int | str]
) -> None:
    rows = [
        ["Description", "Quantity", "Amount"],
        ["Server licence", quantities[0], 500],
        ["Backup service", quantities[1], ""],
        ["Support", 1, 50],
        ["Total", "", 550],
    ]
    read = read_document(*write(rows, [Merge((1, 2), (2, 2))]))
    [said] = [warning for warning in read.warnings if "erged cells" in warning]
    assert "one figure for several rows, which was read in the first of them only" in said
    assert "500" in said


@pytest.mark.parametrize("write", WRITERS)
def test_a_number_beside_a_description_of_two_rows_is_not_named(write: Write) -> None:
    rows = [
        ["No.", "Description", "Quantity", "Amount"],
        [1, "Server licence", 2, 500],
        ["", "with installation", "", ""],
        [2, "Support", 1, 50],
        ["Total", "", "", 550],
    ]
    read = read_document(*write(rows, [Merge((1, 0), (2, 0))]))
    assert not any("erged cells" in warning for warning in read.warnings)


@pytest.mark.parametrize("write", WRITERS)
def test_a_header_over_two_rows_is_not_repeated(write: Write) -> None:
    rows = [
        ["Description", "Price", "", "Amount"],
        ["", "Quantity", "Each", ""],
        ["Server licence", 2, 100, 200],
        ["Support", 1, 50, 50],
        ["Total", "", "", 250],
    ]
    merges = [Merge((0, 0), (1, 0)), Merge((0, 1), (0, 2)), Merge((0, 3), (1, 3))]
    read = read_document(*write(rows, merges))
    assert [line.amount for line in read.line_items] == [200, 50]
    assert not any("erged cells" in warning for warning in read.warnings)


def test_merged_cells_of_a_damaged_table_change_nothing() -> None:
    rows = [["Server", "2", "100"], ["", "3", "150"]]
    strange = [MergedCell(-1, 0, 5), MergedCell(9, 9, 3, 3), MergedCell(0, 7, 2), MergedCell(1, 0, 2)]
    assert fill_merged(rows, strange) == (rows, ())


def test_many_merged_cells_are_named_by_the_first_ones() -> None:
    rows = [[f"Text {number // 2}" if number % 2 == 0 else "", "2", "100"] for number in range(16)]
    merged = [MergedCell(number, 0, 2) for number in range(0, 16, 2)]
    filled, [said] = fill_merged(rows, merged)
    assert [row[0] for row in filled] == [f"Text {number // 2}" for number in range(16)]
    assert said.endswith("“Text 4” (2 rows), 3 more.")
