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
_GROUP = 3
_KEPT_TEXTS = 100_000


def words_of(text: str) -> list[str]:
    """Lower-case words and numbers of a text, a number apart from the letters it is written with."""
    return _WORDS.findall(text.lower())


def codes_of(text: str) -> list[str]:
    """What looks like a part number: letters and digits in one piece, five signs or more."""
    return [code.replace("-", "") for code in _CODES.findall(text.lower())]


@lru_cache(maxsize=_KEPT_TEXTS)
def word_buckets(text: str) -> Buckets:
    """The distinct buckets of a text's words and part numbers, ascending."""
    return _buckets(["w" + word for word in words_of(text)] + ["c" + code for code in codes_of(text)])


@lru_cache(maxsize=_KEPT_TEXTS)
def group_buckets(text: str) -> Buckets:
    """The distinct buckets of the groups of three letters in a text's words, ascending."""
    groups: set[str] = set()
    for word in words_of(text):
        framed = f" {word} "
        groups.update(framed[at : at + _GROUP] for at in range(len(framed) - _GROUP + 1))
    return _buckets(groups)


def _buckets(tokens: Iterable[str]) -> Buckets:
    return np.array(sorted({crc32(token.encode()) % BUCKETS for token in tokens}), dtype=np.int32)
