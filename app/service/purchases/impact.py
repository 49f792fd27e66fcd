"""Find the dimensions that move the price in past purchases.

The logarithm of the unit price is regressed on all dimensions together, and an F test asks of each whether
leaving it out loses more than chance. Pure numpy.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from app.contract.pricing import MIN_PURCHASES

MIN_DEGREES_OF_FREEDOM = 3
"""Degrees of freedom that the regression on all dimensions must leave."""
CRITICAL_FACTOR = 4.0
MIN_EXPLAINED_SHARE = 1e-6
"""The least share of the whole variance that an effect must explain."""
RIDGE = 1e-9

Floats = NDArray[np.float64]


def build_number_column(values: Sequence[float | None]) -> Floats:
    """Return one column: the number of each purchase, the mean where a purchase has none."""
    known = [value for value in values if value is not None]
    mean = sum(known) / len(known) if known else 0.0
    return np.array([mean if value is None else value for value in values], dtype=np.float64)[:, None]


def build_choice_columns(values: Sequence[str | None]) -> Floats:
    """Return a column of 0 and 1 for each choice made at least twice, without the most common one."""
    counted = Counter(values).most_common()
    # No value is a choice too, but gets no column: it is only what the others are compared with.
    repeated = [value for value, times in counted[1:] if times > 1 and value is not None]
    places = {value: place for place, value in enumerate(repeated)}
    columns = np.zeros((len(values), len(repeated)))
    for row, value in enumerate(values):
        place = None if value is None else places.get(value)
        if place is not None:
            columns[row, place] = 1.0
    return columns


def find_price_drivers(columns: Mapping[str, Floats], controls: Floats, log_price: Floats) -> set[str]:
    """Return the names of `columns` whose effect on the price is significant (at about 1 %) while the other
    columns and the controls are held equal. With too few purchases for that, each is tested alone."""
    if len(log_price) < MIN_PURCHASES or np.ptp(log_price) == 0:
        return set()
    blocks = {name: standard for name, column in columns.items() if (standard := _standardise(column)).size}
    standard_controls = _standardise(controls)
    fit = _LeastSquares(np.hstack([standard_controls, *blocks.values()]), log_price - log_price.mean())
    places: dict[str, list[int]] = {}
    at = standard_controls.shape[1]
    for name, block in blocks.items():
        places[name] = list(range(at, at + block.shape[1]))
        at += block.shape[1]
    if len(log_price) - 1 - at >= MIN_DEGREES_OF_FREEDOM:
        everything = range(at)
        unexplained = fit.residual_sum(everything)
        return {
            name
            for name, own in places.items()
            if fit.is_significant([i for i in everything if i not in own], len(own), unexplained)
        }
    return {name for name, own in places.items() if fit.is_significant([], len(own), fit.residual_sum(own))}


class _LeastSquares:
    """Least squares on any subset of the columns. The products of the columns are computed once, so the cost
    of a test does not grow with the number of purchases."""

    def __init__(self, design: Floats, log_price: Floats) -> None:
        self._count = len(log_price)
        # A small ridge keeps the matrix invertible where columns repeat each other.
        self._gram = design.T @ design + RIDGE * np.eye(design.shape[1])
        self._with_price = design.T @ log_price
        self._total = float(log_price @ log_price)

    def residual_sum(self, places: Sequence[int] | range) -> float:
        """Return the residual sum of squares with these columns."""
        at = np.array(places, dtype=np.intp)
        if not at.size:
            return self._total
        own = self._with_price[at]
        return max(0.0, self._total - float(own @ np.linalg.solve(self._gram[np.ix_(at, at)], own)))

    def is_significant(self, without: Sequence[int], effects: int, after: float) -> bool:
        """Return whether `effects` columns added to `without`, which lower the residual sum to `after`,
        explain more than chance."""
        left = self._count - 1 - len(without) - effects
        gained = self.residual_sum(without) - after
        if left < 2 or gained <= MIN_EXPLAINED_SHARE * self._total:
            return False
        # Near the 1 % point of the F distribution for 1 to 20 effects and more than ten purchases.
        critical = 1 + CRITICAL_FACTOR * sqrt(2 / effects) * (1 + 4 / left)
        return gained / effects > critical * after / left


def _standardise(block: Floats) -> Floats:
    """Return the columns that vary, centred at 0 and scaled to length 1."""
    centred = block - block.mean(axis=0)
    lengths = np.sqrt((centred**2).sum(axis=0))
    varying: NDArray[np.bool_] = lengths > 1e-12
    return centred[:, varying] / lengths[varying]
