"""A page as a picture, for the review of what was read from it."""

import io

from app.service.documents.faults import UnsupportedDocument
from app.service.documents.formats.cell_pages import draw_cells
from app.service.documents.formats.format import MOST_PAGES, PagedFormat
from app.service.documents.formats.registry import open_document

NARROWEST = 50
WIDEST = 3000


def render_page(content: bytes, filename: str, page_number: int, width: int) -> bytes:
    """A page, counted from 1, of the given width in pixels as PNG, or as SVG where the pages were made up for
    reading, as of a sheet.

    Raises IndexError for a page that the document does not have, UnsupportedDocument for formats
    without pages, UnreadableDocument for damaged files.
    """
    document = open_document(content, filename)
    if not isinstance(document.format, PagedFormat):
        raise UnsupportedDocument("This format has no pages that could be shown.")
    width = max(NARROWEST, min(width, WIDEST))
    if document.format.draw_page is None:
        pages = document.format.read_pages(document.content, MOST_PAGES)
        page = next((one for one in pages if one.number == page_number), None)
        if page is None:
            raise IndexError(f"The document has no page {page_number}.")
        return draw_cells(page, width).encode()
    picture = document.format.draw_page(document.content, page_number, width)
    if picture.width != width:
        picture = picture.resize((width, max(1, round(picture.height * width / picture.width))))
    target = io.BytesIO()
    picture.save(target, "PNG", compress_level=3)
    return target.getvalue()
