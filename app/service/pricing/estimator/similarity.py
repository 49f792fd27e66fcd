"""The similarity of past purchases to a query, in parts that a person can follow."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from app.service.pricing.estimator.candidates import Candidates, Codes, Flags, Floats, Rows
from app.service.pricing.estimator.distribution import Level
from app.service.pricing.estimator.text_similarity import DocumentFrequencies
from app.service.purchase_records import FACETS

YEAR = 365.25
Value = TypeVar("Value", np.float64, np.bool_)

# The facets that count among the dimensions, beside every attribute.
_DIMENSIONS = ("product", "product_family", "brand", "category", "buyer")


@dataclass(frozen=True, slots=True)
class Similarity:
    """One row for each query and one column for each candidate. What is the same is 1 or 0; `text` and
    `dimensions` are shares (0 to 1); `quantity_gap` and `term_gap` are absolute differences in ln; `years` is
    the time between the purchase and the day of the estimate. `other_pack` says that the wordings state
    different packs: those are other units.
    """

    same_product: Floats
    text: Floats
    same_supplier: Floats
    same_unit: Floats
    same_family: Floats
    same_brand: Floats
    same_purchase_type: Floats
    dimensions: Floats
    quantity_gap: Floats
    term_gap: Floats
    years: Floats
    other_pack: Flags

    def take(self, rows: Rows) -> "Similarity":
        """The entries of each query at the positions in its row of `rows`."""
        queries = np.arange(len(rows))[:, None]
        return Similarity(*(getattr(self, name)[queries, rows] for name in self.__slots__))


def measure_similarity(
    queries: Candidates, candidates: Candidates, frequencies: DocumentFrequencies
) -> Similarity:
    """Compare each candidate with each of the queries, which differ in quantity, term and purchase type
    alone."""
    shape = len(queries), len(candidates)
    equal = _equal_facets(queries, candidates)
    same_product = equal["product"] | equal["product_key"]
    text = frequencies.similarities_to(queries.texts[0], candidates.texts)[candidates.text]
    terms, asked_terms = candidates.term, queries.term[:, None]
    renewals, asked_renewals = candidates.renewal, queries.renewal[:, None]
    ratio = np.where(terms > 0, terms, 1.0) / np.where(asked_terms > 0, asked_terms, 1.0)
    other_type = (renewals >= 0) & (asked_renewals >= 0) & (renewals != asked_renewals)

    def share(values: NDArray[Value]) -> NDArray[Value]:
        return np.broadcast_to(values, shape)

    return Similarity(
        same_product=share(same_product.astype(np.float64)),
        text=share(np.where(same_product, 1.0, text)),
        same_supplier=share(equal["supplier"].astype(np.float64)),
        same_unit=share(equal["unit"].astype(np.float64)),
        same_family=share(equal["product_family"].astype(np.float64)),
        same_brand=share(equal["brand"].astype(np.float64)),
        same_purchase_type=1.0 - other_type,
        dimensions=share(_shared_dimensions(queries, candidates, equal)),
        quantity_gap=np.abs(candidates.log_quantity - queries.log_quantity[:, None]),
        term_gap=np.where((terms > 0) & (asked_terms > 0), np.abs(np.log(ratio)), 0.0),
        years=share(np.abs(candidates.day - queries.day[0]) / YEAR),
        other_pack=share(np.zeros(len(candidates), dtype=np.bool_)),
    )


def _shared_dimensions(
    queries: Candidates, candidates: Candidates, equal_facets: Mapping[str, Flags]
) -> Floats:
    """The share of the queries' values that each candidate shares."""
    equal = np.zeros(len(candidates))
    count = 0
    for facet in _DIMENSIONS:
        if queries.facet(facet)[0]:
            count += 1
            equal += equal_facets[facet]
    for name, value in queries.attributes.items():
        column = candidates.attributes.get(name)
        if column is not None:
            count += 1
            equal += column == value[0]
    return equal / count if count else np.ones(len(candidates))


def _equal_facets(queries: Candidates, candidates: Candidates) -> Mapping[str, Flags]:
    """For each facet, which candidates have the queries' value; none where they state none."""
    codes: Codes = queries.facets[0]
    equal = ((candidates.facets == codes) & (codes != 0)).T
    return dict(zip(FACETS, equal, strict=True))


# Text similarities from which two texts name much the same article, or the same kind of article.
SIMILAR_TEXT, RELATED_TEXT = 0.55, 0.3


def classify_similarity(similarity: Similarity) -> list[Level]:
    """Classify the estimate of each query by the similarity of its comparables."""
    same_product, same_supplier = similarity.same_product, similarity.same_supplier
    is_repeat = (same_product * same_supplier).max(axis=1).tolist()
    is_product, best_text = same_product.max(axis=1).tolist(), similarity.text.max(axis=1).tolist()
    return [
        "repeat"
        if repeat
        else "product"
        if product
        else "similar"
        if text >= SIMILAR_TEXT
        else "related"
        if text >= RELATED_TEXT
        else "coarse"
        for repeat, product, text in zip(is_repeat, is_product, best_text, strict=True)
    ]
