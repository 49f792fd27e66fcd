"""The comparables of queries, as the arrays that the mixture is computed from."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from app.service.pricing.estimator.candidates import Candidates, Codes, Flags, Floats, Rows
from app.service.pricing.estimator.hedonic_adjustment import (
    MAX_EXTRAPOLATION_DAYS,
    HedonicAdjustment,
    compute_adjustment,
)
from app.service.pricing.estimator.hedonic_model import HedonicModel
from app.service.pricing.estimator.pack_size import compare_packs
from app.service.pricing.estimator.similarity import YEAR, Similarity, measure_similarity
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
    """Arrays with one row a query (few in an estimate, thousands in learning) and `MAX_COMPARABLES` columns.

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
    """Queries compared with their candidates: `rows` has the positions of the closest, a row for each query
    and the best first, with their similarity. `candidates` are all of them, with the price and the quantity
    of another pack counted in packs of the queries'."""

    rows: Rows
    similarity: Similarity
    evidence: Evidence
    candidates: Candidates


def compare_candidates(
    queries: Candidates, candidates: Candidates, model: HedonicModel, frequencies: DocumentFrequencies
) -> Comparison:
    """Select the most relevant of at least one candidate for each of the queries, which differ in quantity,
    term and purchase type alone, and compute their evidence."""
    known = frequencies if frequencies.texts else compute_frequencies(tuple(candidates.texts))
    similarity = measure_similarity(queries, candidates, known)
    candidates, similarity, converted = _count_in_packs_of(queries, candidates, similarity, known)
    if model.numbers:
        adjustment = compute_adjustment(
            queries, candidates, model, similarity.same_product[0], in_packs_of_query=converted
        )
    else:
        # Without a fitted model the query's price is taken to be the candidates' mean.
        zeros = np.zeros((len(queries), len(candidates)))
        adjustment = HedonicAdjustment(zeros, zeros, np.full(len(queries), candidates.log_rate.mean()))
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
    number, count = rows.shape
    each = np.arange(number, dtype=np.intp)[:, None]
    closest = similarity.take(rows)
    pairs = np.zeros((number, MAX_COMPARABLES, len(PAIR_FEATURES)))
    larger = queries.log_quantity[:, None] - candidates.log_quantity[rows]
    shift = adjustment.adjustment[each, rows]
    pairs[:, :count] = _pair_features(closest, shift, _count_equal_prices(candidates.log_rate[rows]), larger)
    evidence = Evidence(
        pair_features=pairs,
        query_features=_query_features(closest),
        present=np.broadcast_to(np.arange(MAX_COMPARABLES) < count, (number, MAX_COMPARABLES)),
        log_rate=_pad(candidates.log_rate[rows]),
        adjustment=_pad(shift),
        hedonic_estimate=adjustment.query_estimate + adjustment.unstated[each, rows].mean(axis=1),
    )
    return Comparison(rows, closest, evidence, candidates)


def _count_in_packs_of(
    queries: Candidates, candidates: Candidates, similarity: Similarity, frequencies: DocumentFrequencies
) -> tuple[Candidates, Similarity, Flags | None]:
    """The candidates whose wording states another pack than the queries', in packs of theirs: their price
    for as many pieces, and their quantity as so many packs. They count as having another unit. With the flags
    of those whose price was converted."""
    packs = compare_packs(
        queries,
        candidates,
        frequencies,
        same_product=similarity.same_product[0] > 0,
        text_similarity=similarity.text[0],
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
        other_pack=np.broadcast_to(packs.is_other, similarity.other_pack.shape),
        text=np.maximum(similarity.text, packs.likeness),
        same_unit=np.where(packs.is_other, 0.0, similarity.same_unit),
        quantity_gap=np.abs(candidates.log_quantity - queries.log_quantity[:, None]),
    )
    return candidates, similarity, packs.log_ratio != 0


def _choose_closest(relevance: Floats, order: Codes) -> Rows:
    """The positions of the most relevant candidates for each query, the best first; those that an order has
    too many of come last, and are left out where there are enough of others."""
    ranked = np.argsort(-relevance, axis=1, kind="stable")
    if not order.any():
        return ranked[:, :MAX_COMPARABLES]
    each, codes = np.arange(len(ranked))[:, None], order[ranked]
    by_order = np.argsort(codes, axis=1, kind="stable")
    sorted_codes = codes[each, by_order]
    places = np.arange(codes.shape[1], dtype=np.intp)
    begins = np.ones(codes.shape, dtype=np.bool_)
    begins[:, 1:] = sorted_codes[:, 1:] != sorted_codes[:, :-1]
    is_surplus = np.empty(codes.shape, dtype=np.bool_)
    first = np.maximum.accumulate(np.where(begins, places, 0), axis=1)
    is_surplus[each, by_order] = (places - first >= MAX_OF_ONE_ORDER) & (sorted_codes != 0)
    return ranked[each, np.argsort(is_surplus, axis=1, kind="stable")[:, :MAX_COMPARABLES]]


def _count_equal_prices(log_rate: Floats) -> Floats:
    """How many prices of a row are each one's own, itself included."""
    gaps = np.abs(log_rate[:, :, None] - log_rate[:, None, :])
    return (gaps < _EQUAL_PRICE).sum(axis=2).astype(np.float64)


def _pad(values: Floats) -> Floats:
    padded = np.repeat(values[:, :1], MAX_COMPARABLES, axis=1)
    padded[:, : values.shape[1]] = values
    return padded


def _pair_features(similarity: Similarity, shift: Floats, equal_prices: Floats, larger: Floats) -> Floats:
    """`shift` is the adjustment of each, `equal_prices` how many have its price, and `larger` by how much the
    query's ln quantity is larger than its own."""
    same, other = similarity.same_product, 1.0 - similarity.same_product
    # What years without any purchase do was not seen in learning, whose purchases mostly follow others soon.
    unseen = np.maximum(similarity.years.min(axis=1, keepdims=True) - MAX_EXTRAPOLATION_DAYS / YEAR, 0.0)
    quantity, years = np.minimum(similarity.quantity_gap, 4.0), np.log1p(4.0 * (similarity.years - unseen))
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
            np.ones(same.shape),
        ],
        axis=2,
    )


def _query_features(similarity: Similarity) -> Floats:
    best, same = similarity.text.max(axis=1), similarity.same_product.sum(axis=1)
    return np.stack([np.ones(len(best)), best, best**2, same > 0, np.log1p(same)], axis=1)
