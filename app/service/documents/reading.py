"""Reads one document: the entry of this package. Pure: bytes in, an Extraction out.

PDFium and the recognition models live in this process once this ran; services call
`ReaderPool.read_document` instead.
"""

from collections.abc import Callable
from dataclasses import replace

from app.service.documents.einvoice.embedded import read_embedded
from app.service.documents.extraction import Extraction
from app.service.documents.faults import UnreadableDocument
from app.service.documents.formats.format import MOST_PAGES, DataFormat, PagedFormat
from app.service.documents.formats.registry import OpenedDocument, open_document
from app.service.documents.layout.pages import Page
from app.service.documents.pipeline import read_pages, remove_places

_UNREAD = "Only {read} of the {count} pages were read: the document takes longer than one document may."


def read_document(
    content: bytes,
    filename: str,
    *,
    ignore_embedded: bool = False,
    page_limit: int = MOST_PAGES,
    is_time_over: Callable[[], bool] = lambda: False,
) -> Extraction:
    """Return what a document says.

    `ignore_embedded` reads the page of a hybrid PDF although it carries an e-document. `is_time_over` is
    asked after each page; once it says so, no more pages are read, and a warning says how many were. Raises
    UnreadableDocument for a damaged, protected or oversized file and UnsupportedDocument for a
    format that is not read; both say why in a sentence.
    """
    document = open_document(content, filename)
    try:
        extraction = _read(document, ignore_embedded, page_limit, is_time_over)
    except UnreadableDocument as fault:
        if document.content is content:
            raise
        raise UnreadableDocument(f"The attachment {document.filename}: {fault.reason}") from fault
    return replace(extraction, file=filename, warnings=(*document.remarks, *extraction.warnings))


def _read(
    document: OpenedDocument, ignore_embedded: bool, page_limit: int, is_time_over: Callable[[], bool]
) -> Extraction:
    found, content, filename = document.format, document.content, document.filename
    if isinstance(found, DataFormat):
        return found.read_values(content, filename)
    pages = _read_in_time(found, content, page_limit, is_time_over)
    if not any(page.words for page in pages):
        raise UnreadableDocument("There is no text in this document.")
    extraction = read_pages(pages, filename)
    if found.read_attachments and not ignore_embedded:
        embedded = read_embedded(found.read_attachments(content), filename, extraction)
        return embedded or extraction
    return extraction if found.draw_page else remove_places(extraction)


def _read_in_time(
    found: PagedFormat, content: bytes, page_limit: int, is_time_over: Callable[[], bool]
) -> list[Page]:
    """The pages until the time is over; if there are more, the last one says so."""
    read: list[Page] = []
    for page in found.read_pages(content, page_limit):
        read.append(page)
        if found.count_pages is None or not is_time_over():
            continue
        if len(read) < (count := found.count_pages(content)):
            omission = _UNREAD.format(read=len(read), count=count)
            read[-1] = replace(page, omissions=(*page.omissions, omission))
        break
    return read
