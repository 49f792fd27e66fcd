"""Product texts as hashed words and letter groups, so that other wordings of an article meet."""

import re
from collections.abc import Iterable
from functools import lru_cache
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

# Enough that two of the few hundred words around a query rarely share a bucket.
BUCKETS = 1 << 16

Buckets = NDArray[np.int32]

_WORDS = re.compile(r"[0-9]+(?:\.[0-9]+)?|[^\W\d_]+")
_CODES = re.compile(r"(?=[a-z0-9-]*[0-9])[a-z0-9][a-z0-9-]{3,}[a-z0-9]")
# A text names its article at its beginning; what follows a page of terms does not move the price.
_LONGEST = 400
_KEPT_TEXTS = 50_000

# Seeds that keep words, part numbers and letter groups in buckets of their own.
_WORD, _CODE, _GROUP = 1, 2, 3


def words_of(text: str) -> list[str]:
    """Lower-case words and numbers of a text, a number apart from the letters it is written with."""
    return _WORDS.findall(text[:_LONGEST].lower())


def word_bucket(word: str) -> int:
    """The bucket of a word as `words_of` has it."""
    return crc32(word.encode(), _WORD) % BUCKETS


def codes_of(text: str) -> list[str]:
    """What looks like a part number: letters and digits in one piece, five signs or more."""
    return [code.replace("-", "") for code in _CODES.findall(text[:_LONGEST].lower())]


@lru_cache(maxsize=_KEPT_TEXTS)
def word_buckets(text: str) -> Buckets:
    """The distinct buckets of a text's words and part numbers, ascending."""
    found = {crc32(word.encode(), _WORD) for word in words_of(text)}
    found.update(crc32(code.encode(), _CODE) for code in codes_of(text))
    return _buckets(found)


@lru_cache(maxsize=_KEPT_TEXTS)
def group_buckets(text: str) -> Buckets:
    """The distinct buckets of the groups of three letters in a text's words, ascending."""
    return _buckets(_groups(text, (3,)))


@lru_cache(maxsize=_KEPT_TEXTS)
def long_group_buckets(text: str) -> Buckets:
    """The distinct buckets of the groups of three to five letters in a text's words, ascending."""
    return _buckets(_groups(text, (3, 4, 5)))


def _groups(text: str, sizes: tuple[int, ...]) -> set[int]:
    found: set[int] = set()
    for word in words_of(text):
        framed = f" {word} ".encode()
        for size in sizes:
            found.update([crc32(framed[at : at + size], _GROUP) for at in range(len(framed) - size + 1)])
    return found


def _buckets(hashes: Iterable[int]) -> Buckets:
    return np.array(sorted({value % BUCKETS for value in hashes}), dtype=np.int32)
