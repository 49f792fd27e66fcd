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


def test_letters_that_are_printed_one_by_one_make_words_also_in_dense_lines() -> None:
    """As browsers print: PDFium ends a line after each letter of them."""
    line = "bogen 48300"
    letters = [
        Text(40 + 5.6 * column, 60 + 8 * number, letter)
        for number in range(5)
        for column, letter in enumerate(line)
        if letter != " "
    ]
    assert words(*letters) == [("bogen", False), ("48300", False)] * 5


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


# What turns a square page of 700 points counterclockwise.
QUARTERS = {90: "0 1 -1 0 700 0", 180: "-1 0 0 -1 700 700", 270: "0 -1 1 0 0 700"}


@pytest.mark.parametrize("degrees", [90, 180, 270])
@pytest.mark.parametrize("turned", ["the page", "the text", "both, which is upright"])
def test_a_turned_page_is_read_and_drawn_upright(degrees: int, turned: str) -> None:
    texts = [Text(50, 60, "Quotation Q-7"), Text(50, 90, "Editor seats"), Text(300, 90, "1,500.00")]
    content = pdf_builder.pdf(
        texts, width=700, height=700,
        rotate=0 if turned == "the text" else degrees,
        matrix="1 0 0 1 0 0" if turned == "the page" else QUARTERS[degrees],
    )  # fmt: skip
    with pdfium.open_pdf(content) as document:
        words = pdfium.read_page(document, 1).words
        picture = pdfium.draw_page(document, 1, 700).convert("L")
    assert [word.text for word in words] == ["Quotation", "Q-7", "Editor", "seats", "1,500.00"]
    assert (round(words[4].box.x0), round(words[4].box.bottom)) == (300, 92)
    for word in words:
        box = word.box
        assert min(picture.crop((int(box.x0), int(box.top), int(box.x1), int(box.bottom))).tobytes()) < 128


def test_a_few_turned_words_do_not_turn_the_page() -> None:
    page = pdf_builder.pdf([Text(50, 60, "Quotation Q-7 of Example Software Ltd")]).replace(
        b"ET\n", b"ET\nBT /F1 10 Tf 0 1 -1 0 20 20 Tm (Draft) Tj ET\n"
    )
    assert [text for text, _ in words(page=page)] == ["Quotation", "Q-7", "of", "Example", "Software", "Ltd"]
