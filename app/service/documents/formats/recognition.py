"""Character recognition for scans and photographs; the models load with the first picture."""

import logging
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import median
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt
from PIL import Image

from app.service.documents.extraction import Box
from app.service.documents.layout.pages import Page, Word

if TYPE_CHECKING:
    from rapidocr import RapidOCR

Pixels: TypeAlias = npt.NDArray[Any]

_LONGEST_SIDE = 2400
_DETECTED_SIDE = 1280
"""The longer side of the picture in which lines are looked for: at 2200, twice the time and the memory, the
same lines were found. They are read in the full picture."""
_LEAST_SCORE = 0.4
_LONG_LINE = 2.0
"""How many times longer than high a line is whose direction tells."""


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
            # Each line by itself, so that none is padded to the longest of several: a quarter less time.
            # Figures of narrow columns need room beside them to be read, not less than this width.
            "Rec.rec_batch_num": 1,
            "Rec.rec_img_shape": [3, 48, 160],
            "Det.limit_type": "max",
            "Det.limit_side_len": _DETECTED_SIDE,
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
    # In one piece, or every line cut out of it would copy the whole picture first.
    turn, lines = _lines(np.ascontiguousarray(np.asarray(shown)[:, :, ::-1]))
    slope = _slope(lines)
    across, down = width / shown.width, height / shown.height
    if turn % 2:
        width, height, across, down = height, width, down, across
    words = tuple(word for line in lines for word in _words(line, slope, across, down))
    return Page(number, width, height, words, scanned=True, slope=slope * down / across, turn=turn)


@dataclass(frozen=True)
class _Line:
    """A recognised line: its text and the ends of its middle axis, in pixels of the picture."""

    text: str
    score: float
    left: tuple[float, float]
    right: tuple[float, float]
    height: float


def _lines(image: Pixels) -> tuple[int, list[_Line]]:
    """The quarters clockwise by which the picture was turned to stand upright, and its lines then."""
    from rapidocr.main import RapidOCRError

    engine, turn = _engine(), 0
    try:
        places, upright, inverted = _detect(engine, image)
        if turn := _find_turn(places, inverted):
            image = np.ascontiguousarray(np.rot90(image, -turn))
            places, upright, _ = _detect(engine, image)
        read = engine.recognize_txt(upright)
    except RapidOCRError:
        return turn, []  # nothing was found
    lines: list[_Line] = []
    for corners, text, score in zip(places.tolist(), read.txts or (), read.scores or (), strict=True):
        (x0, y0), (x1, y1), (x2, y2), (x3, y3) = cast(list[tuple[float, float]], corners)
        if score >= _LEAST_SCORE and x1 > x0 and text.strip():
            height = (abs(y3 - y0) + abs(y2 - y1)) / 2
            left, right = ((x0 + x3) / 2, (y0 + y3) / 2), ((x1 + x2) / 2, (y1 + y2) / 2)
            lines.append(_Line(text, float(score), left, right, height))
    return turn, lines


def _detect(engine: "RapidOCR", image: Pixels) -> tuple[Pixels, list[Pixels], list[bool]]:
    """The corners of each line from the upper left one on, its picture to be read, and whether
    it was upside down once those higher than long were turned counterclockwise."""
    from rapidocr.utils.process_img import map_boxes_to_original

    prepared, changes = engine.preprocess_img(image)
    crops, places = engine.detect_and_crop(prepared, changes)
    upright, directions = engine.cls_and_rotate(crops)
    corners = map_boxes_to_original(cast(Pixels, places.boxes), changes, *image.shape[:2])
    inverted = [label == "180" for label, _ in cast(list[tuple[str, float]], directions.cls_res)]
    return corners, upright, inverted


def _find_turn(boxes: Pixels, inverted: Sequence[bool]) -> int:
    """How many quarters clockwise make most of the long lines stand upright; see `_detect`."""
    sides = np.linalg.norm(boxes[:, [1, 3]] - boxes[:, :1], axis=2)
    turns = Counter[int]()
    for (across, down), is_inverted in zip(sides, inverted, strict=True):
        if max(across, down) > _LONG_LINE * min(across, down):
            turns[(3 if down > across else 0) + (2 if is_inverted else 0)] += 1
    return turns.most_common(1)[0][0] % 4 if turns else 0


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
