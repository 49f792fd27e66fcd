"""Only what can be seen on a page is read."""

from datetime import date
from decimal import Decimal
from io import BytesIO

import pytest
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.pdfmetrics import registerFont
from reportlab.pdfgen.canvas import Canvas

from app.service.documents.formats import pdfium
from app.service.documents.layout.pages import Page
from app.service.documents.reading import read_document
from tests.service.documents import pdf_builder
from tests.service.documents.pdf_builder import Rectangle, Text

WHITE, GREY, UNPAINTED = "1 g 0 Tr", ".75 g 0 Tr", "0 g 3 Tr"
SEEN = Text(50, 60, "Payment: Net 30")


def read(*drawn: Text | Rectangle) -> Page:
    with pdfium.open_pdf(pdf_builder.pdf(drawn)) as document:
        return pdfium.read_page(document, 1)


def texts(page: Page) -> str:
    return " ".join(word.text for word in page.words)


@pytest.mark.parametrize(
    "hidden",
    [
        [Text(50, 90, "Payment: Net 180", paint=WHITE)],
        [Text(50, 90, "Payment: Net 180", paint=".98 g 0 Tr")],
        [Text(50, 90, "Payment: Net 180", paint=UNPAINTED)],
        [Text(90, 60, "Net 180 days", paint=WHITE)],
        [Text(50, 60, "Payment: Net 180", paint=UNPAINTED)],
        [Text(50, 90, "Payment: Net 180"), Rectangle(40, 75, 200, 30, 1)],
        [Text(50, 90, "Payment: Net 180"), Rectangle(40, 75, 200, 30, 0)],
        [Rectangle(40, 75, 200, 30, 0), Text(50, 90, "Payment: Net 180")],
    ],
    ids=[
        "white",
        "nearly white",
        "unpainted",
        "white over text",
        "unpainted over text",
        "beneath white",
        "blackened",
        "black on black",
    ],
)
def test_what_cannot_be_seen_is_no_part_of_the_page(hidden: list[Text | Rectangle]) -> None:
    page = read(SEEN, *hidden)
    assert texts(page) == SEEN.text
    assert page.remarks == ("Page 1 has text that nobody can see on it, which was not read (words: 3).",)


@pytest.mark.parametrize(
    "seen",
    [
        [Text(50, 90, "Fine print", 5.0, paint=GREY)],
        [Rectangle(40, 75, 200, 30, 0), Text(50, 90, "Fine print", paint=WHITE)],
        [Rectangle(40, 75, 200, 30, 0.8), Text(50, 90, "Fine print")],
        [Rectangle(40, 81.5, 200, 1, 0), Text(50, 90, "Fine print"), Rectangle(40, 92, 200, 1, 0)],
        [Text(50, 90, "Fine print", paint="0 G 1 Tr")],
    ],
    ids=["small and grey", "white on black", "black on grey", "between rules", "outlined"],
)
def test_what_can_be_seen_is_read(seen: list[Text | Rectangle]) -> None:
    page = read(SEEN, *seen)
    assert texts(page) == f"{SEEN.text} Fine print"
    assert page.remarks == ()


def test_recognised_text_over_its_picture_is_read() -> None:
    """A scan with a layer of text, as scanners make it: only the picture is painted."""
    bars = [Rectangle(50 + 6 * number, 82, 3, 8, 0) for number in range(10)]
    assert texts(read(*bars, Text(50, 90, "Net 30 days", paint=UNPAINTED))) == "Net 30 days"


def test_digits_that_were_painted_over_are_not_read() -> None:
    page = read(Text(50, 60, "74000", 20), Rectangle(70, 40, 60, 30, 1))
    assert texts(page) == "74"


def test_a_reading_says_that_there_is_hidden_text() -> None:
    quote = pdf_builder.pdf(
        [
            Text(50, 60, "Example Software Ltd"),
            Text(50, 80, "QUOTE Q-1001"),
            Text(50, 100, "Payment terms: Net 30 days"),
            Text(50, 120, "Payment terms: Net 180 days", paint=WHITE),
        ]
    )
    extraction = read_document(quote, "quote.pdf")
    assert extraction.payment_terms_days == 30
    assert extraction.warnings == (
        "Page 1 has text that nobody can see on it, which was not read (words: 5).",
        "No lines were read.",
    )


@pytest.mark.campaign
def test_a_page_that_takes_too_long_to_draw_is_read_as_it_stands_in_the_file() -> None:
    with pdfium.open_pdf(pdf_builder.slow_to_draw()) as document:
        page = pdfium.read_page(document, 1)
    assert "Quote 1 of Works Ltd" in texts(page)
    assert page.omissions == (
        "Page 1 takes long to draw: whether all of its text can be seen was not checked.",
    )


def _write_japanese(*texts: Text) -> bytes:
    """A page in a font that every Japanese reader has and that no file holds."""
    registerFont(UnicodeCIDFont("HeiseiKakuGo-W5"))
    content = BytesIO()
    canvas = Canvas(content, (595, 842))
    for one in texts:
        canvas.setFillGray(1 if one.paint == WHITE else 0)
        canvas.setFont("HeiseiKakuGo-W5", one.size)
        (canvas.drawRightString if one.right else canvas.drawString)(one.x, 842 - one.y, one.text)
    canvas.save()
    return content.getvalue()


def test_text_in_a_font_that_neither_file_nor_machine_has_is_read() -> None:
    heads = [(60, "品名"), (300, "数量"), (400, "単価"), (500, "金額")]
    lines = [("クラウド利用料", "20", "9,500", "190,000"), ("初期設定", "1", "50,000", "50,000")]
    sums = [("小計", "240,000"), ("消費税 (10%)", "24,000"), ("合計", "¥264,000")]
    texts = [Text(60, 60, "御見積書"), Text(400, 80, "発行日: 2026年3月1日")]
    texts += [Text(x, 180, head, right=x > 60) for x, head in heads]
    for y, line in enumerate(lines, 1):
        texts += [Text(x, 180 + 20 * y, one, right=x > 60) for (x, _), one in zip(heads, line, strict=True)]
    for y, (label, value) in enumerate(sums, 3):
        texts += [Text(400, 180 + 20 * y, label, right=True), Text(500, 180 + 20 * y, value, right=True)]
    read = read_document(_write_japanese(*texts), "quote.pdf")
    assert (read.language, read.currency, read.document_date) == ("ja", "JPY", date(2026, 3, 1))
    assert (read.net_total, read.tax_total, read.total) == (240_000, 24_000, 264_000)
    assert [(item.description, item.quantity, item.amount) for item in read.line_items] == [
        ("クラウド利用料", Decimal(20), Decimal(190_000)),
        ("初期設定", Decimal(1), Decimal(50_000)),
    ]


def test_white_text_in_such_a_font_is_not_read() -> None:
    with pdfium.open_pdf(
        _write_japanese(Text(50, 60, "合計金額"), Text(50, 90, "支払条件 30", paint=WHITE))
    ) as file:
        page = pdfium.read_page(file, 1)
    assert texts(page) == "合計金額"
    assert page.remarks
