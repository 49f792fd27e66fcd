"""How new a query is to the purchases that it is compared with: a range rests on less where supplier, product
or order are unlike any before, and the less the older they are."""

from collections.abc import Sequence

import numpy as np

from app.service.pricing.estimator.candidates import Candidates, Floats, Rows
from app.service.pricing.estimator.distribution import Newness
from app.service.pricing.estimator.similarity import Similarity

MIN_WIDENED = 0.005
"""A range that is wider by less is as wide as the others."""
_HALF_YEARS = 1.0
"""The age that moves the outermost probabilities half the way outwards: with it ranges hold what they should
of the later purchases of each real set."""

_REASONS: dict[Newness, str] = {
    "new_supplier": "No comparable purchase is from this supplier",
    "new_product": "No comparable purchase is of this product",
    "one_order": "All comparable purchases of this product are of one order",
    "known": "Whole orders that were kept aside cost more or less than expected",
}


def classify_newness(
    queries: Candidates, candidates: Candidates, rows: Rows, similarity: Similarity
) -> list[Newness]:
    """Classify queries of one supplier. `rows` has the positions of the `candidates` that each is compared
    with, which have this `similarity`. Without a supplier of its own a query is no supplier's first."""
    supplier = queries.facet("supplier")[0]
    if supplier and not (candidates.facet("supplier") == supplier).any():
        return ["new_supplier"] * len(queries)
    orders: list[list[int]] = candidates.order[rows].tolist()
    same_products: list[list[bool]] = (similarity.same_product > 0).tolist()
    return [
        _classify_orders([order for order, is_same in zip(*each, strict=True) if is_same])
        for each in zip(orders, same_products, strict=True)
    ]


def _classify_orders(orders: Sequence[int]) -> Newness:
    """Classify by the orders of the product's own purchases; 0 is an order of its own."""
    if not orders:
        return "new_product"
    return "one_order" if orders.count(0) + len(set(orders) - {0}) == 1 else "known"


def widen_by_age(probabilities: Floats, newness: Newness, years: float) -> Floats:
    """The predicted probabilities of a new product or supplier, moved outwards by how many years old the
    newest of the purchases is. A product that was bought before is mostly bought at its price again."""
    if newness not in ("new_supplier", "new_product"):
        return probabilities
    return move_outwards(probabilities, years / (years + _HALF_YEARS))


def move_outwards(probabilities: Floats, share: float) -> Floats:
    """Move probabilities towards 0 and 1: the outermost by this share of the way, the middle not at all."""
    tail = np.minimum(probabilities, 1.0 - probabilities)
    tail = tail * (1.0 - share * (1.0 - 2.0 * tail))
    return np.where(probabilities < 0.5, tail, 1.0 - tail)


def explain_widening(newness: Newness, widened: float) -> str:
    """`No comparable purchase is from this supplier: the range was widened by 14 %.`"""
    return f"{_REASONS[newness]}: the range was widened by {100 * widened:.0f} %."
