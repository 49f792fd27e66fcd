# PDFium's binding carries no types.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnknownParameterType=false
"""The words of PDF pages, read with PDFium.

PDFium is not thread safe: call these functions from one thread of a process only.
"""

import ctypes
import math
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import pypdfium2
import pypdfium2.raw as pdfium
from PIL import Image

from app.service.documents.extraction import Box
from app.service.documents.faults import UnreadableDocument
from app.service.documents.formats.visibility import can_be_drawn, find_seen, read_ink
from app.service.documents.layout.letter_spacing import join_spaced_letters
from app.service.documents.layout.pages import Page, Word

# A drawing the size of a building is no document, and its pictures would not fit into memory.
LARGEST_SIDE = 14_400.0
_ENCRYPTED = 4
_REASONS = {
    _ENCRYPTED: "The PDF is protected by a password.",
    3: "The file is not a valid PDF, or it is damaged.",
    5: "The PDF uses a protection that cannot be opened.",
}
_SPACES = frozenset(" \t\r\n\x00\xa0\u2002\u2003\u2007\u2009\u202f\u3000\ufffe\uffff\x02")
_LINE_ENDS = frozenset("\r\n")
_MARKS = frozenset(".,'")
_BOLD_FROM = 600
_FEW_WORDS = 8
"""So many without a figure state nothing that could be missed."""
_HIDDEN = "Page {number} has text that nobody can see on it, which was not read (words: {words})."
_UNCHECKED = "Page {number} takes long to draw: whether all of its text can be seen was not checked."
_MOST_ATTACHMENTS = 20
_MOST_ANNOTATIONS = 5_000


@dataclass(frozen=True, slots=True)
class _Glyph:
    text: str
    box: Box
    baseline: float
    size: float
    bold: bool
    ink: int | None
    """How light it is painted, from 0 to 255; None for a letter that is not, as recognised text of a scan."""
    drawable: bool = True


@contextmanager
def open_pdf(content: bytes) -> Generator[pypdfium2.PdfDocument, None, None]:
    """The document, closed afterwards. Raises UnreadableDocument when PDFium refuses it."""
    try:
        document = pypdfium2.PdfDocument(content)
    except pypdfium2.PdfiumError as refusal:
        code = getattr(refusal, "err_code", None)
        raise UnreadableDocument(_REASONS.get(code or 0, _REASONS[3])) from refusal
    try:
        document.init_forms()  # draws the fields of a form that come without a drawing of their own
        yield document
    finally:
        document.close()


def read_page(document: pypdfium2.PdfDocument, number: int) -> Page:
    """The words of one page, counted from 1, that can be seen on it.

    The page is turned so that most of its text stands upright; other text is left out: watermarks, spines.
    """
    with _open_upright(document, number) as page:
        width, height = page.get_size()
        if max(width, height) > LARGEST_SIDE:
            metres = max(width, height) / 72 * 0.0254
            raise UnreadableDocument(f"Page {number} is {metres:.1f} metres long; this is no document page.")
        text = page.get_textpage()
        try:
            glyphs = list(_glyphs(page, text, width, height))
        finally:
            text.close()
        letters = [glyph for glyph in glyphs if glyph.text != " "]
        is_seen = find_seen(
            page,
            (width, height),
            [one.box for one in letters],
            [one.ink for one in letters],
            [one.drawable for one in letters],
        )
        omissions = () if is_seen is not None else (_UNCHECKED.format(number=number),)
        is_seen = is_seen or [True] * len(letters)
        seen, hidden = _split_by_visibility(glyphs, _with_marks(letters, is_seen))
        words = tuple(join_spaced_letters(_words(seen)))
        unseen = [word.text for word in _words(hidden) if any(map(str.isalnum, word.text))]
        is_said = len(unseen) > _FEW_WORDS or any(map(str.isdigit, "".join(unseen)))
        remarks = (_HIDDEN.format(number=number, words=len(unseen)),) if is_said else ()
        return Page(number, width, height, words, omissions=omissions, remarks=remarks)


@contextmanager
def _open_upright(document: pypdfium2.PdfDocument, number: int) -> Generator[pypdfium2.PdfPage, None, None]:
    """A page with what its form was filled in with, turned by quarters so that most of its text stands
    upright."""
    page = document[number - 1]
    if _shows_annotations(page):
        pdfium.FPDFPage_Flatten(page, pdfium.FLAT_NORMALDISPLAY)
        page.close()
        page = document[number - 1]
    try:
        quarters = Counter[int]()
        text = page.get_textpage()
        try:
            for index in range(text.count_chars()):
                if pdfium.FPDFText_IsGenerated(text, index) != 1:
                    quarters[-round(pdfium.FPDFText_GetCharAngle(text, index) / math.pi * 2) % 4] += 1
        finally:
            text.close()
        if quarters:
            page.set_rotation(90 * quarters.most_common(1)[0][0])
        yield page
    finally:
        page.close()


def _shows_annotations(page: pypdfium2.PdfPage) -> bool:
    """Whether a page has fields of a form or notes: what is drawn on it and is no part of its content."""
    for index in range(min(pdfium.FPDFPage_GetAnnotCount(page), _MOST_ANNOTATIONS)):
        annotation = pdfium.FPDFPage_GetAnnot(page, index)
        kind = pdfium.FPDFAnnot_GetSubtype(annotation)
        pdfium.FPDFPage_CloseAnnot(annotation)
        if kind in (pdfium.FPDF_ANNOT_WIDGET, pdfium.FPDF_ANNOT_FREETEXT, pdfium.FPDF_ANNOT_STAMP):
            return True
    return False


class _Placing:
    """Turns PDF coordinates into the page as it is seen: rotation and crop box applied, origin on top."""

    _SCALE = 100

    def __init__(self, page: pypdfium2.PdfPage, width: float, height: float) -> None:
        self._size = (round(width * self._SCALE), round(height * self._SCALE))
        origin, right, up = (self._seen(page, *point) for point in ((0.0, 0.0), (100.0, 0.0), (0.0, 100.0)))
        self._origin = origin
        self._x = ((right[0] - origin[0]) / 100, (right[1] - origin[1]) / 100)
        self._y = ((up[0] - origin[0]) / 100, (up[1] - origin[1]) / 100)
        self.upright = abs(self._x[1]) < 0.01

    def _seen(self, page: pypdfium2.PdfPage, x: float, y: float) -> tuple[float, float]:
        left, top = ctypes.c_int(), ctypes.c_int()
        pdfium.FPDF_PageToDevice(page, 0, 0, *self._size, 0, x, y, left, top)
        return left.value / self._SCALE, top.value / self._SCALE

    def point(self, x: float, y: float) -> tuple[float, float]:
        return (
            self._origin[0] + x * self._x[0] + y * self._y[0],
            self._origin[1] + x * self._x[1] + y * self._y[1],
        )


def _glyphs(
    page: pypdfium2.PdfPage, text: pypdfium2.PdfTextPage, width: float, height: float
) -> Iterator[_Glyph]:
    placing = _Placing(page, width, height)
    rectangle, matrix = pdfium.FS_RECTF(), pdfium.FS_MATRIX()
    x, y = ctypes.c_double(), ctypes.c_double()
    turned = page.get_rotation() * math.pi / 180
    previous: _Glyph | None = None
    for index in range(text.count_chars()):
        code = pdfium.FPDFText_GetUnicode(text, index)
        letter = chr(code) if 0 < code < 0x110000 else " "
        if 0xD800 <= code < 0xE000:  # half of a letter outside the basic plane: an emoji, a pictogram
            letter = "\N{REPLACEMENT CHARACTER}"
        if letter in _LINE_ENDS and pdfium.FPDFText_IsGenerated(text, index) == 1:
            continue  # PDFium's guess, which stands inside of words too: where letters are tells words apart
        if letter in _SPACES:
            yield _Glyph(" ", Box(0, 0, 0, 0), 0, 0, bold=False, ink=None)
            continue
        angle = (pdfium.FPDFText_GetCharAngle(text, index) + turned + 0.05) % (2 * math.pi)
        if angle > 0.1 or not pdfium.FPDFText_GetLooseCharBox(text, index, rectangle):
            continue
        pdfium.FPDFText_GetCharOrigin(text, index, x, y)
        first = placing.point(rectangle.left, rectangle.top)
        second = placing.point(rectangle.right, rectangle.bottom)
        _, baseline = placing.point(x.value, y.value)
        x0, x1 = sorted((first[0], second[0]))
        pdfium.FPDFText_GetMatrix(text, index, matrix)
        # The declared height of a font can be anything; its size under the matrix is what is printed.
        size = pdfium.FPDFText_GetFontSize(text, index) * math.hypot(matrix.c, matrix.d)
        if size <= 0.5 or x1 < -2 or x0 > width + 2 or not -2 < baseline < height + 2:
            continue
        box = Box(x0, baseline - 0.75 * size, x1, baseline + 0.22 * size)
        ink = read_ink(text, index)
        bold = pdfium.FPDFText_GetFontWeight(text, index) >= _BOLD_FROM
        glyph = _Glyph(letter, box, baseline, size, bold, ink, can_be_drawn(text, index, letter))
        if previous and previous.text == letter and _printed_twice(previous, glyph):
            continue  # bold faked by printing each letter twice
        previous = glyph
        yield glyph


def _printed_twice(one: _Glyph, other: _Glyph) -> bool:
    near = 0.12 * one.size
    if one.box == other.box:
        return False  # the two letters of a ligature share its box
    return abs(one.box.x0 - other.box.x0) < near and abs(one.baseline - other.baseline) < near


def _with_marks(letters: Sequence[_Glyph], is_seen: Sequence[bool]) -> Iterator[bool]:
    """Whether each letter can be seen; a mark that another font draws elsewhere, as the letters beside it."""
    for number, (letter, seen) in enumerate(zip(letters, is_seen, strict=True)):
        beside = (number - 1, number + 1)
        yield seen or (
            letter.text in _MARKS
            and 0 < number < len(letters) - 1
            and all(is_seen[one] and letters[one].ink == letter.ink for one in beside)
            and _continues(letters[number - 1], letter)
            and _continues(letter, letters[number + 1])
        )


def _split_by_visibility(
    glyphs: Iterable[_Glyph], seen_letters: Iterable[bool]
) -> tuple[list[_Glyph], list[_Glyph]]:
    """The letters that can be seen and those that cannot; both with the spaces between."""
    is_seen = iter(seen_letters)
    seen: list[_Glyph] = []
    hidden: list[_Glyph] = []
    for glyph in glyphs:
        if glyph.text == " ":
            seen.append(glyph)
            hidden.append(glyph)
        else:
            (seen if next(is_seen) else hidden).append(glyph)
    return seen, hidden


def _words(glyphs: Iterable[_Glyph]) -> Iterator[Word]:
    run: list[_Glyph] = []
    for glyph in glyphs:
        if run and (glyph.text == " " or not _continues(run[-1], glyph)):
            yield _word(run)
            run = []
        if glyph.text != " ":
            run.append(glyph)
    if run:
        yield _word(run)


def _continues(last: _Glyph, glyph: _Glyph) -> bool:
    gap = glyph.box.x0 - last.box.x1
    same_line = abs(glyph.baseline - last.baseline) < 0.25 * last.size
    onward = glyph.box.x0 >= last.box.x0 - 0.1 * last.size
    return same_line and onward and gap < 0.2 * last.size


def _word(run: list[_Glyph]) -> Word:
    box = run[0].box
    for glyph in run[1:]:
        box = box.joined(glyph.box)
    bold = sum(glyph.bold for glyph in run) * 2 > len(run)
    return Word("".join(glyph.text for glyph in run), box, run[0].size, bold)


def find_size(document: pypdfium2.PdfDocument, number: int) -> tuple[float, float]:
    """Width and height of a page as `read_page` turns it."""
    with _open_upright(document, number) as page:
        width, height = page.get_size()
        return width, height


def has_picture(document: pypdfium2.PdfDocument, number: int) -> bool:
    """Whether a page shows an image or drawing; one without text and pictures is blank."""
    page = document[number - 1]
    try:
        return pdfium.FPDFPage_CountObjects(page) > 0
    finally:
        page.close()


def draw_page(document: pypdfium2.PdfDocument, number: int, width: int) -> Image.Image:
    """A page as a picture of the given width, turned as `read_page` turns it; pages out of all proportion are
    refused."""
    with _open_upright(document, number) as page:
        page_width, page_height = page.get_size()
        if page_width <= 0 or page_height / page_width > 20 or max(page_width, page_height) > LARGEST_SIDE:
            raise UnreadableDocument(f"Page {number} has a size that cannot be drawn.")
        picture: Image.Image = page.render(scale=width / page_width).to_pil()
        return picture.convert("RGB")


def read_attachments(content: bytes) -> Iterator[bytes]:
    """The files inside of a PDF; those that cannot be unpacked are left out."""
    with open_pdf(content) as document:
        for index in range(min(document.count_attachments(), _MOST_ATTACHMENTS)):
            try:
                yield bytes(document.get_attachment(index).get_data())
            except pypdfium2.PdfiumError:
                continue
