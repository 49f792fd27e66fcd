"""Word files are read in the order of their text."""

import io

import docx
import pytest

from app.service.documents.faults import UnreadableDocument
from app.service.documents.formats.word import DOCX
from tests.service.documents import pdf_builder


def texts(content: bytes) -> list[str]:
    [page] = DOCX.read_pages(content, 300)
    return [word.text for word in page.words]


def test_paragraphs_and_tables_keep_their_order() -> None:
    assert texts(pdf_builder.docx(["Quote"], [["Seats", "10"]], ["Thanks"])) == [
        "Quote",
        "Seats",
        "10",
        "Thanks",
    ]


def test_headers_come_first_and_footers_last() -> None:
    document = docx.Document()
    document.add_paragraph("Quote")
    document.sections[0].header.paragraphs[0].text = "Example"
    document.sections[0].footer.paragraphs[0].text = "Page"
    target = io.BytesIO()
    document.save(target)
    assert texts(target.getvalue()) == ["Example", "Quote", "Page"]


def test_a_merged_cell_is_read_once() -> None:
    document = docx.Document()
    table = document.add_table(rows=1, cols=3)
    table.cell(0, 0).merge(table.cell(0, 1)).text = "Total"
    table.cell(0, 2).text = "5.00"
    target = io.BytesIO()
    document.save(target)
    assert texts(target.getvalue()) == ["Total", "5.00"]


def test_a_damaged_file_is_refused() -> None:
    content = pdf_builder.docx(["Quote"], [["Seats"]])
    with pytest.raises(UnreadableDocument, match="archive cannot be opened"):
        DOCX.matches(content[:300], "quote.docx")


def test_hidden_text_is_not_read() -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("Net 30")
    paragraph.add_run(" Net 180").font.hidden = True
    document.add_table(rows=1, cols=1).cell(0, 0).paragraphs[0].add_run("Margin").font.hidden = True
    target = io.BytesIO()
    document.save(target)
    [page] = DOCX.read_pages(target.getvalue(), 300)
    assert [word.text for word in page.words] == ["Net", "30"]
    assert page.remarks == ("The document has hidden text, which was not read.",)
