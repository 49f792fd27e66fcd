"""What Word wraps around text, rows and cells hides none of them."""

from decimal import Decimal

import pytest

from app.service.documents.reading import read_document
from tests.service.documents.formats.word_builder import (
    cell,
    control,
    deleted,
    inserted,
    paragraph,
    read_body,
    read_texts,
    row,
    run,
    save_body,
    table,
)

TRACKED = "The document has tracked changes, which were read as accepted."
HEADS = row(*(cell(run(head)) for head in ("Description", "Qty", "Unit price", "Amount")))


def test_a_quote_with_tracked_changes_is_read_as_if_they_were_accepted() -> None:
    line = row(
        cell(run("Editor licences")),
        cell(run("10")),
        cell(run("1"), deleted("0"), inserted("5"), run("0.00")),
        cell(run("1,"), deleted("0"), inserted("5"), run("00.00")),
    )
    total = row(
        cell(run("Total")), cell(), cell(), cell(run("USD 1,"), deleted("0"), inserted("5"), run("00.00"))
    )
    content = save_body(
        paragraph(run("Example Software Ltd")),
        paragraph(run("Quote Q-1001")),
        table([HEADS, line, total], 4),
        paragraph(run("The subscription term is 1"), deleted("2"), inserted("8"), run(" months.")),
        paragraph(run("This agreement shall "), inserted("not "), run("renew automatically.")),
    )
    read = read_document(content, "quote.docx")
    [item] = read.line_items
    assert (item.quantity, item.unit_price, item.amount) == (10, Decimal("150.00"), Decimal("1500.00"))
    assert (read.total, read.term_months, read.auto_renew) == (Decimal("1500.00"), 18, False)
    assert TRACKED in read.warnings


def test_a_figure_in_content_controls_is_read() -> None:
    control_row = control(
        row(
            cell(run("Editor licences")), control(cell(run("10"))), cell(run("150.00")), cell(run("1,500.00"))
        )
    )
    content = save_body(
        paragraph(run("Quote Q-1001")),
        paragraph(run("Date: "), control(run("4 March 2026"))),
        control(table([HEADS, control(control_row)], 4)),
        control(paragraph(run("Payment terms: net 30 days"))),
    )
    read = read_document(content, "quote.docx")
    [item] = read.line_items
    assert (item.description, item.quantity, item.amount) == ("Editor licences", 10, Decimal(1500))
    assert (str(read.document_date), read.payment_terms_days) == ("2026-03-04", 30)
    assert TRACKED not in read.warnings


@pytest.mark.parametrize(
    ("block", "text"),
    [
        (paragraph(deleted("Net 30"), '<w:moveTo w:id="3">', run("Net 45"), "</w:moveTo>"), "Net 45"),
        (paragraph('<w:moveFrom w:id="3">', run("Net 45"), "</w:moveFrom>", run("Net 60")), "Net 60"),
        (table([row(cell(run("A"))), row(cell(run("B")), formats='<w:del w:id="4" w:author="A"/>')], 1), "A"),
        (table([row(cell(run("A")), cell(run("B"), formats='<w:cellDel w:id="4" w:author="A"/>'))], 2), "A"),
        (
            paragraph(run("1"), formats='<w:rPr><w:del w:id="5" w:author="A"/></w:rPr>')
            + paragraph(run("2 months")),
            "12 months",
        ),
        (paragraph('<w:hyperlink w:anchor="a">' + run("1") + inserted("2") + "</w:hyperlink>"), "12"),
    ],
    ids=["moved here", "moved away", "deleted row", "deleted cell", "joined paragraphs", "link"],
)  # fmt: skip
def test_what_a_tracked_change_takes_away_is_not_read(block: str, text: str) -> None:
    page = read_body(block)
    assert read_texts(page) == text
    assert page.remarks == (TRACKED,)


@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ('<w:smartTag w:element="date">', "</w:smartTag>"),
        ('<w:customXml w:element="date">', "</w:customXml>"),
        ('<w:fldSimple w:instr="DOCPROPERTY Price">', "</w:fldSimple>"),
        ("<w:sdt><w:sdtContent>", "</w:sdtContent></w:sdt>"),
        ('<w:bdo w:val="ltr">', "</w:bdo>"),
    ],
)
def test_text_in_other_wrappers_is_read(opening: str, closing: str) -> None:
    page = read_body(paragraph(run("Net "), opening, run("30"), closing, run(" days")))
    assert read_texts(page) == "Net 30 days"
    assert page.remarks == ()
