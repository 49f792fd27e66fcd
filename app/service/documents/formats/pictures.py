"""PNG and JPEG: photographs and scans, read by character recognition."""

import io
from typing import TYPE_CHECKING

from app.service.documents.faults import UnreadableDocument
from app.service.documents.formats.format import PagedFormat
from app.service.documents.layout.pages import Page

if TYPE_CHECKING:
    from PIL.Image import Image

_MOST_PIXELS = 40_000_000
_LEAST_SIDE = 20


def _read_pages(content: bytes, page_limit: int) -> tuple[Page, ...]:
    """The picture as a page; the boxes are in its pixels."""
    from app.service.documents.formats.recognition import recognise_page

    picture = _open_picture(content)
    if min(picture.size) < _LEAST_SIDE:
        raise UnreadableDocument("The picture is too small to hold readable text.")
    return (recognise_page(picture, 1, picture.width, picture.height),)


def _draw_page(content: bytes, number: int, width: int) -> "Image":
    if number != 1:
        raise IndexError(f"The document has one page, not {number}.")
    return _open_picture(content)


def _open_picture(content: bytes) -> "Image":
    """The picture in RGB, turned as its camera noted. Raises UnreadableDocument."""
    from PIL import Image, ImageOps

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


PNG = PagedFormat(
    "PNG",
    "image/png",
    ("png",),
    lambda content, _: content.startswith(b"\x89PNG\r\n\x1a\n"),
    read_pages=_read_pages,
    draw_page=_draw_page,
)
JPEG = PagedFormat(
    "JPEG",
    "image/jpeg",
    ("jpg", "jpeg"),
    lambda content, _: content.startswith(b"\xff\xd8\xff"),
    read_pages=_read_pages,
    draw_page=_draw_page,
)
