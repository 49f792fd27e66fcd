"""How alike two product texts are, rare words counting more than common ones."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from app.service.pricing.estimator.text_features import (
    BUCKETS,
    Buckets,
    group_buckets,
    split_words,
    word_bucket,
    word_buckets,
)

MAX_MATCHING_SHARE, MIN_MATCHING_TEXTS = 0.05, 50
"""Texts that a search may come upon, of all; each of them is looked at."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class DocumentFrequencies:
    """How much it says that two texts share a bucket: `texts` distinct texts, `counts` of each bucket."""

    texts: int
    counts: NDArray[np.float32]

    @classmethod
    def from_texts(cls, texts: Iterable[str]) -> Self:
        """Count the buckets of distinct texts."""
        counts = np.zeros(BUCKETS, dtype=np.float32)
        number = 0
        for text in texts:
            number += 1
            counts[word_buckets(text)] += 1
            counts[group_buckets(text)] += 1
        return cls(number, counts)

    @cached_property
    def squared_idf(self) -> Floats:
        """The square of ln(texts / texts with the bucket), never quite 0."""
        idf = np.log((self.texts + 1.0) / (self.counts.astype(np.float64) + 0.5))
        return np.maximum(idf, 0.05) ** 2

    def distinctive_words(self, text: str) -> str:
        """The words of a text by which to search for it: the rarest, as many as find a small share of all."""
        words = list(dict.fromkeys(split_words(text)))
        if not self.texts or not words:
            return text
        found = {word: float(self.counts[word_bucket(word)]) for word in words}
        words.sort(key=found.__getitem__)
        most = max(MIN_MATCHING_TEXTS, MAX_MATCHING_SHARE * self.texts)
        reached = np.cumsum([found[word] for word in words])
        return " ".join(words[: max(1, int(np.searchsorted(reached, most, side="right")))])

    def similarities_to(self, text: str, others: Sequence[str]) -> Floats:
        """The mean of two cosines, by words and by groups of letters, of `text` with each of `others`."""
        words = self._cosines(word_buckets(text), [word_buckets(other) for other in others])
        groups = self._cosines(group_buckets(text), [group_buckets(other) for other in others])
        return (words + groups) / 2

    def _cosines(self, asked: Buckets, others: list[Buckets]) -> Floats:
        sizes = np.fromiter((len(other) for other in others), dtype=np.intp, count=len(others))
        filled = np.flatnonzero(sizes)
        cosines = np.zeros(len(others))
        if not len(asked) or not len(filled):
            return cosines
        flat = np.concatenate(others)
        weights = self.squared_idf[flat]
        is_asked = asked[np.minimum(np.searchsorted(asked, flat), len(asked) - 1)] == flat
        starts = (np.cumsum(sizes) - sizes)[filled]
        shared = np.add.reduceat(weights * is_asked, starts)
        norms = np.add.reduceat(weights, starts)
        cosines[filled] = np.minimum(shared / np.sqrt(norms * self.squared_idf[asked].sum()), 1.0)
        return cosines
