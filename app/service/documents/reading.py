"""Reads one document: the door of this package. Pure: bytes in, an Extraction out.

PDFium and the recognition models live in this process once this ran; services call
`app.service.documents.sandbox.sandbox.read_isolated` instead.
"""

from app.service.documents.extraction import Extraction
from app.service.documents.faults import UnreadableDocument, UnsupportedDocument
from app.service.documents.formats.media_type import MediaType, sniff
from app.service.documents.layout.pages import Page
from app.service.documents.pipeline import read_pages, without_places

LARGEST_PAGE_COUNT = 300

__all__ = ["UnreadableDocument", "UnsupportedDocument", "read_document"]


def read_document(
    content: bytes,
    filename: str,
    *,
    ignore_embedded: bool = False,
    page_limit: int = LARGEST_PAGE_COUNT,
) -> Extraction:
    """What a document says.

    `ignore_embedded` reads the page of a hybrid PDF although it carries an e-document. Raises
    UnreadableDocument for a damaged, protected or oversized file and UnsupportedDocument for a
    format that is not read; both say why in a sentence.
    """
    media = sniff(content, filename)
    if media is MediaType.XML:
        from app.service.documents.einvoice.xml_documents import read_xml

        return read_xml(content, filename)
    pages = _pages(content, media, page_limit)
    if not any(page.words for page in pages):
        raise UnreadableDocument("There is no text in this document.")
    extraction = read_pages(pages, filename)
    if media is MediaType.PDF and not ignore_embedded:
        from app.service.documents.einvoice.embedded import read_embedded

        embedded = read_embedded(content, filename, extraction)
        return embedded or extraction
    return extraction if media is MediaType.PDF or media.is_picture else without_places(extraction)


def _pages(content: bytes, media: MediaType, page_limit: int) -> tuple[Page, ...]:
    if media is MediaType.PDF:
        from app.service.documents.formats.pdf_pages import pdf_pages

        return pdf_pages(content, page_limit)
    if media.is_picture:
        from app.service.documents.formats.recognition import picture_page

        return (picture_page(content),)
    from app.service.documents.formats.office import office_pages

    return office_pages(content, media)
