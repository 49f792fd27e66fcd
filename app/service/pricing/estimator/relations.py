"""How each comparable relates to what is asked: whether it is the very same article, and whether its price
may be held against the asked one as it is."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.service.pricing.estimator.candidates import Candidates, Codes, Flags, Floats
from app.service.pricing.estimator.distribution import Comparable, Level, Relation
from app.service.pricing.estimator.hedonic_model import HedonicModel
from app.service.pricing.estimator.similarity import Similarity
from app.service.pricing.estimator.similarity_level import SIMILAR_TEXT

# Purchases of the product with the asked value that say what it costs, and the difference in ln price below
# which two values cost the same.
_MIN_PURCHASES, _SMALL_DIFFERENCE = 3, 0.2


@dataclass(frozen=True, slots=True)
class Relations:
    """One entry for each candidate: how it relates to the query, whether it is like for like, and whether it
    is the product in another unit."""

    relations: list[Relation]
    like_for_like: Flags
    other_unit: Flags


def classify_relations(
    asked: Candidates, close: Candidates, found: Similarity, worth: HedonicModel, centres: Floats
) -> Relations:
    """How candidates relate to the query, the only entry of `asked`; `worth` is what attributes were learnt
    to be worth. A unit that only one side states is another unit: nobody knows whether a price is for the
    piece or for the box."""
    product = _is_of_product(asked, close)
    unit = close.facet("unit") == asked.facet("unit")[0]
    article = product & unit
    like_for_like = article.copy()
    for name, value in asked.attributes.items():
        if name in asked.numbers and not np.isnan(asked.numbers[name][0]):
            continue
        column = close.attributes.get(name)
        column = np.zeros(len(close), dtype=np.uint32) if column is None else column
        same = column == value[0]
        like_for_like &= same | _differs_immaterially(column, int(value[0]), product & unit, centres, worth)
        article &= same
    alike = (found.text >= SIMILAR_TEXT) | (found.same_product > 0)
    relations: list[Relation] = [
        "same_article" if exact else "same_product" if one else "similar" if near else "other"
        for exact, one, near in zip(article, product, alike, strict=True)
    ]
    return Relations(relations, like_for_like, product & ~unit)


def _differs_immaterially(
    column: Codes, value: int, product: Flags, centres: Floats, worth: HedonicModel
) -> Flags:
    """Which candidates have another value of an attribute that makes little difference to the price: not in
    what was learnt, and not among the product's own purchases (`centres` are their ln prices on the terms of
    the query). Those are either of several values and cost much the same whatever they have, or enough of
    them have the asked value to compare with."""
    none = np.zeros(len(column), dtype=np.bool_)
    values = np.unique(column[product]).tolist()
    if not worth.numbers or len(values) < 2:
        return none
    learnt = worth.code_effects(column) - worth.code_effects(np.array([value], dtype=np.uint32))
    little = np.abs(learnt) <= _SMALL_DIFFERENCE
    low, high = np.quantile(centres[product], [0.1, 0.9]).tolist()
    if len(values) >= _MIN_PURCHASES and high - low <= 2 * _SMALL_DIFFERENCE:
        return little
    ours = product & (column == value)
    if ours.sum() < _MIN_PURCHASES:
        return none
    middle = float(np.median(centres[ours]))
    near = [
        other
        for other in values
        if abs(float(np.median(centres[product & (column == other)])) - middle) <= _SMALL_DIFFERENCE
    ]
    return little & np.isin(column, near)


def _is_of_product(asked: Candidates, close: Candidates) -> Flags:
    """The purchases of the asked product: by its key where it has one (a store's key is of one supplier, or
    of several that sell it under an identical telling number), else by its name at the same supplier."""
    key, supplier, name = (asked.facet(facet)[0] for facet in ("product_key", "supplier", "product"))
    if key:
        return close.facet("product_key") == key
    return (close.facet("supplier") == supplier) & (close.facet("product") == name) & bool(supplier)


def displayed_level(level: Level, comparables: Sequence[Comparable]) -> Level:
    """The level that may be told of: "repeat" only where the very same article was bought, "product" only
    where the supplier's own product was, whatever the names are alike."""
    relations = {one.relation for one in comparables}
    if "same_article" in relations:
        return "repeat"
    if "same_product" in relations:
        return "product"
    return "similar" if level in ("repeat", "product") else level
