"""Text in pictures is recognised."""

import io
from decimal import Decimal

import pytest
from PIL import Image

from app.service.documents.formats.recognition import recognise_page
from app.service.documents.reading import read_document
from tests.service.documents import pdf_builder


@pytest.mark.campaign
def test_text_in_a_picture_is_recognised() -> None:
    content = pdf_builder.picture(
        [
            (60, 60, "Example Software Ltd"), (60, 110, "QUOTE Q-1001"), (60, 160, "Date: 4 March 2025"),
            (60, 260, "Description"), (500, 260, "Qty"), (650, 260, "Unit price"), (880, 260, "Amount"),
            (60, 310, "Editor seats"), (500, 310, "10"), (650, 310, "150.00"), (880, 310, "1,500.00"),
            (650, 400, "Total"), (880, 400, "GBP 1,500.00"),
        ]
    )  # fmt: skip
    extraction = read_document(content, "photo.png")
    assert extraction.total == 1500
    assert extraction.currency == "GBP"
    [line] = extraction.line_items
    assert (line.quantity, line.unit_price, line.amount) == (10, Decimal(150), 1500)


@pytest.mark.parametrize("turn", [1, *(pytest.param(turn, marks=pytest.mark.campaign) for turn in (2, 3))])
def test_a_turned_scan_is_read_upright_and_its_boxes_lead_back(turn: int) -> None:
    upright = Image.open(io.BytesIO(pdf_builder.picture(
        [(60, 60, "Example Software Ltd"), (60, 130, "Quotation Q-1001 of 4 March 2025"),
         (60, 200, "Editor seats for the whole team"), (400, 300, "Total GBP 1,500.00")], (700, 400),
    )))  # fmt: skip
    shown = upright.rotate(90 * turn, expand=True)  # counterclockwise
    page = recognise_page(shown, 1, shown.width, shown.height)
    assert (page.turn, page.width, page.height) == (turn, 700, 400)
    assert (page.shown_size.width, page.shown_size.height) == shown.size
    assert " ".join(word.text for word in page.words).startswith("Example Software Ltd Quotation Q-1001")
    for word in page.words:
        box = page.find_shown_box(word.box)
        ink = shown.convert("L").crop((int(box.x0), int(box.top), int(box.x1) + 1, int(box.bottom) + 1))
        assert min(ink.tobytes()) < 128, word.text


def test_a_blank_picture_has_no_words() -> None:
    page = recognise_page(Image.new("RGB", (300, 200), "white"), 3, 150, 100)
    assert (page.number, page.width, page.height, page.words, page.scanned) == (3, 150, 100, (), True)
