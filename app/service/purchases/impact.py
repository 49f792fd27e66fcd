"""Whether past purchases show that a dimension moves the price: a test of rank correlation for numbers, of
variance between groups for choices, on the logarithm of the price of a unit. Pure."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

ENOUGH = 5
"""Purchases without which nothing is known."""
SIGNIFICANT = 2.6
"""Standard errors of a correlation; 1 in 100 dimensions without effect passes."""
SIGNIFICANT_F = 4.0
"""Variance between the choices, as a multiple of that within them."""

Floats = NDArray[np.float64]


def number_matters(values: Floats, log_price: Floats) -> bool:
    """`values` NaN where a purchase has none."""
    known = ~np.isnan(values)
    count = int(known.sum())
    if count < ENOUGH:
        return False
    ranks, prices = _ranks(values[known]), _ranks(log_price[known])
    if ranks.std() == 0 or prices.std() == 0:
        return False
    correlation = float(np.corrcoef(ranks, prices)[0, 1])
    return abs(correlation) * np.sqrt(count - 1) > SIGNIFICANT


def choice_matters(values: Sequence[str | None], log_price: Floats) -> bool:
    """`values` None where a purchase has none."""
    known = np.array([value is not None for value in values], dtype=np.bool_)
    _, groups = np.unique([value for value in values if value is not None], return_inverse=True)
    count, choices = int(known.sum()), int(groups.max()) + 1 if known.any() else 0
    if count < ENOUGH or choices < 2 or count - choices < 3:
        return False
    prices = log_price[known]
    sizes = np.bincount(groups)
    means = np.bincount(groups, prices) / sizes
    between = float((sizes * (means - prices.mean()) ** 2).sum()) / (choices - 1)
    within = float(((prices - means[groups]) ** 2).sum()) / (count - choices)
    return between > max(SIGNIFICANT_F * within, 1e-12)


def _ranks(values: Floats) -> Floats:
    """Ranks from 0, equal values sharing their mean."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return (ends - (counts + 1) / 2)[inverse]
