"""Text in pictures is recognised."""

from decimal import Decimal

from PIL import Image

from app.service.documents.formats.recognition import recognise_page
from app.service.documents.sandbox.reader_pool import ReaderPool
from tests.service.documents import pdf_builder


def test_text_in_a_picture_is_recognised(readers: ReaderPool) -> None:
    content = pdf_builder.picture(
        [
            (60, 60, "Example Software Ltd"), (60, 110, "QUOTE Q-1001"), (60, 160, "Date: 4 March 2025"),
            (60, 260, "Description"), (500, 260, "Qty"), (650, 260, "Unit price"), (880, 260, "Amount"),
            (60, 310, "Editor seats"), (500, 310, "10"), (650, 310, "150.00"), (880, 310, "1,500.00"),
            (650, 400, "Total"), (880, 400, "GBP 1,500.00"),
        ]
    )  # fmt: skip
    extraction = readers.read_document(content, "photo.png", organisation_id="o")
    assert extraction.total == 1500
    assert extraction.currency == "GBP"
    [line] = extraction.line_items
    assert (line.quantity, line.unit_price, line.amount) == (10, Decimal(150), 1500)


def test_a_blank_picture_has_no_words() -> None:
    page = recognise_page(Image.new("RGB", (300, 200), "white"), 3, 150, 100)
    assert (page.number, page.width, page.height, page.words, page.scanned) == (3, 150, 100, (), True)
