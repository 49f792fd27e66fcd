"""Pages that are written from right to left, as Arabic and Hebrew are: laid out as if from left to right."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace

from app.service.documents.layout.pages import Page, Word
from app.service.documents.layout.rows import find_lines

_RUN_FROM_LEFT = re.compile(r"[A-Za-z\d][\w.,:/%$-]*[A-Za-z\d]|[A-Za-z\d]")
_MIRRORED = str.maketrans("()[]", ")(][")
_CLOSED_FIRST = re.compile(r"[^(\[]*[)\]](?=.*[(\[])")
_TOUCHING = 0.2
"""The share of the letter height that letters of a word are apart at most."""


def read_from_right(page: Page) -> Page:
    """The page with its letters joined to words in the order in which they are read, and mirrored, so that
    what is read first stands left; another page as it is."""
    letters = [letter for word in page.words for letter in word.text if letter.isalpha()]
    if 2 * sum(map(_is_from_right, letters)) <= len(letters):
        return page
    words = [word for line in find_lines(page.words) for word in _join_line(line[::-1])]
    return replace(
        page, words=tuple(replace(one, box=page.mirror(one.box)) for one in words), is_mirrored=True
    )


def _is_from_right(letter: str) -> bool:
    return unicodedata.bidirectional(letter) in ("R", "AL")


def _join_line(pieces: Sequence[Word]) -> Iterator[Word]:
    """The words of a line, whose pieces come from right to left."""
    word: Word | None = None
    for piece in (_turn_letters(one) for one in pieces):
        if word is not None and word.box.x0 - piece.box.x1 < _TOUCHING * word.size:
            from_right = any(map(_is_from_right, word.text + piece.text))
            text = word.text + piece.text if from_right else piece.text + word.text
            word = replace(word, text=text, box=word.box.joined(piece.box))
            continue
        if word is not None:
            yield _open_brackets(word)
        word = piece
    if word is not None:
        yield _open_brackets(word)


def _open_brackets(word: Word) -> Word:
    """A word whose brackets were drawn as they look from right to left, and so close before they open."""
    return replace(word, text=word.text.translate(_MIRRORED)) if _CLOSED_FIRST.match(word.text) else word


def _turn_letters(word: Word) -> Word:
    """A word whose letters came from left to right, in the order in which they are read."""
    if not any(map(_is_from_right, word.text)):
        return word
    return replace(word, text=_RUN_FROM_LEFT.sub(lambda run: run.group()[::-1], word.text[::-1]))
