"""How like past purchases are to what is asked, in parts that a person can follow."""

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
    """One entry for each candidate. Flags are 0 or 1, `wording` and `dimensions` shares from 0 to 1,
    gaps are never negative: `quantity_gap` and `term_gap` in ln, `years` between the purchase and the
    day of the estimate.
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

    def take(self, rows: Rows) -> "Similarity":
        """The entries at these positions."""
        return Similarity(*(getattr(self, name)[rows] for name in self.__slots__))


def measure_similarity(asked: Candidates, candidates: Candidates, rarity: DocumentFrequencies) -> Similarity:
    """Compare each candidate with the query, which is the only entry of `asked`."""
    equal = _equal_facets(asked, candidates)
    same_product = equal["product"] | equal["product_key"]
    wording = rarity.similarities_to(asked.texts[0], candidates.texts)[candidates.text]
    both = (candidates.term > 0) & bool(asked.term[0] > 0)
    term_gap = np.zeros(len(candidates))
    term_gap[both] = np.abs(np.log(candidates.term[both] / asked.term[0]))
    other_type = (
        (candidates.renewal >= 0) & (asked.renewal[0] >= 0) & (candidates.renewal != asked.renewal[0])
    )
    return Similarity(
        same_product=same_product.astype(np.float64),
        text=np.where(same_product, 1.0, wording),
        same_supplier=equal["supplier"].astype(np.float64),
        same_unit=equal["unit"].astype(np.float64),
        same_family=equal["product_family"].astype(np.float64),
        same_brand=equal["brand"].astype(np.float64),
        same_purchase_type=1.0 - other_type,
        dimensions=_shared_dimensions(asked, candidates, equal),
        quantity_gap=np.abs(candidates.log_quantity - asked.log_quantity[0]),
        term_gap=term_gap,
        years=np.abs(candidates.day - asked.day[0]) / YEAR,
    )


def _shared_dimensions(
    asked: Candidates, candidates: Candidates, equal_facets: Mapping[str, Flags]
) -> Floats:
    """The share of the query's values that each candidate has too."""
    equal = np.zeros(len(candidates))
    count = 0
    for facet in _DIMENSIONS:
        if asked.facet(facet)[0]:
            count += 1
            equal += equal_facets[facet]
    for name, value in asked.attributes.items():
        column = candidates.attributes.get(name)
        if column is not None:
            count += 1
            equal += column == value[0]
    return equal / count if count else np.ones(len(candidates))


def _equal_facets(asked: Candidates, candidates: Candidates) -> Mapping[str, Flags]:
    """For each facet, which candidates have the query's value; what is not asked for equals nothing."""
    wanted: Codes = asked.facets[0]
    equal = ((candidates.facets == wanted) & (wanted != 0)).T
    return dict(zip(FACETS, equal, strict=True))
