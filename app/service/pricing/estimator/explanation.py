"""What an estimate rests on and what moved it, for a person to follow."""

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

# Purchases shown; more of them carry hardly any weight.
MAX_SHOWN = 25
_MIN_WEIGHT = 1e-3

# What each part counts in the similarity shown; they add up to 1.
_SIMILARITY_WEIGHTS = {
    "product": 0.45,
    "dimensions": 0.2,
    "quantity": 0.1,
    "term": 0.1,
    "recency": 0.1,
    "size": 0.05,
}


def explain_comparables(
    asked: Candidates,
    close: Candidates,
    found: Similarity,
    weights: Floats,
    centres: Floats,
    middle: float,
    worth: HedonicModel,
) -> tuple[Comparable, ...]:
    """The purchases that carried weight, the heaviest first.

    `worth` is what features were learnt to be worth; `centres` are their ln unit prices on the terms of the
    query, `middle` the ln of the median estimate."""
    total = close.log_rate + close.log_quantity
    supplier = (found.same_supplier + found.same_unit) / 2 if asked.facet("supplier")[0] else found.same_unit
    parts = {
        "product": np.maximum(found.text, 0.6 * found.same_family),
        "dimensions": (2 * found.dimensions + supplier) / 3,
        "quantity": np.exp(-found.quantity_gap / 2),
        "term": np.exp(-found.term_gap) * (0.5 + 0.5 * found.same_purchase_type),
        "recency": np.exp(-found.years / 3),
        "size": np.exp(-np.abs(total - middle - asked.log_quantity[0]) / 3),
    }
    likeness = sum((share * parts[name] for name, share in _SIMILARITY_WEIGHTS.items()), np.zeros(len(close)))
    similarity, per_cents = (
        _to_percent(likeness),
        {name: _to_percent(values) for name, values in parts.items()},
    )
    unit_prices, days = np.exp(centres).tolist(), close.day.tolist()
    related = classify_relations(asked, close, found, worth, centres)
    heaviest: list[int] = np.argsort(-weights, kind="stable")[:MAX_SHOWN].tolist()
    return tuple(
        Comparable(
            id=close.ids[row],
            weight=float(weights[row]),
            similarity=similarity[row],
            parts={name: values[row] for name, values in per_cents.items()},
            unit_price=unit_prices[row],
            purchase_date=date.fromordinal(days[row]),
            relation=related.relations[row],
            like_for_like=bool(related.like_for_like[row]),
            other_unit=bool(related.other_unit[row]),
        )
        for row in heaviest
        if weights[row] > _MIN_WEIGHT * weights[heaviest[0]]
    )


def explain_factors(
    asked: Candidates, close: Candidates, worth: HedonicModel, moved: Floats, weights: Floats
) -> tuple[Factor, ...]:
    """What moved the estimate away from the prices of its comparables.

    `moved` is each comparable's weight times the share of the difference in worth that it is moved by.
    """
    moves = {
        "volume": _number_effect(VOLUME, asked, close, worth),
        "term": _number_effect(TERM, asked, close, worth),
        "renewal": _number_effect(RENEWAL, asked, close, worth),
        "recency": _number_effect(DAY, asked, close, worth),
        "dimensions": _attribute_effects(asked, close, worth),
    }
    total = float(weights.sum())
    return tuple(
        Factor(name, float(np.exp(float(moved @ move) / total)))  # type: ignore[arg-type]
        for name, move in moves.items()
    )


def _number_effect(name: str, asked: Candidates, close: Candidates, worth: HedonicModel) -> Floats:
    """What a number moves each comparable by; one that only one side states is no difference."""
    move = worth.number_effects(name, asked) - worth.number_effects(name, close)
    return np.where(np.isnan(number_values(name, asked)) | np.isnan(number_values(name, close)), 0.0, move)


def _attribute_effects(asked: Candidates, close: Candidates, worth: HedonicModel) -> Floats:
    move = np.zeros(len(close))
    for name in asked.attributes.keys() & close.attributes.keys():
        move += worth.attribute_effects(name, asked) - worth.attribute_effects(name, close)
    return move


def _to_percent(shares: Floats) -> list[int]:
    return np.rint(100 * np.clip(shares, 0.0, 1.0)).astype(np.int64).tolist()
