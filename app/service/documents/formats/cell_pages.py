"""Pages made of rows of cells, so that one reader reads sheets, tables and pages alike, and
shows what it has read where."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, groupby
from xml.sax.saxutils import escape

from app.service.documents.extraction import Box
from app.service.documents.layout.bounds import MOST_ROWS, MOST_WORDS, Omissions, bound_cells
from app.service.documents.layout.pages import COLUMN_WIDTH, Page, Word

_LINE = 14.0
_SIZE = 10.0
_GAP = 10.0
_NO_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML may not hold."""


def lay_out_cells(number: int, rows: Iterable[Sequence[str]], most_rows: int = MOST_ROWS) -> Page:
    """A page on which every cell stands in its column, at places made up; an empty row leaves a gap."""
    words: list[Word] = []
    omissions = Omissions()
    top = 0.0
    # A text before empty cells may reach over them, as in a sheet.
    widths, reaches = [_GAP], [_GAP]
    for row_number, row in enumerate(bound_cells(rows, most_rows, omissions)):
        for ends in (widths, reaches):
            ends += [_GAP] * (len(row) - len(ends))
        height, last = 1, max((column for column, text in enumerate(row) if text), default=0)
        for column, text in enumerate(row):
            lines = text.split("\n")
            height = max(height, len(lines))
            for offset, line in enumerate(lines):
                put = _words(line, column, top + offset * _LINE, row_number * 1000 + column)
                words.extend(put)
                ends = widths if column < last else reaches
                if put:
                    ends[column] = max(ends[column], put[-1].box.x1 - column * COLUMN_WIDTH)
        top += height * _LINE
        if len(words) > MOST_WORDS:
            break  # the rest is left out when the pages are bounded
    *columns, _ = accumulate((width + _GAP for width in widths), initial=0.0)
    end = max(at + max(ends) for at, *ends in zip(columns, widths, reaches, strict=True))
    return Page(
        number,
        len(widths) * COLUMN_WIDTH,
        max(top, _LINE),
        tuple(words),
        columns=(*columns, end),
        omissions=tuple(omissions),
    )


def _words(line: str, column: int, top: float, cell: int) -> list[Word]:
    words: list[Word] = []
    x = column * COLUMN_WIDTH
    step = min(5.0, (COLUMN_WIDTH - _GAP) / max(len(line), 1))
    for text in line.split():
        width = step * len(text)
        words.append(Word(text, Box(x, top, x + width, top + _SIZE), _SIZE, cell=cell))
        x += width + step
    return words


def draw_cells(page: Page, width: int) -> str:
    """Return the page as SVG of the given width in pixels, with a text for each line of a cell. Whoever shows
    it has the letters of all scripts."""
    size = page.shown_size
    place = f"{-_GAP} {-_GAP} {size.width + 2 * _GAP} {size.height + 2 * _GAP}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" viewBox="{place}" font-family="sans-serif">'
        f'<rect x="{-_GAP}" y="{-_GAP}" width="100%" height="100%" fill="#fff" stroke="#c4ccd4"/>'
        f"{''.join(_draw_texts(page, size.height))}</svg>"
    )


def _draw_texts(page: Page, most: float) -> Iterator[str]:
    for (_, top), words in groupby(page.words, key=lambda word: (word.cell, word.box.top)):
        first, *others = words
        last = others[-1] if others else first
        text = _NO_XML.sub(" ", " ".join(word.text for word in (first, *others)))
        box = page.find_shown_box(Box(first.box.x0, top, last.box.x1, first.box.bottom))
        if box.top < most:
            wide = box.x1 - box.x0
            size = min(_SIZE, 2 * wide / len(text))
            yield (
                f'<text x="{box.x0:g}" y="{box.bottom - 2:g}" font-size="{size:.3g}" textLength="{wide:g}"'
                f' lengthAdjust="spacingAndGlyphs">{escape(text)}</text>'
            )
