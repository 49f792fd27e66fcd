"""Fits the reliability: the conformal correction of predicted probabilities, by level of similarity and by
how new the query is.

Distributional conformal prediction (Chernozhukov, Wüthrich & Zhu, PNAS 118, 2021): where past prices fell in
the distributions predicted for them shows what the probabilities really mean. By classes it is Mondrian
conformal prediction (Vovk, Gammerman & Shafer, Algorithmic Learning in a Random World, 2005), each class
shrunk to the one around it.
"""

from dataclasses import dataclass

import numpy as np

from app.service.pricing.estimator.calibration import NewnessReliability, Reliability
from app.service.pricing.estimator.candidates import Codes, Flags, Floats
from app.service.pricing.estimator.distribution import GRID, LEVELS, NEWNESSES, Level, Newness
from app.service.pricing.learning.order_groups import number_orders

_FINE = np.linspace(0.0, 1.0, 401)
_GRID: Floats = np.array(GRID, dtype=np.float64)
_OUTWARDS: Floats = np.sign(_GRID - 0.5)
# How many orders of a class move a probability half the way to what they show, and how many suppliers, whose
# orders are much alike, where the supplier is new.
_HALF_ORDERS, _HALF_SUPPLIERS = 60.0, 3.0
# How far the outermost probabilities of a new supplier are moved outwards until other suppliers show how far
# they have to be.
_UNKNOWN_SUPPLIER_SHARE = 0.75


@dataclass(frozen=True, slots=True)
class KeptAside:
    """Purchases predicted by a mixture fitted without their orders, one entry each.

    `low` and `high` are the predicted probabilities just below and just above each price, which are apart
    where the same price is expected to be repeated. `without_supplier` says that all of its supplier was left
    out, so that its supplier was new.
    """

    levels: list[Level]
    newness: list[Newness]
    low: Floats
    high: Floats
    order: Codes
    supplier: Codes
    without_supplier: Flags


def fit_reliability(kept_aside: KeptAside) -> Reliability:
    """For each level, the probabilities of `GRID`, made wider where whole orders kept aside show that they
    are too narrow. Each order counts once, however many lines it has."""
    level_of_row = np.array(kept_aside.levels)
    return {
        level: _to_tuple(
            _widen(kept_aside, (level_of_row == level) & ~kept_aside.without_supplier, _GRID, _GRID)
        )
        for level in LEVELS
    }


def fit_newness_reliability(reliability: Reliability, kept_aside: KeptAside) -> NewnessReliability:
    """For each newness and level, the `reliability` of the level, made wider where such purchases kept aside
    show that it is too narrow."""
    level_of_row, newness_of_row = np.array(kept_aside.levels), np.array(kept_aside.newness)
    fitted: dict[Newness, dict[Level, tuple[float, ...]]] = {newness: {} for newness in NEWNESSES}
    for level in LEVELS:
        parent = np.array(reliability[level], dtype=np.float64)
        for newness in NEWNESSES:
            chosen = (level_of_row == level) & (newness_of_row == newness)
            if newness == "new_supplier":
                expected = _move_outwards(parent, _UNKNOWN_SUPPLIER_SHARE)
                corrected = _widen(kept_aside, chosen, parent, expected, by_supplier=True)
            else:
                corrected = _widen(kept_aside, chosen, parent, parent)
            fitted[newness][level] = _to_tuple(corrected)
    return fitted


def measure_reliability(low: Floats, high: Floats, weights: Floats) -> Floats:
    """The probabilities of `GRID`, made wider where prices show that they are too narrow. `low` and `high`
    are the predicted probabilities just below and just above each price."""
    return _limit(_empirical(low, high, weights), _GRID)


def _widen(
    kept_aside: KeptAside, chosen: Flags, floor: Floats, prior: Floats, *, by_supplier: bool = False
) -> Floats:
    """The prior moved to what the chosen purchases show, the more the more orders (or suppliers) they are of;
    never inside `floor`."""
    if not chosen.any():
        return prior
    order = number_orders(kept_aside.order[chosen])
    weights = 1.0 / np.bincount(order)[order]
    empirical = _empirical(kept_aside.low[chosen], kept_aside.high[chosen], weights)
    if by_supplier:
        number, half = len(np.unique(kept_aside.supplier[chosen])), _HALF_SUPPLIERS
    else:
        number, half = float(weights.sum()), _HALF_ORDERS
    moved = prior + (empirical - prior) * number / (number + half)
    return _limit(moved, floor)


def _limit(probabilities: Floats, floor: Floats) -> Floats:
    """The probabilities, never decreasing and never inside `floor`."""
    outside = floor + _OUTWARDS * np.maximum(_OUTWARDS * (probabilities - floor), 0.0)
    return np.maximum.accumulate(np.clip(outside, 0.002, 0.998))


def _empirical(low: Floats, high: Floats, weights: Floats) -> Floats:
    """The predicted probabilities below which prices lay with those of `GRID`."""
    coverage = (
        np.clip((_FINE[:, None] - low) / np.maximum(high - low, 1e-9), 0.0, 1.0) @ weights / weights.sum()
    )
    return np.interp(_GRID, coverage + np.arange(len(_FINE)) * 1e-9, _FINE)


def _move_outwards(probabilities: Floats, share: float) -> Floats:
    """Move probabilities towards 0 and 1: the outermost by this share of the way, the middle not at all."""
    tail = np.minimum(probabilities, 1.0 - probabilities)
    tail = tail * (1.0 - share * (1.0 - 2.0 * tail))
    return np.where(probabilities < 0.5, tail, 1.0 - tail)


def _to_tuple(probabilities: Floats) -> tuple[float, ...]:
    return tuple(probabilities.tolist())
