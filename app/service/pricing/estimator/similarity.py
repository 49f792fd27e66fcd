"""The similarity of past purchases to a query, in parts that a person can follow."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from app.service.pricing.estimator.candidates import Candidates, Codes, Flags, Floats, Rows
from app.service.pricing.estimator.text_similarity import DocumentFrequencies
from app.service.purchase_records.query import FACETS

YEAR = 365.25

# The facets that count among the dimensions, beside every attribute.
_DIMENSIONS = ("product", "product_family", "brand", "category", "buyer")


@dataclass(frozen=True, slots=True)
class Similarity:
    """One entry for each candidate. What is the same is 1 or 0; `text` and `dimensions` are shares (0 to 1);
    `quantity_gap` and `term_gap` are absolute differences in ln; `years` is the time between the purchase and
    the day of the estimate. `other_pack` says that the wordings state different packs: those are other units.
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
        """The entries at these positions."""
        return Similarity(*(getattr(self, name)[rows] for name in self.__slots__))


def measure_similarity(
    query_row: Candidates, candidates: Candidates, frequencies: DocumentFrequencies
) -> Similarity:
    """Compare each candidate with the query, the only entry of `query_row`."""
    equal = _equal_facets(query_row, candidates)
    same_product = equal["product"] | equal["product_key"]
    text = frequencies.similarities_to(query_row.texts[0], candidates.texts)[candidates.text]
    both_state_term = (candidates.term > 0) & bool(query_row.term[0] > 0)
    term_gap = np.zeros(len(candidates))
    term_gap[both_state_term] = np.abs(np.log(candidates.term[both_state_term] / query_row.term[0]))
    other_type = (
        (candidates.renewal >= 0) & (query_row.renewal[0] >= 0) & (candidates.renewal != query_row.renewal[0])
    )
    return Similarity(
        same_product=same_product.astype(np.float64),
        text=np.where(same_product, 1.0, text),
        same_supplier=equal["supplier"].astype(np.float64),
        same_unit=equal["unit"].astype(np.float64),
        same_family=equal["product_family"].astype(np.float64),
        same_brand=equal["brand"].astype(np.float64),
        same_purchase_type=1.0 - other_type,
        dimensions=_shared_dimensions(query_row, candidates, equal),
        quantity_gap=np.abs(candidates.log_quantity - query_row.log_quantity[0]),
        term_gap=term_gap,
        years=np.abs(candidates.day - query_row.day[0]) / YEAR,
        other_pack=np.zeros(len(candidates), dtype=np.bool_),
    )


def _shared_dimensions(
    query_row: Candidates, candidates: Candidates, equal_facets: Mapping[str, Flags]
) -> Floats:
    """The share of the query's values that each candidate shares."""
    equal = np.zeros(len(candidates))
    count = 0
    for facet in _DIMENSIONS:
        if query_row.facet(facet)[0]:
            count += 1
            equal += equal_facets[facet]
    for name, value in query_row.attributes.items():
        column = candidates.attributes.get(name)
        if column is not None:
            count += 1
            equal += column == value[0]
    return equal / count if count else np.ones(len(candidates))


def _equal_facets(query_row: Candidates, candidates: Candidates) -> Mapping[str, Flags]:
    """For each facet, which candidates have the query's value; none where the query states none."""
    query_codes: Codes = query_row.facets[0]
    equal = ((candidates.facets == query_codes) & (query_codes != 0)).T
    return dict(zip(FACETS, equal, strict=True))
