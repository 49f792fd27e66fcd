"""Features of sentences and of their figures: hashed words, beginnings and pieces of words by place.

Training and prediction share them. Every feature is a number below `BUCKETS`.
"""

import re
import zlib
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from app.service.documents.fields.clause_figures import ClauseFigure
from app.service.documents.lexicon.phrases import DIFFERENT_TEXTS

Features = npt.NDArray[np.uint32]
BUCKETS = 2**15

_TOKEN = re.compile(r"[^\W\d_]+|\d+|[:%<>/(]")
_BEFORE, _AFTER = 24, 14
"""Words before and after a figure that are looked at."""
_NEAR = (1, 2, 4, 8)
"""Places by their distance from the figure in words: a word is in the first that reaches it."""
_PIECE = 4
_MIX = np.uint32(0x9E3779B1)
_MOST_TOKENS = 80


def tokenize(text: str, figures: Sequence[ClauseFigure]) -> tuple[list[str], list[int]]:
    """The words of a text with a token in the place of each figure, and the index of each figure's token."""
    tokens: list[str] = []
    places: list[int] = []
    begin = 0
    for figure in figures:
        tokens += _TOKEN.findall(text, begin, figure.start)
        places.append(len(tokens))
        tokens.append(f"<{figure.kind}>")
        begin = figure.end
    tokens += _TOKEN.findall(text, begin)
    return ["0" * min(len(token), 4) if token.isdigit() else token for token in tokens], places


@lru_cache(maxsize=DIFFERENT_TEXTS)
def _hash_word(word: str) -> Features:
    """The word, its beginnings and its pieces."""
    parts = {f"={word}"}
    if word[0].isalpha():
        framed = f"^{word}$"
        parts |= {framed[: length + 1] for length in (3, 5, 7) if len(word) > length}
        parts |= {framed[at : at + _PIECE] for at in range(len(framed) - _PIECE + 1)}
    return np.array([_hash(part) for part in sorted(parts)], np.uint32)


@lru_cache(maxsize=DIFFERENT_TEXTS)
def _hash(text: str) -> int:
    return zlib.crc32(text.encode())


def _placed(hashes: Features, place: int) -> Features:
    """The hashes as those of one place."""
    mixed = (hashes ^ np.uint32(place * 0x85EBCA6B & 0xFFFFFFFF)) * _MIX
    return mixed >> np.uint32(7)


def describe_figure(tokens: Sequence[str], at: int) -> Features:
    """The features of the figure at this token: the words around it by their distance, pairs of words."""
    first, last = max(0, at - _BEFORE), min(len(tokens), at + _AFTER + 1)
    by_place: dict[int, list[Features]] = {}
    for index in range(first, last):
        if index != at:
            hashes = _hash_word(tokens[index])
            by_place.setdefault(_place(index - at), []).append(hashes)
            by_place.setdefault(1 if index < at else 2, []).append(hashes)
    if ":" in tokens[first:at]:
        label = tokens[first : tokens.index(":", first)]
        by_place[5] = [_hash_word(word) for word in label]
    parts = [_placed(np.concatenate(hashes), place) for place, hashes in by_place.items() if hashes]
    kind = _hash(tokens[at])
    near = [_hash(" ".join(tokens[max(0, at - reach) : at + 1])) for reach in (1, 2, 3)]
    parts.append(_placed(np.array([*_hash_pairs(tokens[first : at + 1]), kind], np.uint32), 3))
    parts.append(_placed(np.array([*_hash_pairs(tokens[at:last]), *near, kind], np.uint32), 4))
    return _bucket(parts)


def _hash_pairs(tokens: Sequence[str]) -> list[int]:
    return [_hash(f"{one} {two}") for one, two in pairwise(tokens)]


def _place(distance: int) -> int:
    reach = abs(distance)
    step = next((order for order, limit in enumerate(_NEAR) if reach <= limit), len(_NEAR))
    return 10 + step * 2 + (distance > 0)


def describe_sentence(tokens: Sequence[str]) -> Features:
    """The features of a sentence: its words, and two or three of them in order, also with one between."""
    tokens = ["^", *tokens[:_MOST_TOKENS], "$"]
    words = np.concatenate([_hash_word(word) for word in tokens])
    apart = [_hash(f"{one} _ {two}") for one, two in zip(tokens, tokens[2:], strict=False)]
    threes = [_hash(" ".join(tokens[at : at + 3])) for at in range(len(tokens) - 2)]
    orders = np.array([*_hash_pairs(tokens), *apart, *threes], np.uint32)
    return _bucket([_placed(words, 6), _placed(orders, 7)])


def _bucket(parts: Sequence[Features]) -> Features:
    return np.concatenate(parts) % np.uint32(BUCKETS)
