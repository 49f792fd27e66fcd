"""Words set letter by letter: with spaces, `I N V O I C E`, `見 積 書`, or one below the other."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from app.service.documents.layout.pages import Word
from app.service.documents.lexicon.party_words import BUYER, SUPPLIER
from app.service.values.folding import fold

_FEWEST_LETTERS = 5
_FEWEST_SIGNS = 2
"""Signs of East Asia, which headers and labels set apart: `数 量`, `단 가`."""
_SIGN = re.compile(r"[\u4e00-\u9fff\uac00-\ud7af]")
"""They are written from top to bottom too, as the labels of boxes are."""
_FURTHEST_BELOW = 4
"""Letter heights between two letters of such a label."""


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


def join_stacked_labels(words: Sequence[Word]) -> tuple[Word, ...]:
    """The words of a page, those labels of a party whose letters stand one below the other put together where
    the first letter stands."""
    if words and words[0].cell is not None:
        return tuple(words)
    stacks: list[list[Word]] = []
    for letter in sorted((one for one in words if _SIGN.fullmatch(one.text)), key=lambda one: one.box.top):
        for stack in stacks:
            if _stands_below(stack[-1], letter):
                stack.append(letter)
                break
        else:
            stacks.append([letter])
    labels = {id(stack[0]): text for stack in stacks if (text := _read_label(stack))}
    within = {id(letter) for stack in stacks if id(stack[0]) in labels for letter in stack[1:]}
    return tuple(
        replace(word, text=labels.get(id(word), word.text)) for word in words if id(word) not in within
    )


def _stands_below(upper: Word, lower: Word) -> bool:
    beside = abs(upper.box.centre - lower.box.centre)
    return beside < 0.3 * upper.size and 0 < lower.box.top - upper.box.top < _FURTHEST_BELOW * upper.size


def _read_label(letters: Sequence[Word]) -> str | None:
    """What the letters make together, where it is the label of a party."""
    text = "".join(letter.text for letter in letters)
    return text if any(label.fullmatch(fold(text)) for label in (SUPPLIER, BUYER)) else None
