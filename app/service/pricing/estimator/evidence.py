"""The comparables of one query, and what their prices may be taken to say."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from app.service.pricing.estimator.candidates import Candidates, Floats, Rows
from app.service.pricing.estimator.hedonic_adjustment import HedonicAdjustment, compute_adjustment
from app.service.pricing.estimator.hedonic_model import HedonicModel
from app.service.pricing.estimator.similarity import Similarity, measure_similarity
from app.service.pricing.estimator.text_similarity import DocumentFrequencies

# Comparables that an estimate looks at closely, the most promising ones of all candidates.
MAX_COMPARABLES = 40

# What the features of a comparable and of a query are; the order is that of `Mixture`'s coefficients.
PAIR_FEATURES = (
    "same product", "wording", "wording squared", "same supplier", "same product and supplier", "same unit",
    "same product and unit", "dimensions", "dimensions of the same product", "quantity gap",
    "quantity gap of the same product", "years", "years of the same product", "worth gap",
    "square root of worth gap", "same family", "same brand", "term gap", "same type", "always",
)  # fmt: skip
QUERY_FEATURES = ("always", "best wording", "best wording squared", "any same product", "ln same products")


@dataclass(frozen=True, slots=True)
class Evidence:
    """`queries` by `CLOSEST` arrays (one query in an estimate, thousands in learning).

    `present` is False where there are fewer candidates. `log_rate` is each comparable's ln price,
    `shift` what the query is worth more than it, `worth` (one for each query) what the query is worth.
    """

    pair_features: NDArray[np.float64]
    query_features: Floats
    present: NDArray[np.bool_]
    log_rate: Floats
    adjustment: Floats
    hedonic_estimate: Floats

    @classmethod
    def concatenate(cls, parts: "Sequence[Evidence]") -> Self:
        """The evidence of several queries as one."""
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in cls.__slots__))


@dataclass(frozen=True, slots=True)
class Comparison:
    """A query held against its candidates: `rows` are the closest, with their similarity."""

    rows: Rows
    similarity: Similarity
    evidence: Evidence


def compare_candidates(
    asked: Candidates, candidates: Candidates, worth: HedonicModel, rarity: DocumentFrequencies
) -> Comparison:
    """Find the closest candidates (at least one is there) and what each of them says."""
    found = measure_similarity(
        asked, candidates, rarity if rarity.texts else DocumentFrequencies.from_texts(candidates.texts)
    )
    if worth.numbers:
        apart = compute_adjustment(asked, candidates, worth, found.same_product)
    else:
        # Nothing is learnt yet: what is asked is worth what the candidates are.
        none = np.zeros(len(candidates))
        apart = HedonicAdjustment(none, none, float(candidates.log_rate.mean()))
    promise = (
        4.0 * found.text
        + 2.0 * found.same_product
        + 0.7 * found.same_supplier
        + found.same_unit
        + found.same_family
        + 2.0 * found.dimensions
        + 0.5 * found.same_purchase_type
        - 0.25 * found.quantity_gap
        - 0.3 * found.term_gap
        - 0.3 * found.years
        - 0.7 * np.minimum(np.abs(apart.adjustment), 3.0)
    )
    number = min(MAX_COMPARABLES, len(candidates))
    rows = np.argpartition(-promise, number - 1)[:number]
    rows = rows[np.argsort(-promise[rows], kind="stable")]
    close = found.take(rows)
    pairs = np.zeros((1, MAX_COMPARABLES, len(PAIR_FEATURES)))
    pairs[0, :number] = _pair_features(close, apart.adjustment[rows])
    evidence = Evidence(
        pair_features=pairs,
        query_features=_query_features(close)[None, :],
        present=(np.arange(MAX_COMPARABLES) < number)[None, :],
        log_rate=_pad(candidates.log_rate[rows]),
        adjustment=_pad(apart.adjustment[rows]),
        hedonic_estimate=np.array([apart.query_estimate + apart.unstated[rows].mean()]),
    )
    return Comparison(rows, close, evidence)


def _pad(values: Floats) -> Floats:
    padded = np.full((1, MAX_COMPARABLES), values[0])
    padded[0, : len(values)] = values
    return padded


def _pair_features(found: Similarity, shift: Floats) -> Floats:
    same, other = found.same_product, 1.0 - found.same_product
    quantity, years = np.minimum(found.quantity_gap, 4.0), np.log1p(4.0 * found.years)
    gap = np.minimum(np.abs(shift), 3.0)
    return np.stack(
        [
            same,
            other * found.text,
            other * found.text**2,
            found.same_supplier,
            same * found.same_supplier,
            found.same_unit,
            same * found.same_unit,
            found.dimensions,
            same * found.dimensions,
            quantity,
            same * quantity,
            years,
            same * years,
            gap,
            np.sqrt(gap),
            found.same_family,
            found.same_brand,
            np.minimum(found.term_gap, 3.0),
            found.same_purchase_type,
            np.ones(len(same)),
        ],
        axis=1,
    )


def _query_features(found: Similarity) -> Floats:
    best, same = float(found.text.max()), float(found.same_product.sum())
    return np.array([1.0, best, best**2, float(same > 0), np.log1p(same)])
