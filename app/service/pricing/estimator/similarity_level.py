"""The level of similarity of an estimate's best comparable, by which its reliability is measured."""

from app.service.pricing.estimator.distribution import Level
from app.service.pricing.estimator.similarity import Similarity

# Text similarities from which two texts name much the same article, or the same kind of article.
SIMILAR_TEXT, RELATED_TEXT = 0.55, 0.3


def classify_similarity(similarity: Similarity) -> Level:
    """Classify an estimate by the similarity of its comparables."""
    if bool((similarity.same_product * similarity.same_supplier).any()):
        return "repeat"
    if bool(similarity.same_product.any()):
        return "product"
    best_text = float(similarity.text.max())
    return "similar" if best_text >= SIMILAR_TEXT else "related" if best_text >= RELATED_TEXT else "coarse"
