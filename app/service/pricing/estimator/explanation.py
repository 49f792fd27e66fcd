"""Explains an estimate to a person: the comparables with their weights, the factors that moved it, and how
each comparable relates to the query: the same article, the same product, a similar one or another; and
whether its price can be compared with the query's without adjustment (like for like)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from app.service.pricing.estimator.candidates import Candidates, Codes, Flags, Floats, Ints, Rows
from app.service.pricing.estimator.distribution import RELATIONS, Comparable, Factor, FactorName, Level
from app.service.pricing.estimator.hedonic_model import DAY, RENEWAL, TERM, VOLUME, HedonicModel
from app.service.pricing.estimator.similarity import SIMILAR_TEXT, Similarity

# Comparables shown; further ones carry hardly any weight.
MAX_SHOWN = 25
_MIN_WEIGHT = 1e-3

_FACTORS_OF_NUMBERS: dict[FactorName, str] = {
    "volume": VOLUME,
    "term": TERM,
    "renewal": RENEWAL,
    "recency": DAY,
}
_FACTORS: tuple[FactorName, ...] = (*_FACTORS_OF_NUMBERS, "dimensions")

# The weight of each part in the similarity shown; they add up to 1.
_SIMILARITY_WEIGHTS = {
    "product": 0.45,
    "dimensions": 0.2,
    "quantity": 0.1,
    "term": 0.1,
    "recency": 0.1,
    "size": 0.05,
}


def explain_comparables(
    queries: Candidates,
    candidates: Candidates,
    rows: Rows,
    similarity: Similarity,
    weights: Floats,
    centres: Floats,
    log_medians: Floats,
    model: HedonicModel,
) -> list[tuple[Comparable, ...]]:
    """For each query the purchases that carry weight, the heaviest first.

    `rows` has the positions of the candidates that each query is compared with, which have this `similarity`,
    these `weights` and `centres`: their ln unit prices on the terms of the query. `log_medians` are the ln of
    the medians of the estimates."""
    total = (candidates.log_rate + candidates.log_quantity)[rows]
    supplier = (
        (similarity.same_supplier + similarity.same_unit) / 2
        if queries.facet("supplier")[0]
        else similarity.same_unit
    )
    expected = log_medians + queries.log_quantity
    parts = {
        "product": np.maximum(similarity.text, 0.6 * similarity.same_family),
        "dimensions": (2 * similarity.dimensions + supplier) / 3,
        "quantity": np.exp(-similarity.quantity_gap / 2),
        "term": np.exp(-similarity.term_gap) * (0.5 + 0.5 * similarity.same_purchase_type),
        "recency": np.exp(-similarity.years / 3),
        "size": np.exp(-np.abs(total - expected[:, None]) / 3),
    }
    overall = sum((share * parts[name] for name, share in _SIMILARITY_WEIGHTS.items()), np.zeros(rows.shape))
    # Only what is shown is taken out of the arrays: plain numbers are read faster than entries of an array.
    heaviest = np.argsort(-weights, axis=1, kind="stable")[:, :MAX_SHOWN]
    each = np.arange(len(rows), dtype=np.intp)[:, None]
    at = rows[each, heaviest]
    relations = _classify_relations(queries, candidates, rows, similarity, model, centres)
    percents = _to_percent(np.stack([overall, *parts.values()], axis=2)[each, heaviest])
    columns = (
        at,
        weights[each, heaviest],
        percents,
        np.exp(centres[each, heaviest]),
        np.exp(candidates.log_rate[at]),
        candidates.day[at],
        relations.codes[each, heaviest],
        relations.like_for_like[each, heaviest],
        relations.other_unit[each, heaviest],
        similarity.other_pack[each, heaviest],
        np.exp(candidates.log_quantity[at]).round(6),  # else 10 is a bit more than 10
        candidates.term[at],
    )
    return [
        tuple(
            Comparable(
                id=candidates.ids[int(row)],
                weight=weight,
                similarity=percent,
                parts=dict(zip(parts, part_percents, strict=True)),
                unit_price=unit_price,
                paid_unit_price=paid,
                purchase_date=date.fromordinal(day),
                relation=RELATIONS[int(relation)],
                like_for_like=like_for_like,
                other_unit=other_unit,
                other_pack=other_pack,
                quantity=quantity,
                term_months=term or None,
            )
            for (
                row,
                weight,
                (percent, *part_percents),
                unit_price,
                paid,
                day,
                relation,
                like_for_like,
                other_unit,
                other_pack,
                quantity,
                term,
            ) in zip(*of_query, strict=True)
            if weight > _MIN_WEIGHT * of_query[1][0]
        )
        for of_query in zip(*(column.tolist() for column in columns), strict=True)
    ]


def explain_factors(
    queries: Candidates,
    candidates: Candidates,
    rows: Rows,
    model: HedonicModel,
    adjustment_weights: Floats,
    weights: Floats,
) -> list[tuple[Factor, ...]]:
    """For each query what moved the estimate away from the prices of its comparables, the candidates at its
    row's positions.

    `adjustment_weights` are the comparables' `weights`, each times its adjustment share.
    """
    numbers = tuple(_FACTORS_OF_NUMBERS.values())
    asked_effects, is_asked = model.number_effects(numbers, queries)
    effects, is_known = model.number_effects(numbers, candidates)
    # A number that only one side states makes no difference.
    is_stated = is_asked[:, :, None] & is_known[:, rows]
    differences = np.where(is_stated, asked_effects[:, :, None] - effects[:, rows], 0.0)
    differences[-1] += _trend_effect(queries, candidates, model)[rows]
    of_dimensions = _attribute_effects(queries, candidates, model)[rows]
    moved = (adjustment_weights * np.concatenate([differences, of_dimensions[None]])).sum(axis=2)
    found = np.exp(moved / weights.sum(axis=1)).T.tolist()
    return [
        tuple(Factor(name, effect) for name, effect in zip(_FACTORS, of_query, strict=True))
        for of_query in found
    ]


def _trend_effect(queries: Candidates, candidates: Candidates, model: HedonicModel) -> Floats:
    """The difference in ln price that the supplier's own trend makes to each candidate of that supplier."""
    supplier = queries.facet("supplier")[0]
    effect = model.trend_effects(queries)[0] - model.trend_effects(candidates)
    return np.where(candidates.facet("supplier") == supplier, effect, 0.0)


def _attribute_effects(queries: Candidates, candidates: Candidates, model: HedonicModel) -> Floats:
    effect = np.zeros(len(candidates))
    for name in queries.attributes.keys() & candidates.attributes.keys():
        effect += model.attribute_effects(name, queries)[0] - model.attribute_effects(name, candidates)
    return effect


def _to_percent(shares: Floats) -> Ints:
    return np.rint(100 * np.clip(shares, 0.0, 1.0)).astype(np.int64)


# How many purchases with the query's value show what it costs, and the difference in ln price below which two
# values cost the same.
_MIN_PURCHASES, _SMALL_DIFFERENCE = 3, 0.2


@dataclass(frozen=True, slots=True)
class _Relations:
    """One row for each query and one column for each of its comparables: the position of its relation in
    `RELATIONS`, whether it is like for like, and whether it is the product in another unit."""

    codes: Ints
    like_for_like: Flags
    other_unit: Flags


def _classify_relations(
    queries: Candidates,
    candidates: Candidates,
    rows: Rows,
    similarity: Similarity,
    model: HedonicModel,
    centres: Floats,
) -> _Relations:
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
    return _Relations(codes, like_for_like, other_unit)


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
