"""Pages made of rows of cells, so that one reader reads sheets, tables and pages alike."""

from collections.abc import Iterable, Iterator, Sequence

from app.service.documents.extraction import Box
from app.service.documents.layout.bounds import MOST_ROWS, MOST_WORDS, Omissions, bound_cells
from app.service.documents.layout.pages import Page, Word

_LINE = 14.0
_SIZE = 10.0
_COLUMN = 400.0


def lay_out_cells(number: int, rows: Iterable[Sequence[str]], most_rows: int = MOST_ROWS) -> Page:
    """A page on which every cell stands in its column, at places made up; an empty row leaves a gap."""
    words: list[Word] = []
    omissions = Omissions()
    top = 0.0
    widest = 1
    for row_number, row in enumerate(bound_cells(rows, most_rows, omissions)):
        widest = max(widest, len(row))
        height = 1
        for column, text in enumerate(row):
            lines = text.split("\n")
            height = max(height, len(lines))
            for offset, line in enumerate(lines):
                words.extend(_words(line, column, top + offset * _LINE, row_number * 1000 + column))
        top += height * _LINE
        if len(words) > MOST_WORDS:
            break  # the rest is left out when the pages are bounded
    return Page(number, widest * _COLUMN, max(top, _LINE), tuple(words), omissions=tuple(omissions))


def _words(line: str, column: int, top: float, cell: int) -> Iterator[Word]:
    x = column * _COLUMN
    step = min(5.0, (_COLUMN - 10) / max(len(line), 1))
    for text in line.split():
        width = step * len(text)
        yield Word(text, Box(x, top, x + width, top + _SIZE), _SIZE, cell=cell)
        x += width + step
