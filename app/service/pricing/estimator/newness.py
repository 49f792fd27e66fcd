"""How new a query is to the purchases that it is compared with: a range rests on less where supplier, product
or order are unlike any before."""

from collections.abc import Sequence

from app.service.pricing.estimator.candidates import Candidates, Rows
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


def explain_widening(newness: Newness, widened: float) -> str:
    """`No comparable purchase is from this supplier: the range was widened by 14 %.`"""
    return f"{_REASONS[newness]}: the range was widened by {100 * widened:.0f} %."
