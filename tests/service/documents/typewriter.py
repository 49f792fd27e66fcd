"""Documents written as plain text, so that a test shows the page it is about."""

import textwrap

from app.service.documents.extraction import Box
from app.service.documents.layout.document import Document, lay_out
from app.service.documents.layout.pages import Page, Word
from app.service.documents.layout.rows import Cell
from app.service.documents.layout.sentences import Sentence
from app.service.documents.tables.detection import Table, find_tables

_LETTER = 5.0
_SIZE = 10.0
_LINE = 14.0


def type_page(text: str, number: int = 1) -> Page:
    """A page with its words where they stand in the text; two spaces part cells, an empty line is a gap."""
    words: list[Word] = []
    for order, line in enumerate(textwrap.dedent(text).strip("\n").split("\n")):
        column = 0
        for part in line.split(" "):
            if part:
                x, top = 50 + column * _LETTER, 50 + order * _LINE
                words.append(Word(part, Box(x, top, x + len(part) * _LETTER, top + _SIZE), _SIZE))
            column += len(part) + 1
    return Page(number, 600, 800, tuple(words))


def type_document(*pages: str) -> Document:
    """A document with these pages."""
    return lay_out(type_page(text, number) for number, text in enumerate(pages, 1))


def type_table(text: str) -> Table:
    """The only table of a page."""
    [table] = find_tables(type_document(text).rows)
    return table


def type_sentences(*texts: str) -> list[Sentence]:
    """These sentences, each on a line of its own."""
    words = [
        Word(text, Box(50, order * _LINE, 550, order * _LINE + _SIZE), _SIZE)
        for order, text in enumerate(texts)
    ]
    return [Sentence(word.text, (Cell((word,), 1, None),)) for word in words]
