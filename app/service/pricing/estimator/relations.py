"""How each comparable relates to the query: the same article, the same product, a similar one or another; and
whether its price can be compared with the query's without adjustment (like for like)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.service.pricing.estimator.candidates import Candidates, Codes, Flags, Floats
from app.service.pricing.estimator.distribution import Comparable, Level, Relation
from app.service.pricing.estimator.hedonic_model import HedonicModel
from app.service.pricing.estimator.similarity import Similarity
from app.service.pricing.estimator.similarity_level import SIMILAR_TEXT

# How many purchases with the query's value show what it costs, and the difference in ln price below which two
# values cost the same.
_MIN_PURCHASES, _SMALL_DIFFERENCE = 3, 0.2


@dataclass(frozen=True, slots=True)
class Relations:
    """One entry for each candidate: its relation to the query, whether it is like for like, and whether it is
    the product in another unit."""

    relations: list[Relation]
    like_for_like: Flags
    other_unit: Flags


def classify_relations(
    query_row: Candidates, closest: Candidates, similarity: Similarity, model: HedonicModel, centres: Floats
) -> Relations:
    """Classify how the candidates relate to the query, the only entry of `query_row`. `centres` are their ln
    prices on the query's terms. A unit that only one side states counts as another unit, because a price may
    be for the piece or for the box; so does a pack whose wording states another size."""
    same_product = _is_of_product(query_row, closest)
    same_unit = (closest.facet("unit") == query_row.facet("unit")[0]) & ~similarity.other_pack
    same_article = same_product & same_unit
    like_for_like = same_article.copy()
    for name, value in query_row.attributes.items():
        if name in query_row.numbers and not np.isnan(query_row.numbers[name][0]):
            continue
        column = closest.attributes.get(name)
        column = np.zeros(len(closest), dtype=np.uint32) if column is None else column
        same = column == value[0]
        like_for_like &= same | _differs_immaterially(
            column, int(value[0]), same_product & same_unit, closest.log_rate, centres, model
        )
        same_article &= same
    is_similar = (similarity.text >= SIMILAR_TEXT) | (similarity.same_product > 0)
    relations: list[Relation] = [
        "same_article" if exact else "same_product" if one else "similar" if near else "other"
        for exact, one, near in zip(same_article, same_product, is_similar, strict=True)
    ]
    return Relations(relations, like_for_like, (same_product & ~same_unit) | similarity.other_pack)


def _differs_immaterially(
    column: Codes, value: int, same_product: Flags, paid: Floats, centres: Floats, model: HedonicModel
) -> Flags:
    """Which candidates have another value of an attribute that makes little difference to the price, both by
    the fitted model and among the product's own purchases. Those show it where they have several values and
    cost about the same, as they were `paid` (ln) at each value or together, or where enough of them have the
    query's value to compare the others with."""
    none = np.zeros(len(column), dtype=np.bool_)
    values = np.unique(column[same_product]).tolist()
    if not model.numbers or len(values) < 2:
        return none
    effects = model.code_effects(column) - model.code_effects(np.array([value], dtype=np.uint32))
    is_small = np.abs(effects) <= _SMALL_DIFFERENCE
    paid_medians = [float(np.median(paid[same_product & (column == other)])) for other in values]
    if max(paid_medians) - min(paid_medians) <= _SMALL_DIFFERENCE:
        return is_small
    low, high = np.quantile(centres[same_product], [0.1, 0.9]).tolist()
    if len(values) >= _MIN_PURCHASES and high - low <= 2 * _SMALL_DIFFERENCE:
        return is_small
    with_query_value = same_product & (column == value)
    if with_query_value.sum() < _MIN_PURCHASES:
        return none
    median = float(np.median(centres[with_query_value]))
    equally_priced = [
        other
        for other in values
        if abs(float(np.median(centres[same_product & (column == other)])) - median) <= _SMALL_DIFFERENCE
    ]
    return is_small & np.isin(column, equally_priced)


def _is_of_product(query_row: Candidates, closest: Candidates) -> Flags:
    """Which candidates are of the query's product: by its key where it has one (a stored key belongs to one
    supplier, or to several that sell it under an identical item number), else by its name at the same
    supplier."""
    key, supplier, name = (query_row.facet(facet)[0] for facet in ("product_key", "supplier", "product"))
    if key:
        return closest.facet("product_key") == key
    return (closest.facet("supplier") == supplier) & (closest.facet("product") == name) & bool(supplier)


def displayed_level(level: Level, comparables: Sequence[Comparable]) -> Level:
    """The level to display: "repeat" only where the same article was bought, "product" only where the
    supplier's own product was, however similar the names are."""
    relations = {one.relation for one in comparables}
    if "same_article" in relations:
        return "repeat"
    if "same_product" in relations:
        return "product"
    return "similar" if level in ("repeat", "product") else level
