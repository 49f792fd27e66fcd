"""Pages are drawn for the review."""

from xml.etree import ElementTree

import pytest

from app.service.documents.formats.rendering import render_page
from app.service.documents.reading import read_document
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


def test_a_sheet_is_drawn_as_it_was_read() -> None:
    sheet = b"Offer of a firm with a long name;;\nItem;Qty;Amount\nSeats <b> & desks;10;1000.00\n"
    drawn = ElementTree.fromstring(render_page(sheet, "quote.csv", 1, 400))
    texts = {text.text: text for text in drawn.iter("{http://www.w3.org/2000/svg}text")}
    assert list(texts) == [
        "Offer of a firm with a long name", "Item", "Qty", "Amount", "Seats <b> & desks", "10", "1000.00",
    ]  # fmt: skip
    assert drawn.get("width") == "400"
    # A title reaches over the columns beside it, and a value has its box where its text is.
    title = texts["Offer of a firm with a long name"]
    assert float(texts["Qty"].get("x") or 0) < float(title.get("textLength") or 0)
    [line] = read_document(sheet, "quote.csv").line_items
    box = line.provenance["amount"].box
    assert box is not None
    assert f"{box.x0:g}" == texts["1000.00"].get("x")
    with pytest.raises(IndexError):
        render_page(sheet, "quote.csv", 2, 400)


def test_of_very_many_rows_the_first_are_drawn() -> None:
    sheet = pdf_builder.price_list(400)
    assert b"type 399 " not in render_page(sheet, "prices.csv", 1, 400)
    read = read_document(sheet, "prices.csv")
    assert read.line_items[0].provenance["amount"].box is not None
    assert read.line_items[-1].provenance["amount"].box is None
