"""One document is read, whatever its format."""

import pytest

from app.service.documents.faults import UnreadableDocument
from app.service.documents.reading import read_document
from tests.service.documents import pdf_builder
from tests.service.documents.einvoice.samples import UBL

ROWS = [
    ["SKU", "Product", "Unit", "Qty", "Unit Price", "Total"],
    ["ED-1", "Editor seats", "user", "10", "100.00", "1000.00"],
    ["VI-1", "Viewer seats", "user", "50", "10.00", "500.00"],
    ["", "", "", "", "Total", "1500.00"],
]


@pytest.mark.parametrize(
    ("content", "filename"),
    [
        (
            pdf_builder.xlsx(
                [[float(c) if c.replace(".", "").isdigit() else c for c in row] for row in ROWS]
            ),
            "q.xlsx",
        ),
        (pdf_builder.comma_separated(ROWS), "q.csv"),
        (pdf_builder.comma_separated(ROWS, ";"), "q.csv"),
        (pdf_builder.docx(["Example Software Ltd", "Quote Q-9"], ROWS), "q.docx"),
    ],
)
def test_office_files_give_the_same_lines(content: bytes, filename: str) -> None:
    extraction = read_document(content, filename)
    assert [
        (line.item_id, line.description, line.unit, line.quantity, line.unit_price, line.amount)
        for line in extraction.line_items
    ] == [
        ("ED-1", "Editor seats", "user", 10, 100, 1000),
        ("VI-1", "Viewer seats", "user", 50, 10, 500),
    ]
    assert extraction.total == 1500


def test_values_of_office_files_have_their_places_in_the_text() -> None:
    extraction = read_document(pdf_builder.comma_separated(ROWS), "q.csv")
    [page] = extraction.pages
    seen = [*extraction.provenance.values(), *extraction.line_items[0].provenance.values()]
    assert seen
    assert all(one.page == 1 and one.box is not None and one.box.x1 <= page.width for one in seen)


def test_an_e_document_is_read_as_it_states() -> None:
    assert read_document(UBL, "invoice.xml").total == 121


def test_a_document_without_text_is_refused() -> None:
    with pytest.raises(UnreadableDocument, match="no text"):
        read_document(pdf_builder.pdf([]), "blank.pdf")


def test_the_last_column_of_cells_may_have_a_heading_that_nobody_knows() -> None:
    text = (
        "No;Description;Unit;Zmon;Price per unit;Zzoma\n1;Hire of a lift;4;12;2150.00;103200.00\n"
        "2;Hire of a crane;1;12;900.00;10800.00\n"
    )
    read = read_document(text.encode(), "lines.csv")
    assert [line.amount for line in read.line_items] == [103200, 10800]
