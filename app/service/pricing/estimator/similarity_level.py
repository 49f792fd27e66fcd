"""The level of similarity of an estimate's best comparable, by which its reliability is measured."""

from app.service.pricing.estimator.distribution import Level
from app.service.pricing.estimator.similarity import Similarity

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
