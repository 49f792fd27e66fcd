"""Words set with spaces between their letters: `I N V O I C E`, `見 積 書`."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from statistics import median

from app.service.documents.layout.pages import Word

_FEWEST_LETTERS = 5
_FEWEST_SIGNS = 2
"""Chinese signs, which no spaces part elsewhere: `数 量`."""
_SIGN = re.compile(r"[\u4e00-\u9fff]")


def join_spaced_letters(words: Iterable[Word]) -> Iterator[Word]:
    """The words in their order, those set letter by letter put together again."""
    run: list[Word] = []
    for word in words:
        if run and not (_may_be_spaced_letter(word) and _is_beside(run[-1], word)):
            yield from _join_run(run)
            run = []
        if _may_be_spaced_letter(word):
            run.append(word)
        else:
            yield word
    yield from _join_run(run)


def _may_be_spaced_letter(word: Word) -> bool:
    """Kerning can leave two letters together: `Wr e n`."""
    return len(word.text) <= 2 and (word.text.isalpha() or word.text == "&")


def _is_beside(left: Word, right: Word) -> bool:
    gap = right.box.x0 - left.box.x1
    level = abs(left.box.bottom - right.box.bottom) < 0.1 * left.size and left.size == right.size
    return level and 0 < gap < 1.2 * left.size


def _join_run(run: Sequence[Word]) -> Iterator[Word]:
    are_signs = all(_SIGN.fullmatch(word.text) for word in run)
    fewest = _FEWEST_SIGNS if are_signs else _FEWEST_LETTERS
    if len(run) < fewest or sum(len(word.text) == 1 for word in run) < 0.7 * len(run):
        yield from run
        return
    usual = median(right.box.x0 - left.box.x1 for left, right in pairwise(run))
    begin = 0
    for index, (left, right) in enumerate(pairwise(run), 1):
        if right.box.x0 - left.box.x1 > 2 * usual:
            yield _join_letters(run[begin:index])
            begin = index
    yield _join_letters(run[begin:])


def _join_letters(letters: Sequence[Word]) -> Word:
    box = letters[0].box
    for letter in letters[1:]:
        box = box.joined(letter.box)
    first = letters[0]
    return Word("".join(letter.text for letter in letters), box, first.size, first.bold)
