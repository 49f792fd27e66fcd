"""Past purchases in memory, indexed to find the candidates of a query.

The counterpart in the database is `pricing/store.py`, with similar limits.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.service.pricing.estimator.candidates import Candidates, Flags, Ints, Rows
from app.service.pricing.estimator.text_similarity import BUCKETS, DocumentFrequencies, word_buckets

# How many purchases are found by each facet, the nearest in time first.
FACET_LIMITS = {
    "product": 120,
    "product_key": 60,
    "product_family": 60,
    "supplier": 60,
    "brand": 40,
    "category": 40,
}
# How many texts are found by their words, and how many purchases of each.
MAX_TEXTS, PURCHASES_PER_TEXT = 60, 4

# A word in more texts than this is too common to search by.
_MAX_TEXTS_PER_WORD = 4_000


class PurchasePool:
    """Indexes over purchases, built once."""

    def __init__(self, purchases: Candidates, frequencies: DocumentFrequencies) -> None:
        self.purchases = purchases
        self.frequencies = frequencies
        self._index = _Index.of([*map(purchases.facet, FACET_LIMITS), purchases.text + 1], purchases.day)
        words = [word_buckets(text) for text in purchases.texts]
        text_of_word = np.repeat(np.arange(len(words)), [len(own) for own in words])
        flat = np.concatenate(words) if words else np.zeros(0, dtype=np.int32)
        order = np.argsort(flat, kind="stable")
        self._texts_by_word = text_of_word[order]
        self._word_starts = np.searchsorted(flat[order], np.arange(BUCKETS + 1))

    def find_candidates(
        self, query_row: Candidates, *, past_only: bool, excluded: Flags | None = None
    ) -> Candidates:
        """The candidates for the query, the only entry of `query_row`; may be empty.

        `past_only` leaves out purchases of its day and later, `excluded` flags others to leave out.
        """
        texts = self._similar_texts(query_row.texts[0])
        codes = np.array([query_row.facet(name)[0] for name in FACET_LIMITS], dtype=np.int64)
        rows = self._index.find_nearest(
            np.concatenate([np.arange(len(codes)), np.full(len(texts), len(codes))]),
            np.concatenate([codes, texts + 1]),
            np.concatenate([list(FACET_LIMITS.values()), np.full(len(texts), PURCHASES_PER_TEXT)]),
            day=int(query_row.day[0]),
            past_only=past_only,
        )
        kept = self.purchases.currency[rows] == query_row.currency[0]
        if excluded is not None:
            kept &= ~excluded[rows]
        return self.purchases.take(rows[kept])

    def _similar_texts(self, text: str) -> Rows:
        """The positions of the distinct texts that share the rarest words with this one."""
        postings: list[Rows] = []
        weights: list[np.ndarray] = []
        for bucket in word_buckets(text).tolist():
            start, end = int(self._word_starts[bucket]), int(self._word_starts[bucket + 1])
            if 0 < end - start <= _MAX_TEXTS_PER_WORD:
                postings.append(self._texts_by_word[start:end])
                weights.append(np.full(end - start, self.frequencies.squared_idf[bucket]))
        if not postings:
            return np.zeros(0, dtype=np.intp)
        texts, inverse = np.unique(np.concatenate(postings), return_inverse=True)
        scores = np.bincount(inverse, weights=np.concatenate(weights))
        if len(texts) <= MAX_TEXTS:
            return texts
        return texts[np.argpartition(-scores, MAX_TEXTS - 1)[:MAX_TEXTS]]


# More than the last day that a date can have.
_DAYS = 1 << 22
_CODES = 1 << 32


@dataclass(frozen=True, slots=True)
class _Index:
    """The positions of purchases, once for each column of codes, in the order of `keys`: by column, by code
    and by day."""

    keys: Ints
    rows: Rows

    @classmethod
    def of(cls, columns: Iterable[NDArray[np.integer]], days: Ints) -> "_Index":
        keys = np.concatenate([_key(at, codes.astype(np.int64), days) for at, codes in enumerate(columns)])
        order = np.argsort(keys, kind="stable")
        return cls(keys[order], order % max(len(days), 1))

    def find_nearest(self, columns: Ints, codes: Ints, limits: Ints, *, day: int, past_only: bool) -> Rows:
        """The positions, ascending, of the purchases that have one of the codes in its column: for each code
        at most its limit, the nearest in time. A code of 0 finds none."""
        columns, codes, limits = (values[codes != 0] for values in (columns, codes, limits))
        starts = np.searchsorted(self.keys, _key(columns, codes, 0))
        ends = np.searchsorted(self.keys, _key(columns, codes, day if past_only else _DAYS))
        if past_only:
            starts = np.maximum(starts, ends - limits)
        else:
            for at in np.flatnonzero(ends - starts > limits).tolist():
                starts[at] += _start_of_nearest(self.keys[starts[at] : ends[at]] % _DAYS, day, limits[at])
            ends = np.minimum(ends, starts + limits)
        sizes = ends - starts
        first = np.repeat(starts - (np.cumsum(sizes) - sizes), sizes)
        return np.unique(self.rows[first + np.arange(len(first))])


def _key(column: Ints | int, code: Ints, day: Ints | int) -> Ints:
    return (column * _CODES + code) * _DAYS + day


def _start_of_nearest(days: Ints, day: int, limit: int) -> int:
    """Where the `limit` days that are nearest to `day` begin among more that are ascending."""
    return int(np.searchsorted(days[:-limit] + days[limit:], 2 * day))
