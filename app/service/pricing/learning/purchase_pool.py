"""Past purchases in memory, indexed to find the candidates of a query.

The counterpart in the database is `pricing/store.py`, with similar limits.
"""

from dataclasses import dataclass

import numpy as np

from app.service.pricing.estimator.candidates import Candidates, Codes, Flags, Ints, Rows
from app.service.pricing.estimator.text_features import BUCKETS, word_buckets
from app.service.pricing.estimator.text_similarity import DocumentFrequencies

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
        self._by_facet = {name: _Index.of(purchases.facet(name), purchases.day) for name in FACET_LIMITS}
        self._by_text = _Index.of((purchases.text + 1).astype(np.uint32), purchases.day)
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
        day = int(query_row.day[0])
        rows_found = [
            self._by_facet[name].nearest(int(query_row.facet(name)[0]), day, limit, past_only)
            for name, limit in FACET_LIMITS.items()
        ]
        rows_found += [
            self._by_text.nearest(text + 1, day, PURCHASES_PER_TEXT, past_only)
            for text in self._similar_texts(query_row.texts[0]).tolist()
        ]
        rows = np.unique(np.concatenate(rows_found))
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


@dataclass(frozen=True, slots=True)
class _Index:
    """The positions of purchases sorted by code, and by day within a code."""

    codes: Codes
    days: Ints
    rows: Rows

    @classmethod
    def of(cls, codes: Codes, days: Ints) -> "_Index":
        order = np.lexsort((days, codes))
        return cls(codes[order], days[order], order)

    def nearest(self, code: int, day: int, limit: int, past_only: bool) -> Rows:
        """The positions of at most `limit` purchases with this code, the nearest in time."""
        if code == 0:
            return self.rows[:0]
        start, end = np.searchsorted(self.codes, (code, code + 1)).tolist()
        if past_only:
            end = start + int(np.searchsorted(self.days[start:end], day))
            return self.rows[max(start, end - limit) : end]
        if end - start <= limit:
            return self.rows[start:end]
        gaps = np.abs(self.days[start:end] - day)
        return self.rows[start:end][np.argpartition(gaps, limit - 1)[:limit]]
