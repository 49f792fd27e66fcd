"""Character recognition for scans and photographs; the models load with the first picture."""

import logging
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

from app.service.documents import pdf
from app.service.documents.extraction import Box
from app.service.documents.faults import UnreadableDocument
from app.service.documents.pages import Page, Word
from app.service.documents.rendering import open_picture

if TYPE_CHECKING:
    import pypdfium2
    from rapidocr import RapidOCR

_SCAN_WIDTH = 1700
_LEAST_SIDE = 20
_LONGEST_SIDE = 2400
_LEAST_SCORE = 0.4


@cache
def _engine() -> "RapidOCR":
    from rapidocr import RapidOCR

    logging.getLogger("RapidOCR").setLevel(logging.ERROR)
    return RapidOCR(
        params={
            "Global.log_level": "error",
            "Global.max_side_len": _LONGEST_SIDE,
            "EngineConfig.onnxruntime.intra_op_num_threads": 2,
            "Rec.rec_batch_num": 8,
        }
    )


def picture_page(content: bytes) -> Page:
    """A picture as a page; the boxes are in its pixels."""
    picture = open_picture(content)
    if min(picture.size) < _LEAST_SIDE:
        raise UnreadableDocument("The picture is too small to hold readable text.")
    return _recognised(picture, 1, picture.width, picture.height)


def recognised_pdf_page(document: "pypdfium2.PdfDocument", number: int) -> Page:
    """A scanned page of a PDF; the boxes are in points."""
    width, height = document[number - 1].get_size()
    return _recognised(pdf.draw_page(document, number, _SCAN_WIDTH), number, width, height)


def _recognised(picture: Image.Image, number: int, width: float, height: float) -> Page:
    shown = picture
    longest = max(picture.size)
    if longest > _LONGEST_SIDE:
        factor = _LONGEST_SIDE / longest
        shown = picture.resize(
            (round(picture.width * factor), round(picture.height * factor)), Image.Resampling.LANCZOS
        )
    words = tuple(_words(shown, width / shown.width, height / shown.height))
    return Page(number, width, height, words, scanned=True)


def _words(picture: Image.Image, across: float, down: float) -> Iterator[Word]:
    result = _engine()(np.asarray(picture)[:, :, ::-1], return_word_box=False)
    boxes, texts, scores = result.boxes, result.txts, result.scores
    if boxes is None or texts is None or scores is None:
        return
    for corners, text, score in zip(boxes, texts, scores, strict=True):
        if score < _LEAST_SCORE:
            continue
        x0, x1 = float(corners[:, 0].min()) * across, float(corners[:, 0].max()) * across
        top, bottom = float(corners[:, 1].min()) * down, float(corners[:, 1].max()) * down
        yield from _split(text, Box(x0, top, x1, bottom), float(score))


def _split(text: str, box: Box, score: float) -> Iterator[Word]:
    """A recognised line as words; letters are taken to be equally wide, which is near enough."""
    step = box.width / max(len(text), 1)
    at = 0
    for part in text.split(" "):
        if part:
            x0 = box.x0 + at * step
            yield Word(
                part, Box(x0, box.top, x0 + len(part) * step, box.bottom), box.height * 0.8, confidence=score
            )
        at += len(part) + 1
