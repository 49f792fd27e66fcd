"""PDF; pages that are pictures go through character recognition."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from app.service.documents.faults import UnreadableDocument
from app.service.documents.formats.format import PagedFormat
from app.service.documents.layout.pages import Page
from app.service.documents.layout.right_to_left import read_from_right

if TYPE_CHECKING:
    from PIL.Image import Image

_SCAN_WIDTH = 1700
_LETTERS_OF_TEXT = 12
"""A page with fewer letters than these may be a scan that carries a stamp or a page number."""


def _read_pages(content: bytes, page_limit: int) -> Iterator[Page]:
    """The pages with their words, each when it is asked for. Raises UnreadableDocument, also for more than
    `page_limit` pages."""
    from app.service.documents.formats import pdfium

    with pdfium.open_pdf(content) as document:
        count = len(document)
        if count == 0:
            raise UnreadableDocument("The PDF has no pages.")
        if count > page_limit:
            raise UnreadableDocument(f"The PDF has {count} pages; documents of up to {page_limit} are read.")
        for number in range(1, count + 1):
            page = pdfium.read_page(document, number)
            letters = sum(len(word.text) for word in page.words)
            if letters < _LETTERS_OF_TEXT and pdfium.has_picture(document, number):
                page = Page(number, page.width, page.height, (), scanned=True)
            yield read_from_right(page)


def _count_pages(content: bytes) -> int:
    from app.service.documents.formats import pdfium

    with pdfium.open_pdf(content) as document:
        return len(document)


def _read_scan(content: bytes, number: int) -> Page:
    from app.service.documents.formats import pdfium
    from app.service.documents.formats.recognition import recognise_page

    with pdfium.open_pdf(content) as document:
        width, height = pdfium.find_size(document, number)
        return recognise_page(pdfium.draw_page(document, number, _SCAN_WIDTH), number, width, height)


def _draw_page(content: bytes, number: int, width: int) -> "Image":
    from app.service.documents.formats import pdfium

    with pdfium.open_pdf(content) as document:
        if not 1 <= number <= len(document):
            raise IndexError(f"The document has {len(document)} pages, no page {number}.")
        return pdfium.draw_page(document, number, width)


def _read_attachments(content: bytes) -> Iterator[bytes]:
    from app.service.documents.formats import pdfium

    return pdfium.read_attachments(content)


PDF = PagedFormat(
    "PDF",
    "application/pdf",
    ("pdf",),
    lambda content, _: b"%PDF-" in content[:1024],
    read_pages=_read_pages,
    count_pages=_count_pages,
    read_scan=_read_scan,
    draw_page=_draw_page,
    read_attachments=_read_attachments,
)
