"""How like a past purchase is to what is asked: in parts that a person can follow, and as a weight."""

from dataclasses import dataclass
from datetime import date

import numpy as np

from app.service.pricing.candidates import UNKNOWN, Candidates, Floats, code_of
from app.service.pricing.distribution import Level
from app.service.pricing.query import PriceQuery
from app.service.pricing.words import BUCKETS, gram_buckets, word_buckets

YEAR = 365.25
PARTS = ("product", "dimensions", "quantity", "term", "recency", "size")
# Facets that say which article it is, beside the attributes that say how it is configured.
_DIMENSIONS = ("supplier", "brand", "category", "unit")


@dataclass(frozen=True, slots=True)
class Similarity:
    """Parts from 0 to 1, each an array with one entry for each candidate."""

    product: Floats
    dimensions: Floats
    quantity: Floats
    term: Floats
    recency: Floats
    same_product: np.ndarray[tuple[int], np.dtype[np.bool_]]
    same_supplier: np.ndarray[tuple[int], np.dtype[np.bool_]]

    @property
    def weight(self) -> Floats:
        """The weight of each candidate, above 0: recency lowers it and never takes it away."""
        return (
            np.exp(7.0 * (self.product - 1.0))
            * np.exp(4.0 * (self.dimensions - 1.0))
            * (0.1 + self.quantity)
            * (0.1 + self.term)
            * (0.02 + self.recency**2)
        )


def similarity(query: PriceQuery, candidates: Candidates, today: date) -> Similarity:
    """Compare each candidate with the query."""
    codes = {name: code_of(getattr(query, name)) for name in _DIMENSIONS}
    codes |= {name: code_of(value) for name, value in query.attributes.items()}
    asked = [(name, code) for name, code in codes.items() if code != UNKNOWN and name in candidates.codes]
    equal = np.zeros(len(candidates))
    for name, code in asked:
        equal += candidates.codes[name] == code
    same_product = _same(candidates, "product", query.product)
    if query.product_key:
        same_product |= _same(candidates, "product_key", query.product_key)
    wording = text_similarity(query.product, candidates)
    if query.product_family:
        wording = np.where(
            _same(candidates, "product_family", query.product_family), 0.6 + 0.4 * wording, wording
        )
    years = np.abs(candidates.day - today.toordinal()) / YEAR
    term = np.ones(len(candidates))
    if query.term_months:
        known = candidates.term > 0
        term[known] = np.exp(-np.abs(np.log(candidates.term[known] / query.term_months)))
    return Similarity(
        product=np.where(same_product, 1.0, 0.97 * wording),
        dimensions=equal / len(asked) if asked else np.ones(len(candidates)),
        quantity=np.exp(-np.abs(candidates.log_quantity - np.log(query.quantity)) / 2),
        term=term,
        recency=np.exp(-years / 2),
        same_product=same_product,
        same_supplier=_same(candidates, "supplier", query.supplier),
    )


def text_similarity(text: str, candidates: Candidates) -> Floats:
    """The cosine between the query's text and each candidate's, rare words counting more."""
    words = _cosines(word_buckets(text), [word_buckets(other) for other in candidates.texts])
    grams = _cosines(gram_buckets(text), [gram_buckets(other) for other in candidates.texts])
    return ((words + grams) / 2)[candidates.text]


def _cosines(
    asked: np.ndarray[tuple[int], np.dtype[np.int32]],
    others: list[np.ndarray[tuple[int], np.dtype[np.int32]]],
) -> Floats:
    sizes = np.array([len(other) for other in others])
    if not len(asked) or not sizes.any():
        return np.zeros(len(others))
    flat = np.concatenate(others)
    frequency = np.bincount(flat, minlength=BUCKETS)
    rarity = np.log((len(others) + 1.0) / (frequency + 0.5)) ** 2
    rarity[rarity < 0.01] = 0.01
    wanted = np.zeros(BUCKETS, dtype=np.bool_)
    wanted[asked] = True
    starts = np.minimum(np.cumsum(sizes) - sizes, len(flat) - 1)
    shared = np.add.reduceat(np.where(wanted[flat], rarity[flat], 0.0), starts)
    norms = np.add.reduceat(rarity[flat], starts)
    cosines = shared / np.sqrt(np.maximum(norms, 1e-12) * rarity[asked].sum())
    return np.where(sizes > 0, np.minimum(cosines, 1.0), 0.0)


def _same(
    candidates: Candidates, facet: str, value: str | None
) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    column = candidates.codes.get(facet)
    code = code_of(value)
    if column is None or code == UNKNOWN:
        return np.zeros(len(candidates), dtype=np.bool_)
    return column == code


def level_of(found: Similarity) -> Level:
    """How sure the best comparable makes the estimate."""
    if bool((found.same_product & found.same_supplier).any()):
        return "repeat"
    if bool(found.same_product.any()):
        return "product"
    best = float(found.product.max())
    return "similar" if best >= 0.6 else "related" if best >= 0.3 else "coarse"
