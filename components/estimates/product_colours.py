"""A colour for each product among purchases, the same in every chart."""

from collections.abc import Sequence

from app.contract.pricing import SimilarPurchase
from components.elements.figure import ACCENT, GOOD, MUTED, WARN

_COLOURS = (ACCENT, WARN, "#8a63c7", GOOD, MUTED)


def assign_colours(purchases: Sequence[SimilarPurchase]) -> dict[str, str]:
    """Return a colour for each product name, in the order in which they come."""
    names = dict.fromkeys(map(join_product_names, purchases))
    return {name: _COLOURS[at % len(_COLOURS)] for at, name in enumerate(names)}


def join_product_names(purchase: SimilarPurchase) -> str:
    """Return the names of the products of a purchase."""
    return ", ".join(purchase.product_names)
