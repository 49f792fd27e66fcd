"""Words are put together from the glyphs of a page."""

import pytest

from app.service.documents.faults import UnreadableDocument
from app.service.documents.formats import pdfium
from tests.service.documents import pdf_builder
from tests.service.documents.pdf_builder import Text


def words(*texts: Text, page: bytes | None = None) -> list[tuple[str, bool]]:
    with pdfium.open_pdf(page or pdf_builder.pdf(texts)) as document:
        return [(word.text, word.bold) for word in pdfium.read_page(document, 1).words]


def test_words_have_their_place_from_the_upper_left_corner() -> None:
    with pdfium.open_pdf(pdf_builder.pdf([Text(50, 60, "Total 5.00")])) as document:
        page = pdfium.read_page(document, 1)
    assert (page.width, page.height) == (595, 842)
    total, amount = page.words
    assert total.box.x0 == pytest.approx(50, abs=1)
    assert total.box.bottom == pytest.approx(62, abs=1)
    assert amount.box.x0 > total.box.x1
    assert total.size == pytest.approx(10)


def test_bold_faked_by_printing_twice_is_read_once() -> None:
    assert words(Text(50, 60, "Total"), Text(50.3, 60, "Total")) == [("Total", False)]


def test_text_beyond_the_edge_is_not_on_the_page() -> None:
    assert words(Text(50, 60, "Total"), Text(900, 60, "Hidden")) == [("Total", False)]


def test_a_file_that_is_no_pdf_and_a_page_too_large_are_refused() -> None:
    with pytest.raises(UnreadableDocument, match="not a valid PDF"), pdfium.open_pdf(b"%PDF-1.7 nothing"):
        pass
    with pytest.raises(UnreadableDocument, match="metres"):
        words(page=pdf_builder.pdf([Text(50, 60, "Total")], width=20_000))


def test_a_blank_page_has_no_picture() -> None:
    with pdfium.open_pdf(pdf_builder.pdf([], [Text(50, 60, "Total")])) as document:
        assert [pdfium.has_picture(document, number) for number in (1, 2)] == [False, True]
