"""Word files are read in the order of their text."""

import io
from typing import Any

import docx
import pytest
from docx.enum.style import WD_STYLE_TYPE
from docx.enum.text import WD_COLOR_INDEX
from docx.oxml.ns import qn
from docx.oxml.parser import OxmlElement
from docx.oxml.xmlchemy import BaseOxmlElement
from docx.shared import Pt, RGBColor
from docx.styles.style import CharacterStyle

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


def test_wide_gaps_of_a_paragraph_part_its_fields() -> None:
    document = docx.Document()
    document.add_paragraph("No. 7        Date: 3 May")
    document.add_paragraph("One.  Two.")
    target = io.BytesIO()
    document.save(target)
    [page] = DOCX.read_pages(target.getvalue(), 300)
    assert [(word.text, (word.cell or 0) % 1000) for word in page.words] == [
        ("No.", 0), ("7", 0), ("Date:", 1), ("3", 1), ("May", 1), ("One.", 0), ("Two.", 0),
    ]  # fmt: skip


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
    assert page.remarks == ("The document has text that its pages do not show, which was not read.",)


def shade(parent: BaseOxmlElement, fill: str) -> None:
    """Paint the paper of a paragraph or a cell."""
    shading: Any = OxmlElement("w:shd")
    shading.set(qn("w:val"), "clear")
    shading.set(qn("w:fill"), fill)
    parent.append(shading)


def test_white_and_tiny_text_is_read_where_the_paper_is_painted_only() -> None:
    white = RGBColor(255, 255, 255)
    document = docx.Document()
    ghost = document.styles.add_style("Ghost", WD_STYLE_TYPE.CHARACTER)
    assert isinstance(ghost, CharacterStyle)
    ghost.font.color.rgb = RGBColor(0xFE, 0xFE, 0xFE)
    paragraph = document.add_paragraph("Net 30 ")
    paragraph.add_run("Net 180 ").font.color.rgb = white
    paragraph.add_run("Net 90 ", style="Ghost")
    paragraph.add_run("Net 60 ").font.size = Pt(1)
    marked = paragraph.add_run("Q-7 ")
    marked.font.color.rgb, marked.font.highlight_color = white, WD_COLOR_INDEX.BLACK
    document.sections[0].footer.paragraphs[0].add_run("Margin").font.color.rgb = white
    cells = document.add_table(rows=1, cols=3).rows[0].cells
    for cell, text, fill in zip(
        cells, ("Item", "Cost", "Amount"), ("1F4E79", "FFFFFF", "333333"), strict=True
    ):
        cell.paragraphs[0].add_run(text).font.color.rgb = white
        shade(cell._tc.get_or_add_tcPr(), fill)
    heading = document.add_paragraph()
    heading.add_run("Terms").font.color.rgb = white
    shade(heading._p.get_or_add_pPr(), "000000")
    styled = document.add_table(rows=1, cols=1, style="Medium Shading 1 Accent 1")
    styled.cell(0, 0).paragraphs[0].add_run("Total").font.color.rgb = white
    target = io.BytesIO()
    document.save(target)
    [page] = DOCX.read_pages(target.getvalue(), 300)
    assert [word.text for word in page.words] == ["Net", "30", "Q-7", "Item", "Amount", "Terms", "Total"]
    assert page.remarks == ("The document has text that its pages do not show, which was not read.",)
