"""A page as a picture, for the review of what was read from it."""

import io

from app.service.documents.faults import UnsupportedDocument
from app.service.documents.formats.format import PagedFormat
from app.service.documents.formats.registry import open_document

NARROWEST = 50
WIDEST = 3000


def render_page(content: bytes, filename: str, page_number: int, width: int) -> bytes:
    """A page, counted from 1, as PNG of the given width in pixels.

    Raises IndexError for a page that the document does not have, UnsupportedDocument for formats
    without pages, UnreadableDocument for damaged files.
    """
    document = open_document(content, filename)
    if not isinstance(document.format, PagedFormat) or document.format.draw_page is None:
        raise UnsupportedDocument("This format has no pages that could be shown.")
    width = max(NARROWEST, min(width, WIDEST))
    picture = document.format.draw_page(document.content, page_number, width)
    if picture.width != width:
        picture = picture.resize((width, max(1, round(picture.height * width / picture.width))))
    target = io.BytesIO()
    picture.save(target, "PNG", compress_level=3)
    return target.getvalue()
