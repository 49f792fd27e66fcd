"""Explains an estimate to a person: the comparables with their weights, and the factors that moved it."""

from datetime import date

import numpy as np

from app.service.pricing.estimator.candidates import Candidates, Floats
from app.service.pricing.estimator.distribution import Comparable, Factor
from app.service.pricing.estimator.hedonic_model import (
    DAY,
    RENEWAL,
    TERM,
    VOLUME,
    HedonicModel,
    number_values,
)
from app.service.pricing.estimator.relations import classify_relations
from app.service.pricing.estimator.similarity import Similarity

# Comparables shown; further ones carry hardly any weight.
MAX_SHOWN = 25
_MIN_WEIGHT = 1e-3

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
    query_row: Candidates,
    closest: Candidates,
    similarity: Similarity,
    weights: Floats,
    centres: Floats,
    log_median: float,
    model: HedonicModel,
) -> tuple[Comparable, ...]:
    """The purchases that carry weight, the heaviest first.

    `closest` are the candidates compared, with their `similarity`, `weights` and `centres`: their ln unit
    prices on the terms of the query. `log_median` is the ln of the estimate's median."""
    total = closest.log_rate + closest.log_quantity
    supplier = (
        (similarity.same_supplier + similarity.same_unit) / 2
        if query_row.facet("supplier")[0]
        else similarity.same_unit
    )
    parts = {
        "product": np.maximum(similarity.text, 0.6 * similarity.same_family),
        "dimensions": (2 * similarity.dimensions + supplier) / 3,
        "quantity": np.exp(-similarity.quantity_gap / 2),
        "term": np.exp(-similarity.term_gap) * (0.5 + 0.5 * similarity.same_purchase_type),
        "recency": np.exp(-similarity.years / 3),
        "size": np.exp(-np.abs(total - log_median - query_row.log_quantity[0]) / 3),
    }
    overall = sum(
        (share * parts[name] for name, share in _SIMILARITY_WEIGHTS.items()), np.zeros(len(closest))
    )
    percents, part_percents = (
        _to_percent(overall),
        {name: _to_percent(values) for name, values in parts.items()},
    )
    unit_prices, paid_prices = np.exp(centres).tolist(), np.exp(closest.log_rate).tolist()
    quantities = np.exp(closest.log_quantity).round(6).tolist()  # else 10 is a bit more than 10
    days, terms, shares = closest.day.tolist(), closest.term.tolist(), weights.tolist()
    relations = classify_relations(query_row, closest, similarity, model, centres)
    heaviest: list[int] = np.argsort(-weights, kind="stable")[:MAX_SHOWN].tolist()
    return tuple(
        Comparable(
            id=closest.ids[row],
            weight=shares[row],
            similarity=percents[row],
            parts={name: values[row] for name, values in part_percents.items()},
            unit_price=unit_prices[row],
            paid_unit_price=paid_prices[row],
            purchase_date=date.fromordinal(days[row]),
            relation=relations.relations[row],
            like_for_like=bool(relations.like_for_like[row]),
            other_unit=bool(relations.other_unit[row]),
            other_pack=bool(similarity.other_pack[row]),
            quantity=quantities[row],
            term_months=terms[row] or None,
        )
        for row in heaviest
        if shares[row] > _MIN_WEIGHT * shares[heaviest[0]]
    )


def explain_factors(
    query_row: Candidates,
    closest: Candidates,
    model: HedonicModel,
    adjustment_weights: Floats,
    weights: Floats,
) -> tuple[Factor, ...]:
    """What moved the estimate away from the prices of its comparables.

    `adjustment_weights` are the comparables' weights, each times its adjustment share.
    """
    effects = {
        "volume": _number_effect(VOLUME, query_row, closest, model),
        "term": _number_effect(TERM, query_row, closest, model),
        "renewal": _number_effect(RENEWAL, query_row, closest, model),
        "recency": _number_effect(DAY, query_row, closest, model) + _trend_effect(query_row, closest, model),
        "dimensions": _attribute_effects(query_row, closest, model),
    }
    total = float(weights.sum())
    return tuple(
        Factor(name, float(np.exp(float(adjustment_weights @ effect) / total)))  # type: ignore[arg-type]
        for name, effect in effects.items()
    )


def _number_effect(name: str, query_row: Candidates, closest: Candidates, model: HedonicModel) -> Floats:
    """The difference in ln price that a number makes to each comparable; 0 where only one side states it."""
    effect = model.number_effects(name, query_row) - model.number_effects(name, closest)
    return np.where(
        np.isnan(number_values(name, query_row)) | np.isnan(number_values(name, closest)), 0.0, effect
    )


def _trend_effect(query_row: Candidates, closest: Candidates, model: HedonicModel) -> Floats:
    """The difference in ln price that the supplier's own trend makes to each comparable of that supplier."""
    supplier = query_row.facet("supplier")
    effect = model.trend_effects(query_row) - model.trend_effects(closest)
    return np.where(closest.facet("supplier") == supplier, effect, 0.0)


def _attribute_effects(query_row: Candidates, closest: Candidates, model: HedonicModel) -> Floats:
    effect = np.zeros(len(closest))
    for name in query_row.attributes.keys() & closest.attributes.keys():
        effect += model.attribute_effects(name, query_row) - model.attribute_effects(name, closest)
    return effect


def _to_percent(shares: Floats) -> list[int]:
    return np.rint(100 * np.clip(shares, 0.0, 1.0)).astype(np.int64).tolist()
