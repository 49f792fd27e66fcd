"""Character recognition for scans and photographs; the models load with the first picture."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import median
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

from app.service.documents.extraction import Box
from app.service.documents.layout.pages import Page, Word

if TYPE_CHECKING:
    from rapidocr import RapidOCR

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
            # Several children read at a time; threads that wait for each other would cost twice the time.
            "EngineConfig.onnxruntime.intra_op_num_threads": 1,
            "Rec.rec_batch_num": 8,
        }
    )


def recognise_page(picture: Image.Image, number: int, width: float, height: float) -> Page:
    """The words of a picture of a page, which is `width` by `height` in the unit of the boxes."""
    shown = picture
    if picture.getcolors(1):
        return Page(number, width, height, (), scanned=True)  # blank, or the picture is damaged
    longest = max(picture.size)
    if longest > _LONGEST_SIDE:
        factor = _LONGEST_SIDE / longest
        shown = picture.resize(
            (round(picture.width * factor), round(picture.height * factor)), Image.Resampling.LANCZOS
        )
    lines = _lines(shown)
    slope = _slope(lines)
    across, down = width / shown.width, height / shown.height
    words = tuple(word for line in lines for word in _words(line, slope, across, down))
    return Page(number, width, height, words, scanned=True, slope=slope * down / across)


@dataclass(frozen=True)
class _Line:
    """A recognised line: its text and the ends of its middle axis, in pixels of the picture."""

    text: str
    score: float
    left: tuple[float, float]
    right: tuple[float, float]
    height: float


def _lines(picture: Image.Image) -> list[_Line]:
    from rapidocr.utils.output import RapidOCROutput

    result = _engine()(np.asarray(picture)[:, :, ::-1], return_word_box=False)
    if not isinstance(result, RapidOCROutput) or result.boxes is None or not result.txts:
        return []
    boxes, texts, scores = result.boxes, result.txts, result.scores or ()
    lines: list[_Line] = []
    for corners, text, score in zip(boxes, texts, scores, strict=True):
        (x0, y0), (x1, y1), (x2, y2), (x3, y3) = ((float(x), float(y)) for x, y in corners)
        if score >= _LEAST_SCORE and x1 > x0:
            height = (abs(y3 - y0) + abs(y2 - y1)) / 2
            left, right = ((x0 + x3) / 2, (y0 + y3) / 2), ((x1 + x2) / 2, (y1 + y2) / 2)
            lines.append(_Line(text, float(score), left, right, height))
    return lines


def _slope(lines: Sequence[_Line]) -> float:
    """The slope of the page, as rise over run of its long lines; photographs are seldom straight."""
    slopes = [
        (line.right[1] - line.left[1]) / (line.right[0] - line.left[0])
        for line in lines
        if line.right[0] - line.left[0] > 6 * line.height
    ]
    return median(slopes) if len(slopes) >= 3 else 0.0


def _words(line: _Line, slope: float, across: float, down: float) -> Iterator[Word]:
    """A recognised line as words, levelled; letters are taken to be equally wide, which is near enough."""
    (x0, y0), (x1, y1) = line.left, line.right
    middle = (y0 + y1) / 2 - slope * (x0 + x1) / 2
    top, bottom = (middle - line.height / 2) * down, (middle + line.height / 2) * down
    step = (x1 - x0) / max(len(line.text), 1) * across
    at = 0
    for part in line.text.split(" "):
        if part:
            left = x0 * across + at * step
            box = Box(left, top, left + len(part) * step, bottom)
            yield Word(part, box, (bottom - top) * 0.8, confidence=line.score)
        at += len(part) + 1
