# PDFium's binding carries no types.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false
"""Whether a word of a PDF page can be seen on it.

What a file says and what its page shows are two things: text can be white on white, transparent, beneath a
white rectangle or a picture. A person decides by the page, so only what the page shows is read.
"""

import ctypes
from collections.abc import Sequence
from itertools import count
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pypdfium2
import pypdfium2.raw as pdfium
from PIL import Image, ImageDraw

from app.service.documents.extraction import Box

_SCALE = 1.5
"""Pixels a point."""
_MOST_PIXELS = 5000
"""The longer side of the picture; larger pages are drawn smaller."""
_LEAST_STEP = 12
"""Levels of 255 from one pixel to the next where ink begins."""
_SAME_LEVEL = 16
"""Levels of 255 that nobody tells apart."""
_SAMPLES = 6
"""Places across and down a letter at which its colour is compared."""
_MOST_INK = 0.65
"""The part of its box that a letter can cover."""
_NARROW = 4
"""Pixels."""
_LAST_LATIN = 0x24F
"""PDFium brings the shapes of these letters with it."""
_MOST_STEPS = 250
"""Steps of about a hundred objects, after which the drawing of a page stops, however fast the machine is."""

Pixels: TypeAlias = npt.NDArray[np.int16]


def find_seen(
    page: pypdfium2.PdfPage,
    size: tuple[float, float],
    boxes: Sequence[Box],
    inks: Sequence[int | None],
    drawable: Sequence[bool],
) -> list[bool] | None:
    """Whether each letter in its box can be seen on a page of a size.

    None where the page takes too many steps to draw. `inks` are how light the letters are painted, from 0 to
    255; None for one that something else paints, as the picture of a scan that carries its recognised text.
    One that is not `drawable` for want of its font is seen where its ink differs from the paper.
    """
    if not boxes:
        return []
    scale = min(_SCALE, _MOST_PIXELS / max(*size, 1.0))
    pixels = _draw(page, max(1, round(size[0] * scale)), max(1, round(size[1] * scale)))
    if pixels is None:
        return None
    height, width = pixels.shape
    edges = np.array([(box.x0, box.top, box.x1, box.bottom) for box in boxes]) * scale
    left, right = np.floor(edges[:, 0]).astype(int), np.ceil(edges[:, 2]).astype(int)
    # The outermost pixels show the letters beside as well; a step counts where it ends.
    inset = (right - left > _NARROW).astype(int)
    x0, x1 = np.clip(left + 2 * inset, 0, width), np.clip(right - inset, 0, width)
    top, bottom = np.clip(edges[:, 1].astype(int), 0, height), np.clip(edges[:, 3].astype(int) + 1, 0, height)
    seen = _count_steps(pixels, x0, top, x1, bottom) > 0
    seen |= ~np.array(drawable)
    # Ink of the colour of the paper around it: what is seen in the box is another text.
    levels = np.array([-255 if ink is None else ink for ink in inks])[:, None, None]
    grid = np.linspace(0, 1, _SAMPLES)
    rows = np.minimum(top[:, None] + grid * (bottom - top)[:, None], height - 1).astype(int)
    columns = np.minimum(x0[:, None] + grid * (x1 - x0)[:, None], width - 1).astype(int)
    samples = pixels[rows[:, :, None], columns[:, None, :]]
    seen &= (np.abs(samples - levels) < _SAME_LEVEL).mean(axis=(1, 2)) < _MOST_INK
    painted = [ink is not None and bool(one) for ink, one in zip(inks, seen, strict=True)]
    if any(painted) and None in inks:
        seen &= ~_lies_on_paint(boxes, painted, size)
    return seen.tolist()


def _count_steps(
    pixels: Pixels,
    x0: npt.NDArray[np.int_],
    top: npt.NDArray[np.int_],
    x1: npt.NDArray[np.int_],
    bottom: npt.NDArray[np.int_],
) -> npt.NDArray[np.int_]:
    """How many pixels within each box differ from the one beside or beneath them."""
    steps = np.zeros((pixels.shape[0] + 1, pixels.shape[1] + 1), np.int32)
    steps[1:, 2:] += np.abs(np.diff(pixels, axis=1)) >= _LEAST_STEP
    steps[2:, 1:] += np.abs(np.diff(pixels, axis=0)) >= _LEAST_STEP
    np.cumsum(steps, axis=0, out=steps)
    np.cumsum(steps, axis=1, out=steps)
    return steps[bottom, x1] - steps[top, x1] - steps[bottom, x0] + steps[top, x0]


def _draw(page: pypdfium2.PdfPage, width: int, height: int) -> Pixels | None:
    """The page in grey; None where that takes too many steps."""
    bitmap = pypdfium2.PdfBitmap.new_native(width, height, pdfium.FPDFBitmap_Gray)
    try:
        bitmap.fill_rect((255, 255, 255, 255), 0, 0, width, height)
        steps = count(1)

        def is_enough(_: object) -> int:
            return int(next(steps) > _MOST_STEPS)

        callback = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(pdfium.IFSDK_PAUSE))(is_enough)
        pause = pdfium.IFSDK_PAUSE(version=1, NeedToPauseNow=callback, user=None)
        status = pdfium.FPDF_RenderPageBitmap_Start(
            bitmap, page, 0, 0, width, height, 0, pdfium.FPDF_ANNOT, pause
        )
        pdfium.FPDF_RenderPage_Close(page)
        if status != pdfium.FPDF_RENDER_DONE:
            return None
        return bitmap.to_numpy().astype(np.int16)
    finally:
        bitmap.close()


def read_ink(text: pypdfium2.PdfTextPage, index: int) -> int | None:
    """How light a letter is painted, from 0 to 255; None where it is not painted."""
    mode = pdfium.FPDFTextObj_GetTextRenderMode(pdfium.FPDFText_GetTextObject(text, index))
    if mode in (pdfium.FPDF_TEXTRENDERMODE_INVISIBLE, pdfium.FPDF_TEXTRENDERMODE_CLIP):
        return None
    stroked = mode in (pdfium.FPDF_TEXTRENDERMODE_STROKE, pdfium.FPDF_TEXTRENDERMODE_STROKE_CLIP)
    read_colour = pdfium.FPDFText_GetStrokeColor if stroked else pdfium.FPDFText_GetFillColor
    red, green, blue, alpha = ctypes.c_uint(), ctypes.c_uint(), ctypes.c_uint(), ctypes.c_uint()
    if not read_colour(text, index, red, green, blue, alpha) or alpha.value == 0:
        return None
    return round(0.299 * red.value + 0.587 * green.value + 0.114 * blue.value)


def can_be_drawn(text: pypdfium2.PdfTextPage, index: int, letter: str) -> bool:
    """Whether a letter has a shape here. The letters of a font that its file leaves out, as Japanese files
    do, have none on a machine without such fonts, though a reader with them sees them."""
    if ord(letter) <= _LAST_LATIN:
        return True
    font = pdfium.FPDFTextObj_GetFont(pdfium.FPDFText_GetTextObject(text, index))
    if not font or pdfium.FPDFFont_GetIsEmbedded(font) != 0:
        return True
    path = pdfium.FPDFFont_GetGlyphPath(font, ord(letter), 12.0)
    return bool(path) and pdfium.FPDFGlyphPath_CountGlyphSegments(path) > 0


def _lies_on_paint(
    boxes: Sequence[Box], painted: Sequence[bool], size: tuple[float, float]
) -> npt.NDArray[np.bool_]:
    """Whether the middle of each box that is not painted lies within one that is."""
    places = Image.new("1", (int(size[0]) + 1, int(size[1]) + 1))
    drawing = ImageDraw.Draw(places)
    for box, is_painted in zip(boxes, painted, strict=True):
        if is_painted:
            drawing.rectangle((box.x0, box.top, box.x1, box.bottom), fill=1)
    across, down = places.size
    return np.array(
        [
            not is_painted
            and 0 <= box.centre < across
            and 0 <= box.middle < down
            and bool(places.getpixel((int(box.centre), int(box.middle))))
            for box, is_painted in zip(boxes, painted, strict=True)
        ]
    )
