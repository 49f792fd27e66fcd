"""How much of a document is read, so that the time and memory of a reading follow from its size.

The rules look at every word of a cell and at every cell of a row more than once. Documents of this kind stay
far below: the longest cell of those that the reader is measured with has 834 letters, the longest row 125
words. What is left out is said in the reading, and no total of such a document is taken for sure.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate

from app.service.documents.layout.pages import Page, Word

MOST_ROWS = 50_000
"""Rows of all sheets of a workbook together, or of a table of text."""
MOST_COLUMNS = 100
LONGEST_CELL = 4_000
"""Letters of a cell, or of a paragraph of a text document."""
LONGEST_LINE = 1_000
"""Words of a line."""
MOST_WORDS = 500_000
MOST_LETTERS = 3_000_000
"""Of a document: a thousand pages of text."""
_LONGEST_WORD = 250


class Omissions:
    """What was left out of a document, as sentences for whoever sent it, each said once."""

    def __init__(self, sentences: Iterable[str] = ()) -> None:
        self._sentences = dict.fromkeys(sentences)

    def add(self, sentence: str) -> None:
        self._sentences[sentence] = None

    def __iter__(self) -> Iterator[str]:
        return iter(self._sentences)


def bound_cells(
    rows: Iterable[Sequence[str]], most_rows: int, omissions: Omissions
) -> Iterator[Sequence[str]]:
    """The rows of a sheet or a text, as many and each with as many cells and letters as are read."""
    for number, row in enumerate(rows):
        if number == most_rows:
            omissions.add(f"Only the first {MOST_ROWS:,} rows were read.")
            return
        if any(row[MOST_COLUMNS:]):
            omissions.add(f"Only the first {MOST_COLUMNS} columns were read.")
        cells = row[:MOST_COLUMNS]
        if any(len(cell) > LONGEST_CELL for cell in cells):
            omissions.add(f"Only the first {LONGEST_CELL:,} letters of each cell and paragraph were read.")
            cells = [cell[:LONGEST_CELL] for cell in cells]
        yield cells


def bound_words(pages: Iterable[Page], omissions: Omissions) -> Iterator[Page]:
    """The pages with as many words as are read."""
    words_left, letters_left = MOST_WORDS, MOST_LETTERS
    for page in pages:
        for sentence in page.omissions:
            omissions.add(sentence)
        words = tuple(_bound_word(word, omissions) for word in page.words)
        letters = list(accumulate(len(word.text) for word in words))
        if len(words) > words_left or (letters and letters[-1] > letters_left):
            omissions.add("The document is too long; only its beginning was read.")
            words = words[: min(words_left, bisect_right(letters, letters_left))]
        words_left -= len(words)
        letters_left -= letters[len(words) - 1] if words else 0
        yield replace(page, words=words)


def bound_line(line: list[Word], omissions: Omissions) -> list[Word]:
    """The words of a line, as many as are read."""
    if len(line) > LONGEST_LINE:
        omissions.add(f"Only the first {LONGEST_LINE:,} words of each line were read.")
    return line[:LONGEST_LINE]


def _bound_word(word: Word, omissions: Omissions) -> Word:
    if len(word.text) <= _LONGEST_WORD:
        return word
    omissions.add(f"Only the first {_LONGEST_WORD} letters of each word were read.")
    return replace(word, text=word.text[:_LONGEST_WORD])
