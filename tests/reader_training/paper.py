"""Sheets of a PDF on which text is written from the upper left corner, with the labels of what is written."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Literal, TypeAlias

from reportlab.lib.colors import Color, HexColor
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from app.service.documents.extraction import Box
from tests.reader_training.generated import Label, Role

Align: TypeAlias = Literal["left", "right", "centre"]
Writing: TypeAlias = Literal["whole", "words", "letters"]
"""How a writer places text: a string at once, each word by itself without spaces, each letter by itself."""

_ABOVE, _BELOW = 0.75, 0.22
"""How far letters reach above and below the baseline, in sizes; the product's page reader counts the same."""


@dataclass(frozen=True, slots=True)
class Font:
    """A pair of fonts. `latin_only` says that letters outside of Windows-1252 are missing."""

    regular: str
    bold: str
    latin_only: bool = False


FONTS = (
    Font("Helvetica", "Helvetica-Bold", True),
    Font("Times-Roman", "Times-Bold", True),
    Font("Courier", "Courier-Bold", True),
    Font("Lato-Regular", "Lato-Bold"),
    Font("Lato-Light", "Lato-Black"),
    Font("Caladea-Regular", "Caladea-Bold"),
    Font("Vera", "VeraBd", True),
)
_TRUETYPE = {
    "Lato": ("font_lato", "Lato-{}.ttf", ("Regular", "Bold", "Light", "Black")),
    "Caladea": ("font_caladea", "Caladea-{}.ttf", ("Regular", "Bold")),
}


@cache
def _register_fonts() -> None:
    for family, (package, name, cuts) in _TRUETYPE.items():
        for cut in cuts:
            path = files(package) / "files" / name.format(cut)
            pdfmetrics.registerFont(TTFont(f"{family}-{cut}", str(path)))
    for name in ("Vera", "VeraBd"):
        pdfmetrics.registerFont(TTFont(name, f"{name}.ttf"))


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of text with its role; runs that follow one another touch, spaces are written in them.

    A text that several lines share, such as the quantity of all years, names them all.
    """

    text: str
    role: Role | None = None
    line: int | tuple[int, ...] | None = None


Text: TypeAlias = str | Sequence[Run]


def runs_of(text: Text) -> list[Run]:
    return [Run(text)] if isinstance(text, str) else list(text)


class Paper:
    """Pages of one size. Places are in points from the upper left corner; `y` of a text is its baseline.

    `turned` stores the pages lying on their side, with the instruction to turn them back for reading.
    """

    def __init__(
        self, width: float, height: float, writing: Writing, *, turned: bool = False, compressed: bool = True
    ) -> None:
        _register_fonts()
        self.width, self.height, self.page = width, height, 1
        self.labels: list[Label] = []
        self.texts: list[str] = []
        """All that was written, line by line."""
        self.writing: Writing = writing
        self._turned = turned
        self._file = BytesIO()
        # The writer exchanges width and height of a page that is turned.
        self._canvas = Canvas(
            self._file, pagesize=(width, height), invariant=1, pageCompression=int(compressed)
        )
        self._begin_page()

    def _begin_page(self) -> None:
        if self._turned:
            self._canvas.setPageRotation(90)
            self._canvas.translate(self.height, 0)
            self._canvas.rotate(90)

    def new_page(self) -> None:
        self._canvas.showPage()
        self.page += 1
        self._begin_page()

    def to_bytes(self) -> bytes:
        self._canvas.showPage()
        self._canvas.save()
        return self._file.getvalue()

    def rule(
        self, x0: float, y0: float, x1: float, y1: float, width: float = 0.6, colour: str = "#000000"
    ) -> None:
        self._canvas.setStrokeColor(_colour(colour))
        self._canvas.setLineWidth(width)
        self._canvas.line(x0, self.height - y0, x1, self.height - y1)

    def frame(
        self, box: Box, *, fill: str | None = None, stroke: str | None = None, radius: float = 0
    ) -> None:
        if fill:
            self._canvas.setFillColor(_colour(fill))
        if stroke:
            self._canvas.setStrokeColor(_colour(stroke))
            self._canvas.setLineWidth(0.6)
        place = (box.x0, self.height - box.bottom, box.width, box.height)
        if radius:
            self._canvas.roundRect(*place, radius, stroke=bool(stroke), fill=bool(fill))
        else:
            self._canvas.rect(*place, stroke=bool(stroke), fill=bool(fill))

    def write(
        self,
        x: float,
        y: float,
        text: Text,
        font: str,
        size: float,
        *,
        align: Align = "left",
        colour: str = "#000000",
    ) -> float:
        """Writes one line and returns its width."""
        runs = runs_of(text)
        widths = [text_width(run.text, font, size) for run in runs]
        width = sum(widths)
        left = x - {"left": 0.0, "right": width, "centre": width / 2}[align]
        self._canvas.setFillColor(_colour(colour))
        self._canvas.setFont(font, size)
        whole = "".join(run.text for run in runs)
        self.texts.append(whole)
        self._place(left, y, whole, font, size)
        for run, run_width in zip(runs, widths, strict=True):
            if run.role and run.text.strip():
                self._label(left, y, run, font, size)
            left += run_width
        return width

    def _place(self, x: float, y: float, text: str, font: str, size: float) -> None:
        writing = self.writing
        if writing == "words" and text_width(" ", font, size) < 0.24 * size:
            writing = "whole"  # without a space between them such words touch
        if writing == "whole":
            self._canvas.drawString(x, self.height - y, text)
            return
        for offset, part in _parts(text, writing):
            self._canvas.drawString(x + text_width(text[:offset], font, size), self.height - y, part)

    def _label(self, x: float, y: float, run: Run, font: str, size: float) -> None:
        assert run.role
        text = run.text.strip()
        start = x + text_width(run.text[: len(run.text) - len(run.text.lstrip())], font, size)
        box = Box(start, y - _ABOVE * size, start + text_width(text, font, size), y + _BELOW * size)
        lines = run.line if isinstance(run.line, tuple) else (run.line,)
        self.labels += [Label(self.page, box, text, run.role, line) for line in lines]


def _parts(text: str, writing: Writing) -> Iterable[tuple[int, str]]:
    offset = 0
    for word in text.split(" "):
        if writing == "letters":
            yield from ((offset + index, letter) for index, letter in enumerate(word))
        elif word:
            yield offset, word
        offset += len(word) + 1


@cache
def _colour(code: str) -> Color:
    return HexColor(code)


def text_width(text: str, font: str, size: float) -> float:
    return float(pdfmetrics.stringWidth(text, font, size))


def wrap(text: Text, font: str, size: float, width: float) -> list[list[Run]]:
    """The text in lines of at most this width; a run that is broken keeps its role on each line."""
    lines: list[list[Run]] = [[]]
    used = 0.0
    for run, word in _words(runs_of(text)):
        taken = text_width(word, font, size)
        if used and used + text_width(word.rstrip(), font, size) > width:
            lines.append([])
            used = 0.0
        last = lines[-1][-1] if lines[-1] else None
        if last and (last.role, last.line) == (run.role, run.line):
            lines[-1][-1] = Run(last.text + word, run.role, run.line)
        else:
            lines[-1].append(Run(word, run.role, run.line))
        used += taken
    return lines


def _words(runs: list[Run]) -> Iterable[tuple[Run, str]]:
    """Each word with the spaces after it. A figure and what touches it in the next run may part."""
    for run in runs:
        start = 0
        for index in range(1, len(run.text) + 1):
            ends = index == len(run.text)
            if ends or (run.text[index - 1] == " " and run.text[index] != " "):
                yield run, run.text[start:index]
                start = index


def choose_font(rng: random.Random, language: str) -> Font:
    fitting = [font for font in FONTS if not (language == "pl" and font.latin_only)]
    return rng.choice(fitting)
