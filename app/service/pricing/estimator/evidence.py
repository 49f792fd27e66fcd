"""The comparables of a query, as the arrays that the mixture is computed from."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from app.service.pricing.estimator.candidates import Candidates, Codes, Flags, Floats, Rows
from app.service.pricing.estimator.hedonic_adjustment import HedonicAdjustment, compute_adjustment
from app.service.pricing.estimator.hedonic_model import HedonicModel
from app.service.pricing.estimator.pack_size import compare_packs
from app.service.pricing.estimator.similarity import Similarity, measure_similarity
from app.service.pricing.estimator.text_similarity import DocumentFrequencies, compute_frequencies

# The most relevant candidates, which an estimate is made from, and how many of one order come before those
# of others: the prices of an order were made together and say much the same.
MAX_COMPARABLES, MAX_OF_ONE_ORDER = 40, 3

# The features of a pair of comparable and query, and of a query, in the order of `MixtureCoefficients`.
PAIR_FEATURES = (
    "same product", "text", "text squared", "same supplier", "same product and supplier", "same unit",
    "same product and unit", "dimensions", "dimensions of the same product", "quantity gap",
    "quantity gap of the same product", "years", "years of the same product", "adjustment",
    "square root of adjustment", "same family", "same brand", "term gap", "same type", "price shared",
    "price shared of the same product", "larger quantity", "larger quantity of the same product", "always",
)  # fmt: skip
NEW_PAIR_FEATURES = PAIR_FEATURES[19:23]
QUERY_FEATURES = ("always", "best text", "best text squared", "any same product", "ln same products")

# Prices whose ln differs by less are the same: a rounding.
_EQUAL_PRICE = 0.002


@dataclass(frozen=True, slots=True)
class Evidence:
    """Arrays with one row a query (one in an estimate, thousands in learning) and `MAX_COMPARABLES` columns.

    `present` is False where there are fewer candidates; `log_rate` is each comparable's ln price,
    `adjustment` what the hedonic model adds to it for the query's terms. `pair_features` has a third axis of
    `PAIR_FEATURES`. For each query, `query_features` has `QUERY_FEATURES` and `hedonic_estimate` is the ln
    price that the hedonic model predicts.
    """

    pair_features: NDArray[np.float64]
    query_features: Floats
    present: NDArray[np.bool_]
    log_rate: Floats
    adjustment: Floats
    hedonic_estimate: Floats

    @classmethod
    def concatenate(cls, parts: "Sequence[Evidence]") -> Self:
        """Join the evidence of several queries."""
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in cls.__slots__))

    def take(self, rows: Rows) -> "Evidence":
        """The evidence of the queries at these positions."""
        return Evidence(*(getattr(self, name)[rows] for name in self.__slots__))


@dataclass(frozen=True, slots=True)
class Comparison:
    """A query compared with its candidates: `rows` are the positions of the closest, with their
    similarity. `candidates` are all of them, with the price and the quantity of another pack counted in packs
    of the query's."""

    rows: Rows
    similarity: Similarity
    evidence: Evidence
    candidates: Candidates


def compare_candidates(
    query_row: Candidates, candidates: Candidates, model: HedonicModel, frequencies: DocumentFrequencies
) -> Comparison:
    """Select the most relevant of at least one candidate, and compute their evidence."""
    known = frequencies if frequencies.texts else compute_frequencies(tuple(candidates.texts))
    similarity = measure_similarity(query_row, candidates, known)
    candidates, similarity, converted = _count_in_packs_of(query_row, candidates, similarity, known)
    if model.numbers:
        adjustment = compute_adjustment(
            query_row, candidates, model, similarity.same_product, in_packs_of_query=converted
        )
    else:
        # Without a fitted model the query's price is taken to be the candidates' mean.
        zeros = np.zeros(len(candidates))
        adjustment = HedonicAdjustment(zeros, zeros, float(candidates.log_rate.mean()))
    relevance = (
        4.0 * similarity.text
        + 2.0 * similarity.same_product
        + 0.7 * similarity.same_supplier
        + similarity.same_unit
        + similarity.same_family
        + 2.0 * similarity.dimensions
        + 0.5 * similarity.same_purchase_type
        - 0.25 * similarity.quantity_gap
        - 0.3 * similarity.term_gap
        - 0.3 * similarity.years
        - 0.7 * np.minimum(np.abs(adjustment.adjustment), 3.0)
    )
    rows = _choose_closest(relevance, candidates.order)
    count = len(rows)
    closest = similarity.take(rows)
    pairs = np.zeros((1, MAX_COMPARABLES, len(PAIR_FEATURES)))
    larger = query_row.log_quantity[0] - candidates.log_quantity[rows]
    pairs[0, :count] = _pair_features(
        closest, adjustment.adjustment[rows], _count_equal_prices(candidates.log_rate[rows]), larger
    )
    evidence = Evidence(
        pair_features=pairs,
        query_features=_query_features(closest)[None, :],
        present=(np.arange(MAX_COMPARABLES) < count)[None, :],
        log_rate=_pad(candidates.log_rate[rows]),
        adjustment=_pad(adjustment.adjustment[rows]),
        hedonic_estimate=np.array([adjustment.query_estimate + adjustment.unstated[rows].mean()]),
    )
    return Comparison(rows, closest, evidence, candidates)


def _count_in_packs_of(
    query_row: Candidates, candidates: Candidates, similarity: Similarity, frequencies: DocumentFrequencies
) -> tuple[Candidates, Similarity, Flags | None]:
    """The candidates whose wording states another pack than the query's, in packs of the query's: their price
    for as many pieces, and their quantity as so many packs. They count as having another unit. With the flags
    of those whose price was converted."""
    packs = compare_packs(
        query_row,
        candidates,
        frequencies,
        same_product=similarity.same_product > 0,
        text_similarity=similarity.text,
    )
    if packs is None:
        return candidates, similarity, None
    candidates = replace(
        candidates,
        log_rate=candidates.log_rate + packs.log_ratio,
        log_quantity=candidates.log_quantity - packs.log_ratio,
    )
    similarity = replace(
        similarity,
        other_pack=packs.is_other,
        text=np.maximum(similarity.text, packs.likeness),
        same_unit=np.where(packs.is_other, 0.0, similarity.same_unit),
        quantity_gap=np.abs(candidates.log_quantity - query_row.log_quantity[0]),
    )
    return candidates, similarity, packs.log_ratio != 0


def _choose_closest(relevance: Floats, order: Codes) -> Rows:
    """The positions of the most relevant candidates, the best first; those that an order has too many of
    come last, and are left out where there are enough of others."""
    ranked = np.argsort(-relevance, kind="stable")
    codes = order[ranked]
    by_order = np.argsort(codes, kind="stable")
    place = np.empty(len(ranked), dtype=np.intp)
    place[by_order] = np.arange(len(ranked)) - np.searchsorted(codes[by_order], codes[by_order])
    few = (place < MAX_OF_ONE_ORDER) | (codes == 0)
    return np.concatenate([ranked[few], ranked[~few]])[:MAX_COMPARABLES]


def _count_equal_prices(log_rate: Floats) -> Floats:
    """How many of these prices are each one's own, itself included."""
    return (np.abs(log_rate[:, None] - log_rate) < _EQUAL_PRICE).sum(axis=1).astype(np.float64)


def _pad(values: Floats) -> Floats:
    padded = np.full((1, MAX_COMPARABLES), values[0])
    padded[0, : len(values)] = values
    return padded


def _pair_features(similarity: Similarity, shift: Floats, equal_prices: Floats, larger: Floats) -> Floats:
    """`shift` is the adjustment of each, `equal_prices` how many have its price, and `larger` by how much the
    query's ln quantity is larger than its own."""
    same, other = similarity.same_product, 1.0 - similarity.same_product
    quantity, years = np.minimum(similarity.quantity_gap, 4.0), np.log1p(4.0 * similarity.years)
    gap = np.minimum(np.abs(shift), 3.0)
    shared, larger = np.log(equal_prices), np.clip(larger, -4.0, 4.0)
    return np.stack(
        [
            same,
            other * similarity.text,
            other * similarity.text**2,
            similarity.same_supplier,
            same * similarity.same_supplier,
            similarity.same_unit,
            same * similarity.same_unit,
            similarity.dimensions,
            same * similarity.dimensions,
            quantity,
            same * quantity,
            years,
            same * years,
            gap,
            np.sqrt(gap),
            similarity.same_family,
            similarity.same_brand,
            np.minimum(similarity.term_gap, 3.0),
            similarity.same_purchase_type,
            shared,
            same * shared,
            larger,
            same * larger,
            np.ones(len(same)),
        ],
        axis=1,
    )


def _query_features(similarity: Similarity) -> Floats:
    best, same = float(similarity.text.max()), float(similarity.same_product.sum())
    return np.array([1.0, best, best**2, float(same > 0), np.log1p(same)])
