"""PDF files are read page by page."""

import pytest

from app.service.documents.faults import UnreadableDocument
from app.service.documents.formats.pdf import PDF
from tests.service.documents import pdf_builder

TWO = pdf_builder.pdf(
    [pdf_builder.Text(50, 60, "Hello there, buyer")], [pdf_builder.Text(50, 60, "The second page")]
)


def test_each_page_has_its_words() -> None:
    pages = list(PDF.read_pages(TWO, 300))
    assert [[word.text for word in page.words] for page in pages] == [
        ["Hello", "there,", "buyer"],
        ["The", "second", "page"],
    ]
    assert [page.number for page in pages] == [1, 2]


def test_more_pages_than_are_read_are_refused() -> None:
    with pytest.raises(UnreadableDocument, match="2 pages; documents of up to 1"):
        list(PDF.read_pages(TWO, 1))


def test_a_page_is_drawn_and_one_that_is_not_there_is_not() -> None:
    assert PDF.draw_page is not None
    assert PDF.draw_page(TWO, 2, 300).width == 300
    with pytest.raises(IndexError, match="no page 3"):
        PDF.draw_page(TWO, 3, 300)
