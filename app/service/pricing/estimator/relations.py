"""How each comparable relates to the query: the same article, the same product, a similar one or another; and
whether its price can be compared with the query's without adjustment (like for like)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.service.pricing.estimator.candidates import Candidates, Codes, Flags, Floats, Ints, Rows
from app.service.pricing.estimator.distribution import Comparable, Level
from app.service.pricing.estimator.hedonic_model import HedonicModel
from app.service.pricing.estimator.similarity import Similarity
from app.service.pricing.estimator.similarity_level import SIMILAR_TEXT

# How many purchases with the query's value show what it costs, and the difference in ln price below which two
# values cost the same.
_MIN_PURCHASES, _SMALL_DIFFERENCE = 3, 0.2


@dataclass(frozen=True, slots=True)
class Relations:
    """One row for each query and one column for each of its comparables: the position of its relation in
    `RELATIONS`, whether it is like for like, and whether it is the product in another unit."""

    codes: Ints
    like_for_like: Flags
    other_unit: Flags


def classify_relations(
    queries: Candidates,
    candidates: Candidates,
    rows: Rows,
    similarity: Similarity,
    model: HedonicModel,
    centres: Floats,
) -> Relations:
    """Classify how the candidates at each row's positions relate to its query. `centres` are their ln prices
    on the query's terms. A unit that only one side states counts as another unit, because a price may be for
    the piece or for the box; so does a pack whose wording states another size."""
    same_product = _is_of_product(queries, candidates)[rows]
    same_unit = (candidates.facet("unit") == queries.facet("unit")[0])[rows] & ~similarity.other_pack
    of_product_and_unit = same_product & same_unit
    same_article, like_for_like = of_product_and_unit.copy(), of_product_and_unit.copy()
    paid, none = candidates.log_rate[rows], np.zeros(len(candidates), dtype=np.uint32)
    for name, value in queries.attributes.items():
        if name in queries.numbers and not np.isnan(queries.numbers[name][0]):
            continue
        columns = candidates.attributes.get(name, none)[rows]
        same = columns == value[0]
        immaterial = [
            _differs_immaterially(
                columns[at], int(value[0]), of_product_and_unit[at], paid[at], centres[at], model
            )
            for at in range(len(rows))
        ]
        like_for_like &= same | np.stack(immaterial)
        same_article &= same
    is_similar = (similarity.text >= SIMILAR_TEXT) | (similarity.same_product > 0)
    other_unit = (same_product & ~same_unit) | similarity.other_pack
    codes = np.where(same_article, 0, np.where(same_product, 1, np.where(is_similar, 2, 3)))
    return Relations(codes, like_for_like, other_unit)


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


def _is_of_product(queries: Candidates, candidates: Candidates) -> Flags:
    """Which candidates are of the queries' product: by its key where it has one (a stored key belongs to one
    supplier, or to several that sell it under an identical item number), else by its name at the same
    supplier."""
    key, supplier, name = (queries.facet(facet)[0] for facet in ("product_key", "supplier", "product"))
    if key:
        return candidates.facet("product_key") == key
    is_of_name = candidates.facet("product") == name
    return (candidates.facet("supplier") == supplier) & is_of_name & bool(supplier)


def displayed_level(level: Level, comparables: Sequence[Comparable]) -> Level:
    """The level to display: "repeat" only where the same article was bought, "product" only where the
    supplier's own product was, however similar the names are."""
    relations = {one.relation for one in comparables}
    if "same_article" in relations:
        return "repeat"
    if "same_product" in relations:
        return "product"
    return "similar" if level in ("repeat", "product") else level
