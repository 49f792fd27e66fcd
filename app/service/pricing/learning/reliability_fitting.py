"""Fits the reliability: the conformal correction of predicted probabilities, by level of similarity.

Distributional conformal prediction (Chernozhukov, Wüthrich & Zhu, PNAS 118, 2021): where past prices fell in
the distributions predicted for them shows what the probabilities really mean.
"""

import numpy as np

from app.service.pricing.estimator.calibration import Reliability
from app.service.pricing.estimator.candidates import Floats
from app.service.pricing.estimator.distribution import GRID, LEVELS, Level

# How many purchases of a level move a probability half the way from that of all levels together: few to make
# an interval wider, many to make it narrower.
_HALF_WEIGHT_WIDER, _HALF_WEIGHT_NARROWER = 10.0, 100.0
# Intervals are widened by this many standard errors of their coverage, so that few purchases do not make them
# too narrow.
_MARGIN_ERRORS = 0.8
_MAX_MARGIN = 0.03
_FINE = np.linspace(0.0, 1.0, 401)
_GRID: Floats = np.array(GRID, dtype=np.float64)


def fit_reliability(levels: list[Level], low: Floats, high: Floats, weights: Floats) -> Reliability:
    """For each level, the predicted probabilities at which prices really lay with those of `GRID`.

    `low` and `high` are the predicted probabilities just below and just above each price; they are apart
    where the same price is expected to be repeated.
    """
    fitted: dict[Level, tuple[float, ...]] = {}
    pooled = _corrected(low, high, weights, _GRID, margin_errors=0.0)
    level_of_row = np.array(levels)
    for level in LEVELS:
        chosen = level_of_row == level
        corrected = _corrected(
            low[chosen], high[chosen], weights[chosen], pooled, margin_errors=_MARGIN_ERRORS
        )
        fitted[level] = tuple(corrected.tolist())
    return fitted


def _corrected(low: Floats, high: Floats, weights: Floats, prior: Floats, *, margin_errors: float) -> Floats:
    if not len(low):
        return prior
    coverage = (
        np.clip((_FINE[:, None] - low) / np.maximum(high - low, 1e-9), 0.0, 1.0) @ weights / weights.sum()
    )
    coverage = coverage + np.arange(len(_FINE)) * 1e-9
    empirical = np.interp(_GRID, coverage, _FINE)
    number = float(weights.sum() ** 2 / (weights @ weights))
    outwards = np.sign(_GRID - 0.5)
    half = np.where((empirical - prior) * outwards > 0, _HALF_WEIGHT_WIDER, _HALF_WEIGHT_NARROWER)
    corrected = prior + (empirical - prior) * number / (number + half)
    corrected += outwards * np.minimum(margin_errors * np.sqrt(_GRID * (1 - _GRID) / number), _MAX_MARGIN)
    return np.maximum.accumulate(np.clip(corrected, 0.002, 0.998))
