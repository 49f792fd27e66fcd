"""PDF files are read page by page."""

import io

import pytest
from reportlab.pdfgen.canvas import Canvas

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


def _form(*, drawn: bool) -> bytes:
    """A page with a label and three fields, one of them hidden; `drawn` says whether the fields come with a
    drawing of their own, as some programs leave it to who shows them."""
    file = io.BytesIO()
    page = Canvas(file, pagesize=(300, 200), pageCompression=0)
    page.drawString(20, 150, "Total")
    for name, y, value, flags in (
        ("total", 145, "1,190.00", "print"),
        ("note", 105, "Net 30", "print"),
        ("internal", 65, "Margin", "hidden"),
    ):
        page.acroForm.textfield(
            name=name, x=100, y=y, width=90, height=16, value=value, fontSize=9, annotationFlags=flags
        )
    page.save()
    return file.getvalue() if drawn else file.getvalue().replace(b"/AP", b"/XP")


@pytest.mark.parametrize("drawn", [True, False])
def test_what_a_form_was_filled_in_with_is_read_where_it_stands_and_drawn(*, drawn: bool) -> None:
    content = _form(drawn=drawn)
    [page] = PDF.read_pages(content, 300)
    assert [word.text for word in page.words] == ["Total", "1,190.00", "Net", "30"]
    label, value = page.words[:2]
    assert value.box.x0 >= 100
    assert abs(label.box.top - value.box.top) < 8
    assert PDF.draw_page is not None
    box, picture = value.box, PDF.draw_page(content, 1, 600).convert("L")
    assert min(picture.crop((2 * box.x0, 2 * box.top, 2 * box.x1, 2 * box.bottom)).tobytes()) < 100


def test_a_note_that_is_shown_on_a_page_is_read() -> None:
    drawing = b"BT /F1 12 Tf 5 10 Td (Approved 9,500) Tj ET"
    content = pdf_builder.from_objects(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Annots [4 0 R] >>",
            b"<< /Type /Annot /Subtype /FreeText /Rect [50 100 250 130] /F 4 /AP << /N 5 0 R >> >>",
            b"<< /Type /XObject /Subtype /Form /BBox [0 0 200 30] /Resources << /Font << /F1 6 0 R >> >>"
            b" /Length %d >>\nstream\n%s\nendstream" % (len(drawing), drawing),
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        ]
    )
    [page] = PDF.read_pages(content, 300)
    assert [word.text for word in page.words] == ["Approved", "9,500"]
