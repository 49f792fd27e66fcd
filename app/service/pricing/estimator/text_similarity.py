"""The similarity of two product texts: cosines weighted by inverse document frequency.

Product texts as hashed words and letter groups, so that different wordings of an article share buckets.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Self
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

# Enough buckets that two of the few hundred words around a query rarely collide.
BUCKETS = 1 << 16

_Buckets = NDArray[np.int32]

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
def word_buckets(text: str) -> _Buckets:
    """The distinct buckets of a text's words and part numbers, ascending."""
    hashes = {crc32(word.encode(), _WORD) for word in split_words(text)}
    hashes.update(crc32(code.encode(), _PART_NUMBER) for code in find_part_numbers(text))
    return _to_buckets(hashes)


@lru_cache(maxsize=_CACHED_TEXTS)
def group_buckets(text: str) -> _Buckets:
    """The distinct buckets of the groups of three letters in a text's words, ascending."""
    return _to_buckets(_letter_groups(text, (3,)))


@lru_cache(maxsize=_CACHED_TEXTS)
def long_group_buckets(text: str) -> _Buckets:
    """The distinct buckets of the groups of three to five letters in a text's words, ascending."""
    return _to_buckets(_letter_groups(text, (3, 4, 5)))


def _letter_groups(text: str, sizes: tuple[int, ...]) -> set[int]:
    hashes: set[int] = set()
    for word in split_words(text):
        padded = f" {word} ".encode()
        for size in sizes:
            hashes.update([crc32(padded[at : at + size], _GROUP) for at in range(len(padded) - size + 1)])
    return hashes


def _to_buckets(hashes: Iterable[int]) -> _Buckets:
    return np.array(sorted({value % BUCKETS for value in hashes}), dtype=np.int32)


MAX_MATCHING_SHARE, MIN_MATCHING_TEXTS = 0.05, 50
"""The share of all texts, and the number, that a search by words may match: each match is then compared."""

Floats = NDArray[np.float64]

_CACHED_QUERIES, _CACHED_COUNTS = 16, 4


@dataclass(frozen=True)
class DocumentFrequencies:
    """In how many of `texts` distinct texts each bucket occurs (`counts`, an array of `BUCKETS`)."""

    texts: int
    counts: NDArray[np.float32]

    @classmethod
    def from_texts(cls, texts: Iterable[str]) -> Self:
        """Count the buckets of distinct texts."""
        known = list(texts)
        buckets = [take(text) for take in (word_buckets, group_buckets) for text in known]
        counts = np.bincount(np.concatenate(buckets), minlength=BUCKETS) if known else np.zeros(BUCKETS)
        return cls(len(known), counts.astype(np.float32))

    @cached_property
    def squared_idf(self) -> Floats:
        """The square of ln(texts / texts with the bucket), at least 0.0025."""
        # Few texts have few of the buckets: a logarithm of each of the others would be the same.
        squares = np.full(BUCKETS, self._compute_squares(np.zeros(1))[0])
        found = np.flatnonzero(self.counts)
        squares[found] = self._compute_squares(self.counts[found].astype(np.float64))
        return squares

    def _compute_squares(self, counts: Floats) -> Floats:
        return np.maximum(np.log((self.texts + 1.0) / (counts + 0.5)), 0.05) ** 2

    def distinctive_words(self, text: str) -> str:
        """The rarest words of a text, separated by blanks: as many as together match a small share of all
        texts."""
        words = list(dict.fromkeys(split_words(text)))
        if not self.texts or not words:
            return text
        counts = {word: float(self.counts[word_bucket(word)]) for word in words}
        words.sort(key=counts.__getitem__)
        limit = max(MIN_MATCHING_TEXTS, MAX_MATCHING_SHARE * self.texts)
        cumulative = np.cumsum([counts[word] for word in words])
        return " ".join(words[: max(1, int(np.searchsorted(cumulative, limit, side="right")))])

    def similarities_to(self, text: str, others: Sequence[str]) -> Floats:
        """The similarity (0 to 1) of `text` with each of `others`: the mean of the cosines by words and by
        letter groups. The array must not be changed."""
        return self._latest_similarities(text, tuple(others))

    @cached_property
    def _latest_similarities(self) -> Callable[[str, tuple[str, ...]], Floats]:
        """Many agreements on a product ask for the same similarities, one after the other."""
        return lru_cache(maxsize=_CACHED_QUERIES)(self._compute_similarities)

    def _compute_similarities(self, text: str, others: tuple[str, ...]) -> Floats:
        words = self._cosines(word_buckets(text), [word_buckets(other) for other in others])
        groups = self._cosines(group_buckets(text), [group_buckets(other) for other in others])
        return (words + groups) / 2

    def _cosines(self, query_buckets: _Buckets, others: list[_Buckets]) -> Floats:
        sizes = np.fromiter((len(other) for other in others), dtype=np.intp, count=len(others))
        filled = np.flatnonzero(sizes)
        cosines = np.zeros(len(others))
        if not len(query_buckets) or not len(filled):
            return cosines
        flat = np.concatenate(others)
        weights = self.squared_idf[flat]
        is_shared = (
            query_buckets[np.minimum(np.searchsorted(query_buckets, flat), len(query_buckets) - 1)] == flat
        )
        starts = (np.cumsum(sizes) - sizes)[filled]
        shared = np.add.reduceat(weights * is_shared, starts)
        norms = np.add.reduceat(weights, starts)
        cosines[filled] = np.minimum(shared / np.sqrt(norms * self.squared_idf[query_buckets].sum()), 1.0)
        return cosines


@lru_cache(maxsize=_CACHED_COUNTS)
def compute_frequencies(texts: tuple[str, ...]) -> DocumentFrequencies:
    """Return the frequencies in these texts. The latest are in memory: before anything is learnt, each
    estimate of a product asks for the same."""
    return DocumentFrequencies.from_texts(texts)
