"""How often the percentiles were right, and their correction: conformal, by level of similarity.

Distributional conformal prediction (Chernozhukov, Wüthrich & Zhu, PNAS 118, 2021): where the past prices
fell in the distributions told for them, that is what the probabilities really mean.
"""

import numpy as np

from app.service.pricing.estimator.calibration import Reliability
from app.service.pricing.estimator.candidates import Floats
from app.service.pricing.estimator.distribution import GRID, LEVELS, Level

# How many purchases it takes to move a probability half the way from what all levels together say:
# few to make an interval wider, many to make it narrower.
_HALF_WEIGHT_WIDER, _HALF_WEIGHT_NARROWER = 10.0, 100.0
# Intervals are wider by this many standard errors of their coverage, so that few purchases are modest.
_MARGIN_ERRORS = 0.8
_MAX_MARGIN = 0.03
_FINE = np.linspace(0.0, 1.0, 401)
_GRID: Floats = np.array(GRID, dtype=np.float64)


def fit_reliability(levels: list[Level], low: Floats, high: Floats, weights: Floats) -> Reliability:
    """For each level, the told probability at which the price really lay with each one of `GRID`.

    `low` and `high` are the told probabilities just below and just above each price: between them where
    the same price is expected to be paid again.
    """
    learnt: dict[Level, tuple[float, ...]] = {}
    everything = _corrected(low, high, weights, _GRID, modesty=0.0)
    of = np.array(levels)
    for level in LEVELS:
        chosen = of == level
        told = _corrected(low[chosen], high[chosen], weights[chosen], everything, modesty=_MARGIN_ERRORS)
        learnt[level] = tuple(told.tolist())
    return learnt


def _corrected(low: Floats, high: Floats, weights: Floats, prior: Floats, *, modesty: float) -> Floats:
    if not len(low):
        return prior
    reached = (
        np.clip((_FINE[:, None] - low) / np.maximum(high - low, 1e-9), 0.0, 1.0) @ weights / weights.sum()
    )
    reached = reached + np.arange(len(_FINE)) * 1e-9
    empirical = np.interp(_GRID, reached, _FINE)
    number = float(weights.sum() ** 2 / (weights @ weights))
    outwards = np.sign(_GRID - 0.5)
    half = np.where((empirical - prior) * outwards > 0, _HALF_WEIGHT_WIDER, _HALF_WEIGHT_NARROWER)
    told = prior + (empirical - prior) * number / (number + half)
    told += outwards * np.minimum(modesty * np.sqrt(_GRID * (1 - _GRID) / number), _MAX_MARGIN)
    return np.maximum.accumulate(np.clip(told, 0.002, 0.998))
