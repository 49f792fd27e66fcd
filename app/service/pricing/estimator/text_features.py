"""Product texts as hashed words and letter groups, so that different wordings of an article share buckets."""

import re
from collections.abc import Iterable
from functools import lru_cache
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

# Enough buckets that two of the few hundred words around a query rarely collide.
BUCKETS = 1 << 16

Buckets = NDArray[np.int32]

_WORDS = re.compile(r"[0-9]+(?:\.[0-9]+)?|[^\W\d_]+")
_PART_NUMBERS = re.compile(r"(?=[a-z0-9-]*[0-9])[a-z0-9][a-z0-9-]{3,}[a-z0-9]")
# A text names its article at the beginning; what follows is often terms, which do not move the price.
MAX_LENGTH = 400
_CACHED_TEXTS = 50_000

# Hash seeds that keep words, part numbers and letter groups apart.
_WORD, _PART_NUMBER, _GROUP = 1, 2, 3


def split_words(text: str) -> list[str]:
    """Split a text into lower-case words and numbers; a number is separated from adjoining letters."""
    return _WORDS.findall(text[:MAX_LENGTH].lower())


def word_bucket(word: str) -> int:
    """The bucket of one of the words of `split_words`."""
    return crc32(word.encode(), _WORD) % BUCKETS


def find_part_numbers(text: str) -> list[str]:
    """Find what looks like a part number: letters and digits in one piece of five characters or more."""
    return [code.replace("-", "") for code in _PART_NUMBERS.findall(text[:MAX_LENGTH].lower())]


@lru_cache(maxsize=_CACHED_TEXTS)
def word_buckets(text: str) -> Buckets:
    """The distinct buckets of a text's words and part numbers, ascending."""
    hashes = {crc32(word.encode(), _WORD) for word in split_words(text)}
    hashes.update(crc32(code.encode(), _PART_NUMBER) for code in find_part_numbers(text))
    return _to_buckets(hashes)


@lru_cache(maxsize=_CACHED_TEXTS)
def group_buckets(text: str) -> Buckets:
    """The distinct buckets of the groups of three letters in a text's words, ascending."""
    return _to_buckets(_letter_groups(text, (3,)))


@lru_cache(maxsize=_CACHED_TEXTS)
def long_group_buckets(text: str) -> Buckets:
    """The distinct buckets of the groups of three to five letters in a text's words, ascending."""
    return _to_buckets(_letter_groups(text, (3, 4, 5)))


def _letter_groups(text: str, sizes: tuple[int, ...]) -> set[int]:
    hashes: set[int] = set()
    for word in split_words(text):
        padded = f" {word} ".encode()
        for size in sizes:
            hashes.update([crc32(padded[at : at + size], _GROUP) for at in range(len(padded) - size + 1)])
    return hashes


def _to_buckets(hashes: Iterable[int]) -> Buckets:
    return np.array(sorted({value % BUCKETS for value in hashes}), dtype=np.int32)
