"""Reads one document: the entry of this package. Pure: bytes in, an Extraction out.

PDFium and the recognition models live in this process once this ran; services call
`ReaderPool.read_document` instead.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from app.service.documents.einvoice.embedded import check_with_page, find_embedded
from app.service.documents.extraction import Extraction
from app.service.documents.faults import UnreadableDocument
from app.service.documents.formats.format import MOST_PAGES, DataFormat, PagedFormat
from app.service.documents.formats.registry import OpenedDocument, open_document
from app.service.documents.layout.pages import Page
from app.service.documents.pipeline import read_pages
from app.service.documents.second_opinion.steps import Step

_SHARED = 2
"""Scanned pages from which on it pays to recognise them in several processes."""
_UNREAD = "Only {read} of the {count} pages were read: the document takes longer than one document may."


class ScansFound(Exception):
    """A document has pages that are pictures, which several processes may recognise."""

    def __init__(self, pages: tuple[int, ...]) -> None:
        super().__init__(pages)
        self.pages = pages


def read_document(
    content: bytes,
    filename: str,
    *,
    ignore_embedded: bool = False,
    page_limit: int = MOST_PAGES,
    is_time_over: Callable[[], bool] = lambda: False,
    share_scans: bool = False,
    recognised: Mapping[int, Page] | None = None,
    after_judge: Step | None = None,
) -> Extraction:
    """Return what a document says.

    `ignore_embedded` reads the page of a hybrid PDF although it carries an e-document. `is_time_over` is
    asked after each page; once it says so, no more are read, and a warning says how
    many pages were. `recognised` are the scanned pages by their number, where they were recognised before;
    others of them are not read. `share_scans` raises ScansFound instead of recognising several. `after_judge`
    may change what the judge says. Raises UnreadableDocument for a damaged, protected or oversized file and
    UnsupportedDocument for a format that is not read; both say why in a sentence.
    """
    document = open_document(content, filename)
    try:
        extraction = _read(
            document,
            ignore_embedded,
            page_limit,
            is_time_over,
            share_scans=share_scans,
            recognised=recognised,
            after_judge=after_judge,
        )
    except UnreadableDocument as fault:
        if document.content is content:
            raise
        raise UnreadableDocument(f"The attachment {document.filename}: {fault.reason}") from fault
    return replace(extraction, file=filename, warnings=(*document.remarks, *extraction.warnings))


def read_scan(content: bytes, filename: str, page_number: int) -> Page:
    """A scanned page of a document, counted from 1, with the words that are recognised in it."""
    document = open_document(content, filename)
    if not isinstance(document.format, PagedFormat) or document.format.read_scan is None:
        raise IndexError(f"There is no scanned page {page_number}.")
    return document.format.read_scan(document.content, page_number)


def _read(
    document: OpenedDocument,
    ignore_embedded: bool,
    page_limit: int,
    is_time_over: Callable[[], bool],
    *,
    share_scans: bool,
    recognised: Mapping[int, Page] | None,
    after_judge: Step | None,
) -> Extraction:
    found, content, filename = document.format, document.content, document.filename
    if isinstance(found, DataFormat):
        return found.read_values(content, filename)
    pages = _read_in_time(found, content, page_limit, is_time_over)
    count = len(pages) if found.count_pages is None else found.count_pages(content)
    scans = [page.number for page in pages if found.read_scan and page.scanned]
    if share_scans and len(scans) >= _SHARED:
        raise ScansFound(tuple(scans))
    if found.read_scan and scans and recognised is None:
        recognised = _recognise(found.read_scan, content, scans, is_time_over)
    pages = _put_in(pages, recognised or {}, scans, count)
    if not any(page.words for page in pages):
        raise UnreadableDocument("There is no text in this document.")
    if found.read_attachments and not ignore_embedded:
        embedded = find_embedded(found.read_attachments(content), filename)
        if embedded is not None:
            return check_with_page(embedded, read_pages(pages, filename))
    return read_pages(pages, filename, after_judge)


def _read_in_time(
    found: PagedFormat, content: bytes, page_limit: int, is_time_over: Callable[[], bool]
) -> list[Page]:
    """The pages until the time is over."""
    read: list[Page] = []
    for page in found.read_pages(content, page_limit):
        read.append(page)
        if found.count_pages is not None and is_time_over():
            break
    return read


def _recognise(
    read: Callable[[bytes, int], Page],
    content: bytes,
    scans: Sequence[int],
    is_time_over: Callable[[], bool],
) -> dict[int, Page]:
    """The scanned pages by their number, until the time is over."""
    recognised: dict[int, Page] = {}
    for number in scans:
        if recognised and is_time_over():
            break
        recognised[number] = read(content, number)
    return recognised


def _put_in(
    pages: Sequence[Page], recognised: Mapping[int, Page], scans: Sequence[int], count: int
) -> list[Page]:
    """The pages with the words of those that were recognised. The last one says how many of the `count` pages
    were read, if not all."""
    read = [recognised.get(page.number, page) for page in pages]
    done = len(pages) - sum(number not in recognised for number in scans)
    if done < count:
        omission = _UNREAD.format(read=done, count=count)
        read[-1] = replace(read[-1], omissions=(*read[-1].omissions, omission))
    return read
