"""Product texts as sets of hashed words and letter groups, so that other wordings of an article meet."""

import re
from collections.abc import Iterable
from functools import lru_cache
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

# Enough buckets that two of the few hundred words of a query's neighbourhood rarely share one.
BUCKETS = 1 << 15

_WORDS = re.compile(r"[0-9]+(?:\.[0-9]+)?|[^\W\d_]+")
_CODES = re.compile(r"(?=[a-z0-9-]*[0-9])[a-z0-9][a-z0-9-]{3,}[a-z0-9]")
_GRAM = 3


def words_of(text: str) -> list[str]:
    """Lower-case words and numbers of a text, a number apart from the letters it is written with."""
    return _WORDS.findall(text.lower())


def codes_of(text: str) -> list[str]:
    """What looks like a part number: letters and digits in one piece, five signs or more."""
    return [code.replace("-", "") for code in _CODES.findall(text.lower())]


@lru_cache(maxsize=200_000)
def word_buckets(text: str) -> NDArray[np.int32]:
    """The distinct buckets of a text's words and part numbers, ascending."""
    return _buckets(["w" + word for word in words_of(text)] + ["c" + code for code in codes_of(text)])


@lru_cache(maxsize=200_000)
def gram_buckets(text: str) -> NDArray[np.int32]:
    """The distinct buckets of the three-letter groups in a text's words, ascending."""
    grams: set[str] = set()
    for word in words_of(text):
        framed = f" {word} "
        grams.update(framed[at : at + _GRAM] for at in range(len(framed) - _GRAM + 1))
    return _buckets(grams)


def _buckets(tokens: Iterable[str]) -> NDArray[np.int32]:
    return np.array(sorted({crc32(token.encode()) % BUCKETS for token in tokens}), dtype=np.int32)
