"""A page as a picture, for the review of what was read from it."""

import io

from PIL import Image

from app.service.documents.faults import UnreadableDocument, UnsupportedDocument
from app.service.documents.formats import pdf
from app.service.documents.formats.media_type import MediaType, sniff

WIDEST = 3000
_MOST_PIXELS = 40_000_000


def render_page(content: bytes, filename: str, page_number: int, width: int) -> bytes:
    """A page, counted from 1, as PNG of the given width in pixels.

    Raises IndexError for a page that the document does not have, UnsupportedDocument for formats
    without pages, UnreadableDocument for damaged files.
    """
    width = max(50, min(width, WIDEST))
    media = sniff(content, filename)
    if media is MediaType.PDF:
        return _png(_in_width(_pdf_picture(content, page_number, width), width))
    if media.is_picture:
        if page_number != 1:
            raise IndexError(f"The document has one page, not {page_number}.")
        return _png(_in_width(open_picture(content), width))
    raise UnsupportedDocument("This format has no pages that could be shown.")


def _in_width(picture: Image.Image, width: int) -> Image.Image:
    if picture.width == width:
        return picture
    return picture.resize((width, max(1, round(picture.height * width / picture.width))))


def open_picture(content: bytes) -> Image.Image:
    """The picture in RGB, turned as its camera noted. Raises UnreadableDocument."""
    from PIL import ImageOps

    try:
        with Image.open(io.BytesIO(content), formats=("PNG", "JPEG")) as picture:
            if picture.width * picture.height > _MOST_PIXELS:
                raise UnreadableDocument(
                    f"The picture has {picture.width} x {picture.height} points; that is too large to read."
                )
            return ImageOps.exif_transpose(picture).convert("RGB")
    except UnreadableDocument:
        raise
    except Image.DecompressionBombError as bomb:
        raise UnreadableDocument("The picture has far too many points; it is too large to read.") from bomb
    except (OSError, ValueError, SyntaxError) as damage:
        raise UnreadableDocument("The picture is damaged or cut off.") from damage


def _pdf_picture(content: bytes, page_number: int, width: int) -> Image.Image:
    with pdf.opened(content) as document:
        if not 1 <= page_number <= len(document):
            raise IndexError(f"The document has {len(document)} pages, no page {page_number}.")
        return pdf.draw_page(document, page_number, width)


def _png(picture: Image.Image) -> bytes:
    target = io.BytesIO()
    picture.save(target, "PNG", compress_level=3)
    return target.getvalue()
