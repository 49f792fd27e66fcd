"""How new a query is to the purchases that it is compared with: a range rests on less where supplier, product
or order are unlike any before."""

import numpy as np

from app.service.pricing.estimator.candidates import Candidates
from app.service.pricing.estimator.distribution import Newness
from app.service.pricing.estimator.similarity import Similarity

MIN_WIDENED = 0.005
"""A range that is wider by less is as wide as the others."""

_REASONS: dict[Newness, str] = {
    "new_supplier": "No comparable purchase is from this supplier",
    "new_product": "No comparable purchase is of this product",
    "one_order": "All comparable purchases of this product are of one order",
    "known": "Whole orders that were kept aside cost more or less than expected",
}


def classify_newness(
    query_row: Candidates, candidates: Candidates, closest: Candidates, similarity: Similarity
) -> Newness:
    """Classify a query, the only entry of `query_row`. `closest` are those of the `candidates` that it is
    compared with, with their `similarity`. Without a supplier of its own a query is no supplier's first."""
    supplier = query_row.facet("supplier")[0]
    if supplier and not (candidates.facet("supplier") == supplier).any():
        return "new_supplier"
    orders = closest.order[similarity.same_product > 0]
    if not len(orders):
        return "new_product"
    stated = orders[orders != 0]
    return "one_order" if len(orders) - len(stated) + len(np.unique(stated)) == 1 else "known"


def explain_widening(newness: Newness, widened: float) -> str:
    """`No comparable purchase is from this supplier: the range was widened by 14 %.`"""
    return f"{_REASONS[newness]}: the range was widened by {100 * widened:.0f} %."
