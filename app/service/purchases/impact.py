"""Which dimensions move the price, as past purchases show it: a regression of the logarithm of the price of a
unit on all of them together, and for each an F test of leaving it out. Pure numpy."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from app.contract.pricing import MIN_PURCHASES

SPARE = 3
"""Purchases that must be left after each effect has taken its own."""
SURE = 4.0
NOTICEABLE = 1e-6
"""The least share of all variance that an effect explains."""
TRACE = 1e-9

Floats = NDArray[np.float64]


def number_column(values: Sequence[float | None]) -> Floats:
    """One column: the number where a purchase has it, the mean where it has not."""
    known = [value for value in values if value is not None]
    mean = sum(known) / len(known) if known else 0.0
    return np.array([mean if value is None else value for value in values], dtype=np.float64)[:, None]


def choice_columns(values: Sequence[str | None]) -> Floats:
    """A column of 0 and 1 for each choice that was made at least twice, without the most common one."""
    counted = Counter(values).most_common()
    # Without any value is a choice too, but not one to be told of: it only serves as the other side.
    kept = [value for value, times in counted[1:] if times > 1 and value is not None]
    places = {value: place for place, value in enumerate(kept)}
    columns = np.zeros((len(values), len(kept)))
    for row, value in enumerate(values):
        place = None if value is None else places.get(value)
        if place is not None:
            columns[row, place] = 1.0
    return columns


def what_matters(columns: Mapping[str, Floats], controls: Floats, log_price: Floats) -> set[str]:
    """The names of `columns` whose effect on the price is beyond chance (about 1 in 100), the others and the
    controls held equal. With too few purchases for that, each is tested alone."""
    if len(log_price) < MIN_PURCHASES or np.ptp(log_price) == 0:
        return set()
    blocks = {name: kept for name, column in columns.items() if (kept := _standardised(column)).size}
    held = _standardised(controls)
    fit = _Fit(np.hstack([held, *blocks.values()]), log_price - log_price.mean())
    places: dict[str, list[int]] = {}
    at = held.shape[1]
    for name, block in blocks.items():
        places[name] = list(range(at, at + block.shape[1]))
        at += block.shape[1]
    if len(log_price) - 1 - at >= SPARE:
        everything = range(at)
        unexplained = fit.unexplained(everything)
        return {
            name
            for name, own in places.items()
            if fit.beyond_chance([i for i in everything if i not in own], len(own), unexplained)
        }
    return {name for name, own in places.items() if fit.beyond_chance([], len(own), fit.unexplained(own))}


class _Fit:
    """Least squares on any of the columns, from their products with each other, so that the number of
    purchases counts once."""

    def __init__(self, design: Floats, log_price: Floats) -> None:
        self._count = len(log_price)
        # A trace on the diagonal lets columns repeat each other: the second one then explains nothing.
        self._gram = design.T @ design + TRACE * np.eye(design.shape[1])
        self._with_price = design.T @ log_price
        self._total = float(log_price @ log_price)

    def unexplained(self, places: Sequence[int] | range) -> float:
        """The sum of squares that these columns leave."""
        at = np.array(places, dtype=np.intp)
        if not at.size:
            return self._total
        own = self._with_price[at]
        return max(0.0, self._total - float(own @ np.linalg.solve(self._gram[np.ix_(at, at)], own)))

    def beyond_chance(self, without: Sequence[int], effects: int, after: float) -> bool:
        """Whether `effects` columns more than `without`, which leave `after`, explain more than chance."""
        left = self._count - 1 - len(without) - effects
        gained = self.unexplained(without) - after
        if left < 2 or gained <= NOTICEABLE * self._total:
            return False
        # Near the 1 % point of the F distribution for 1 to 20 effects and more than ten purchases.
        critical = 1 + SURE * sqrt(2 / effects) * (1 + 4 / left)
        return gained / effects > critical * after / left


def _standardised(block: Floats) -> Floats:
    """The columns that vary, around 0 and of length 1."""
    centred = block - block.mean(axis=0)
    lengths = np.sqrt((centred**2).sum(axis=0))
    varying = lengths > 1e-12
    return centred[:, varying] / lengths[varying]
