"""All past purchases of a file in memory, and which of them a query is held against.

A store answers the same question with its indexes; the limits here are those that it uses.
"""

from dataclasses import dataclass

import numpy as np

from app.service.pricing.estimator.candidates import Candidates, Codes, Flags, Ints, Rows
from app.service.pricing.estimator.text_features import BUCKETS, word_buckets
from app.service.pricing.estimator.text_similarity import DocumentFrequencies

# How many purchases are fetched by each way of finding them, the nearest in time first.
FACET_LIMITS = {
    "product": 120,
    "product_key": 60,
    "product_family": 60,
    "supplier": 60,
    "brand": 40,
    "category": 40,
}
# How many differently worded products are fetched by their words, and how many purchases of each.
MAX_TEXTS, PURCHASES_PER_TEXT = 60, 4

# A word that more texts have than this finds nothing in particular.
_MAX_TEXTS_PER_WORD = 4_000


class PurchasePool:
    """Indexes over purchases, built once."""

    def __init__(self, purchases: Candidates, rarity: DocumentFrequencies) -> None:
        self.purchases = purchases
        self.rarity = rarity
        self._by_facet = {name: _Index.of(purchases.facet(name), purchases.day) for name in FACET_LIMITS}
        self._by_text = _Index.of((purchases.text + 1).astype(np.uint32), purchases.day)
        words = [word_buckets(text) for text in purchases.texts]
        text_of_word = np.repeat(np.arange(len(words)), [len(own) for own in words])
        flat = np.concatenate(words) if words else np.zeros(0, dtype=np.int32)
        order = np.argsort(flat, kind="stable")
        self._texts_by_word = text_of_word[order]
        self._word_starts = np.searchsorted(flat[order], np.arange(BUCKETS + 1))

    def find_candidates(
        self, asked: Candidates, *, past_only: bool, excluded: Flags | None = None
    ) -> Candidates:
        """The candidates for the query that is the only entry of `asked`.

        `past_only` leaves purchases of that day and later out; `left_out` flags others that are not to
        be seen. May be empty.
        """
        day = int(asked.day[0])
        found = [
            self._by_facet[name].nearest(int(asked.facet(name)[0]), day, limit, past_only)
            for name, limit in FACET_LIMITS.items()
        ]
        found += [
            self._by_text.nearest(text + 1, day, PURCHASES_PER_TEXT, past_only)
            for text in self._wordings(asked.texts[0]).tolist()
        ]
        rows = np.unique(np.concatenate(found))
        kept = self.purchases.currency[rows] == asked.currency[0]
        if excluded is not None:
            kept &= ~excluded[rows]
        return self.purchases.take(rows[kept])

    def _wordings(self, text: str) -> Rows:
        """The distinct texts that share the rarest words with this one."""
        postings: list[Rows] = []
        weights: list[np.ndarray] = []
        for bucket in word_buckets(text).tolist():
            start, end = int(self._word_starts[bucket]), int(self._word_starts[bucket + 1])
            if 0 < end - start <= _MAX_TEXTS_PER_WORD:
                postings.append(self._texts_by_word[start:end])
                weights.append(np.full(end - start, self.rarity.squared_idf[bucket]))
        if not postings:
            return np.zeros(0, dtype=np.intp)
        texts, inverse = np.unique(np.concatenate(postings), return_inverse=True)
        scores = np.bincount(inverse, weights=np.concatenate(weights))
        if len(texts) <= MAX_TEXTS:
            return texts
        return texts[np.argpartition(-scores, MAX_TEXTS - 1)[:MAX_TEXTS]]


@dataclass(frozen=True, slots=True)
class _Index:
    """Positions of purchases by code, those of one code in order of their day."""

    codes: Codes
    days: Ints
    rows: Rows

    @classmethod
    def of(cls, codes: Codes, days: Ints) -> "_Index":
        order = np.lexsort((days, codes))
        return cls(codes[order], days[order], order)

    def nearest(self, code: int, day: int, limit: int, past_only: bool) -> Rows:
        """At most `limit` purchases with this code, the nearest in time."""
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
