"""How sure the best comparable makes an estimate."""

from app.service.pricing.estimator.distribution import Level
from app.service.pricing.estimator.similarity import Similarity

# Shares of common wording, weighted by rarity, from which two texts mean much the same, or the same kind.
MUCH_ALIKE, SOMEWHAT_ALIKE = 0.55, 0.3


def level_of(found: Similarity) -> Level:
    """The level of an estimate that rests on comparables of this similarity."""
    if bool((found.same_product * found.same_supplier).any()):
        return "repeat"
    if bool(found.same_product.any()):
        return "product"
    best = float(found.wording.max())
    return "similar" if best >= MUCH_ALIKE else "related" if best >= SOMEWHAT_ALIKE else "coarse"
