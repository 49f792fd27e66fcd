"""Documents made to be expensive are read as far as they go, with a word about it, or refused."""

import contextlib
import io
import time
import zipfile
from datetime import date
from decimal import Decimal

import pytest

from app.service.documents.faults import DocumentFault, UnreadableDocument
from app.service.documents.layout import bounds
from app.service.documents.reading import read_document
from tests.service.documents import pdf_builder

LINES = [
    ["Description", "Qty", "Unit price", "Amount"],
    ["Seats", "2", "5.00", "10.00"],
    ["Total", "", "", "10.00"],
]
WHOLE = pdf_builder.comma_separated(LINES)


def spent(content: bytes, filename: str) -> float:
    """Seconds of the processor that a reading takes."""
    began = time.process_time()
    read_document(content, filename)
    return time.process_time() - began


def with_cell(text: str) -> bytes:
    return pdf_builder.comma_separated([*LINES[:2], [text, "1", "1.00", "1.00"], *LINES[2:]])


@pytest.mark.campaign
@pytest.mark.parametrize(
    "unit", ["a ", "a", "1 x 2 of ", "between A Ltd and B, 30 days notice for 12 months "]
)
def test_a_cell_of_60_kilobytes_is_cut_and_costs_little(unit: str) -> None:
    content = with_cell((unit * 61_440)[:61_440])
    assert spent(content, "quote.csv") < 10
    read = read_document(content, "quote.csv")
    assert any("4,000 letters" in warning for warning in read.warnings)


def test_nothing_is_sure_of_a_document_that_was_read_in_part() -> None:
    assert read_document(WHOLE, "quote.csv").provenance["total"].verified
    read = read_document(with_cell("x" * 5_000), "quote.csv")
    assert read.total == 10
    assert not any(place.verified for place in read.provenance.values())
    assert all(place.confidence <= 0.5 for place in read.provenance.values())


def test_a_whole_document_has_no_such_warning() -> None:
    assert read_document(WHOLE, "quote.csv").warnings == ()


@pytest.mark.campaign
def test_rows_and_columns_that_are_left_out_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    wide = [[str(number) for number in range(bounds.MOST_COLUMNS + 1)], *LINES]
    assert (
        "Only the first 100 columns were read."
        in read_document(pdf_builder.comma_separated(wide), "wide.csv").warnings
    )
    monkeypatch.setattr("app.service.documents.formats.cell_pages.lay_out_cells.__defaults__", (2,))
    assert "Only the first 50,000 rows were read." in read_document(WHOLE, "long.csv").warnings


def workbook(cells: str) -> bytes:
    book = pdf_builder.xlsx([["Item", "Price"], ["Seats", 5]])
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(book)) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            content = old.read(name)
            if name.startswith("xl/worksheets/"):
                content = content.replace(b"</sheetData>", cells.encode() + b"</sheetData>")
            new.writestr(name, content)
    return target.getvalue()


def test_a_sheet_with_a_cell_in_its_last_corner_is_refused_before_it_is_opened() -> None:
    corner = workbook('<row r="1048576"><c r="XFD1048576" t="n"><v>1</v></c></row>')
    with pytest.raises(UnreadableDocument, match="1,048,576 rows and 16,384 columns"):
        read_document(corner, "prices.xlsx")


def test_a_formatted_cell_in_the_last_corner_is_nothing() -> None:
    corner = workbook('<row r="1048576"><c r="XFD1048576" s="0"/></row>')
    assert read_document(corner, "prices.xlsx").line_items


def test_a_line_of_megabytes_is_no_table() -> None:
    with pytest.raises(UnreadableDocument, match="line of more than"):
        read_document(b"Item;Price\n" + b"1;" * 2_000_000, "prices.csv")


def test_a_cell_that_claims_to_span_millions_of_columns_is_one_cell() -> None:
    content = rewritten(
        pdf_builder.docx(["Quote"], LINES),
        b"<w:tc>",
        b'<w:tc><w:tcPr><w:gridSpan w:val="90000000"/></w:tcPr>',
    )
    assert spent(content, "quote.docx") < 10


@pytest.mark.campaign
def test_a_cell_merged_over_hundreds_of_rows_has_its_text_in_each() -> None:
    rows = [["Item", "Group", "Qty", "Amount"], *([f"Seats {n}", "x", "1", "5.00"] for n in range(300))]
    content = pdf_builder.docx([], rows)
    merged = rewritten(
        content,
        b"<w:t>x</w:t>",
        b"<w:t></w:t>",
        b"<w:tcPr>",
        b'<w:tcPr><w:vMerge w:val="continue"/>',
    )
    with pytest.raises(DocumentFault, match="no text"):  # all of it hangs on a row that is not there
        read_document(merged, "quote.docx")
    assert len(read_document(content, "quote.docx").line_items) == 300


def rewritten(content: bytes, *changes: bytes) -> bytes:
    """A Word file with its text changed: what follows replaces what goes before."""
    target = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as old,
        zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for name in old.namelist():
            part = old.read(name)
            if name == "word/document.xml":
                for before, after in zip(changes[::2], changes[1::2], strict=True):
                    part = part.replace(before, after)
            new.writestr(name, part)
    return target.getvalue()


def test_entities_of_a_word_file_are_not_expanded() -> None:
    laughs = b'<!DOCTYPE a [<!ENTITY b "haha"><!ENTITY c "&b;&b;&b;&b;">]>'
    content = rewritten(
        pdf_builder.docx(["Quote"], LINES), b"<w:document", laughs + b"<w:document", b"Quote", b"&c;"
    )
    assert spent_or_refused(content, "quote.docx") < 10


def spent_or_refused(content: bytes, filename: str) -> float:
    began = time.process_time()
    with contextlib.suppress(DocumentFault):
        read_document(content, filename)
    return time.process_time() - began


@pytest.mark.campaign
def test_a_mail_of_nested_parts_is_no_document() -> None:
    parts = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(300))
    assert spent_or_refused(b"From: a@example.org\nSubject: Quote\n" + parts, "quote.eml") < 20


@pytest.mark.campaign
def test_a_list_of_thousands_is_read_to_its_end_with_what_stands_between() -> None:
    rows = [[f"A-{n}", f"Bolt M{n % 20}", "piece", f"{n % 50}.{n % 100:02}"] for n in range(1, 1_201)]
    rows.insert(650, ["Payment terms: 45 days net. Valid until 31 December 2031."])
    read = read_document(
        pdf_builder.comma_separated([["Item", "Description", "Unit", "Price EUR"], *rows]), "prices.csv"
    )
    assert [line.unit_price for line in read.line_items] == [Decimal(row[3]) for row in rows if len(row) == 4]
    assert (read.payment_terms_days, read.valid_until) == (45, date(2031, 12, 31))
    assert (read.currency, read.kind) == ("EUR", "price_list")
