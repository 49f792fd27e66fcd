"""Pages are drawn for the review."""

import pytest

from app.service.documents.faults import UnsupportedDocument
from app.service.documents.formats.rendering import render_page
from app.service.documents.sandbox.reader_pool import ReaderPool
from tests.service.documents import pdf_builder


def test_pages_are_drawn_as_png_in_the_asked_width(readers: ReaderPool) -> None:
    content = pdf_builder.pdf([pdf_builder.Text(50, 60, "Hello")], [pdf_builder.Text(50, 60, "Page two")])
    drawn = readers.render_page(content, "two.pdf", 2, 400, organisation_id="o")
    assert drawn.startswith(b"\x89PNG")
    assert int.from_bytes(drawn[16:20], "big") == 400
    with pytest.raises(IndexError):
        readers.render_page(content, "two.pdf", 3, 400, organisation_id="o")


def test_a_picture_is_scaled_to_the_width_asked_for() -> None:
    drawn = render_page(pdf_builder.picture([], (300, 200)), "photo.png", 1, 150)
    assert (int.from_bytes(drawn[16:20], "big"), int.from_bytes(drawn[20:24], "big")) == (150, 100)


def test_a_sheet_has_no_pages_to_draw() -> None:
    with pytest.raises(UnsupportedDocument, match="no pages"):
        render_page(b"a,b\n1,2\n", "quote.csv", 1, 400)
