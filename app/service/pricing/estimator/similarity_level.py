"""How sure the best comparable makes an estimate."""

from app.service.pricing.estimator.distribution import Level
from app.service.pricing.estimator.similarity import Similarity

# Shares of common wording, weighted by rarity, from which two texts mean much the same, or the same kind.
SIMILAR_TEXT, RELATED_TEXT = 0.55, 0.3


def classify_similarity(found: Similarity) -> Level:
    """The level of an estimate that rests on comparables of this similarity."""
    if bool((found.same_product * found.same_supplier).any()):
        return "repeat"
    if bool(found.same_product.any()):
        return "product"
    best = float(found.text.max())
    return "similar" if best >= SIMILAR_TEXT else "related" if best >= RELATED_TEXT else "coarse"
