"""All pages of a PDF; pages that are pictures go through character recognition."""

from app.service.documents.faults import UnreadableDocument
from app.service.documents.formats import pdf
from app.service.documents.layout.pages import Page


def pdf_pages(content: bytes, page_limit: int) -> tuple[Page, ...]:
    """The pages with their words. Raises UnreadableDocument, also for more than `page_limit` pages."""
    with pdf.opened(content) as document:
        count = len(document)
        if count == 0:
            raise UnreadableDocument("The PDF has no pages.")
        if count > page_limit:
            raise UnreadableDocument(f"The PDF has {count} pages; documents of up to {page_limit} are read.")
        pages: list[Page] = []
        for number in range(1, count + 1):
            page = pdf.read_page(document, number)
            if sum(len(word.text) for word in page.words) < 12 and pdf.has_picture(document, number):
                from app.service.documents.formats.recognition import recognised_pdf_page

                page = recognised_pdf_page(document, number)
            pages.append(page)
        return tuple(pages)
