"""Which dimensions move the price, as past purchases show it: a regression of the logarithm of the price of a
unit on all of them together, and for each an F test of leaving it out. Pure numpy."""

from collections.abc import Mapping, Sequence
from math import sqrt

import numpy as np
from numpy.typing import NDArray

ENOUGH = 5
"""Purchases without which nothing is known."""
SPARE = 3
"""Purchases that must be left after each effect has taken its own."""
SURE = 4.0
EXACT = 1e-9
"""Prices that are explained to this share are explained wholly."""

Floats = NDArray[np.float64]


def number_column(values: Sequence[float | None]) -> Floats:
    """One column: the number where a purchase has it, the mean where it has not."""
    known = [value for value in values if value is not None]
    mean = sum(known) / len(known) if known else 0.0
    return np.array([mean if value is None else value for value in values], dtype=np.float64)[:, None]


def choice_columns(values: Sequence[str | None]) -> Floats:
    """A column of 0 and 1 for each choice that was made at least twice, without the most common one."""
    labels, inverse, counts = np.unique(
        [value or "" for value in values], return_inverse=True, return_counts=True
    )
    kept = [index for index in np.argsort(-counts, kind="stable")[1:] if counts[index] > 1 and labels[index]]
    return (inverse[:, None] == np.array(kept, dtype=np.intp)[None, :]).astype(np.float64)


def what_matters(columns: Mapping[str, Floats], controls: Floats, log_price: Floats) -> set[str]:
    """The names of `columns` whose effect on the price is beyond chance (about 1 in 100), the others and the
    controls held equal. With too few purchases for that, each is tested alone."""
    count = len(log_price)
    varying = {
        name: column for name, column in columns.items() if column.size and np.ptp(column, axis=0).any()
    }
    if count < ENOUGH or np.ptp(log_price) == 0:
        return set()
    everything = np.hstack([np.ones((count, 1)), controls, *varying.values()])
    together = count - everything.shape[1] >= SPARE
    found: set[str] = set()
    for name, column in varying.items():
        if together:
            others = [other for key, other in varying.items() if key != name]
            without = np.hstack([np.ones((count, 1)), controls, *others])
        else:
            without = np.ones((count, 1))
        if _beyond_chance(without, column, log_price):
            found.add(name)
    return found


def _beyond_chance(without: Floats, column: Floats, log_price: Floats) -> bool:
    count, effects = column.shape
    left = count - without.shape[1] - effects
    if left < 2:
        return False
    total = float(((log_price - log_price.mean()) ** 2).sum())
    before = _unexplained(without, log_price)
    after = _unexplained(np.hstack([without, column]), log_price)
    gained = before - after
    if gained <= EXACT * total:
        return False
    # Near the 1 % point of the F distribution for 1 to 20 effects and more than ten purchases.
    critical = 1 + SURE * sqrt(2 / effects) * (1 + 4 / left)
    return gained / effects > critical * after / left


def _unexplained(design: Floats, log_price: Floats) -> float:
    """The sum of squares that the least-squares fit leaves."""
    solution = np.linalg.lstsq(design, log_price, rcond=None)[0]
    return float(((log_price - design @ solution) ** 2).sum())
