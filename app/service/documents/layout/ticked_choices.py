"""Choices with boxes to tick: `Billing: ☐ annual ☒ monthly`."""

import re
from collections.abc import Sequence

_BOX = re.compile(
    r"(?P<ticked>[☒☑🗹🗷]|\[[xX✓✔]\]|\([xX✓✔]\))"
    r"|(?P<empty>☐|\[[ _]?\]|\([ _]\))"
    # Bullets are drawn alike, so that these count beside each other only. Letters without a name are those of
    # fonts of signs.
    r"|(?P<like_ticked>[■✓✔\uf052\uf053\uf078\uf0fc\uf0fd\uf0fe])"
    r"|(?P<like_empty>[□▢◻❏❑\uf06f\uf071\uf072\uf0a3\uf0a8])"
)
_TICKED, _EMPTY = ("ticked", "like_ticked"), ("empty", "like_empty")
_ASIDE = re.compile(r"\([^()]*\)")
_WORD = re.compile(r"\w")
_SPACE = re.compile(r"\s+")


def read_ticked(text: str) -> str:
    """What a sentence with boxes says: without boxes and the choices whose boxes are empty.

    Nothing is left where no box is ticked, or where it is not known which box is whose. A text without an
    empty box stays.
    """
    boxes = _find_boxes(text)
    if all(box.lastgroup in _TICKED for box in boxes):
        return text
    starts, ends = [0, *(box.end() for box in boxes)], [*(box.start() for box in boxes), len(text)]
    first, *others = (text[start:end] for start, end in zip(starts, ends, strict=True))
    label, colon, choice = first.rpartition(":")
    opens, closes = _has_words(choice), _has_words(others[-1])
    if closes and not (opens and colon):  # each box stands before its choice
        label, choices = first, others
    elif opens and not closes:
        label, choices = label + colon, [choice, *others[:-1]]
    else:
        return ""
    ticked = [choice for choice, box in zip(choices, boxes, strict=False) if box.lastgroup in _TICKED]
    if not ticked:
        return ""  # the label alone says nothing
    if not _has_words(label):
        label = "☒"  # a choice by itself is no sentence
    return _SPACE.sub(" ", " ".join((label, *ticked))).strip()


def find_choices(cells: Sequence[str]) -> int | None:
    """The cell of a row with which its choices begin, their label where they have one; None where no box of
    several cells is empty."""
    text = " ".join(cells)
    boxes = _find_boxes(text)
    if len(cells) < 2 or all(box.lastgroup in _TICKED for box in boxes):
        return None
    first = next(index for index, cell in enumerate(cells) if _BOX.search(cell))
    stands_behind = not _has_words(cells[first]) and not _has_words(text[boxes[-1].end() :])
    return max(0, first - (2 if stands_behind else 1))


def has_box(text: str) -> bool:
    return bool(_BOX.search(text))


def _find_boxes(text: str) -> list[re.Match[str]]:
    boxes = list(_BOX.finditer(text))
    kinds = {box.lastgroup for box in boxes}
    counted = {"ticked", "empty"}
    counted |= {"like_ticked"} if kinds.intersection(_EMPTY) else set()
    counted |= {"like_empty"} if kinds.intersection(_TICKED) else set()
    return [box for box in boxes if box.lastgroup in counted]


def _has_words(text: str) -> bool:
    return bool(_WORD.search(_ASIDE.sub("", _BOX.sub("", text))))
