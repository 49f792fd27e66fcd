"""Which dimensions really move prices."""

from collections.abc import Sequence

import numpy as np

from app.service.pricing.candidates import Candidates, Rows, attribute_name
from app.service.pricing.worth import Worth
from app.service.purchases.records import Purchase

# An effect counts when it explains this share of the squared error and is twice its own uncertainty.
LEAST_SHARE = 0.002
_TWICE = 2.0


def attribute_impact(
    purchases: Candidates, learnt: list[tuple[Worth, Rows]], names: dict[int, str]
) -> dict[str, float]:
    """For each named attribute with a real effect, the share of squared error that it explains.

    `learnt` holds what features are worth with the rows that it was not learnt on, so that an attribute
    that only identifies its own purchases explains nothing.
    """
    found: dict[str, float] = {}
    for key, name in names.items():
        if key not in purchases.attributes:
            continue
        gains: list[np.ndarray] = []
        errors: list[np.ndarray] = []
        orders: list[np.ndarray] = []
        for worth, rows in learnt:
            held = purchases.take(rows)
            error = held.log_rate - worth.of(held)
            own = worth.of_attribute(key, held)
            own -= own.mean()
            gains.append((error + own) ** 2 - error**2)
            errors.append(error**2)
            orders.append(held.order)
        gain, error = np.concatenate(gains), np.concatenate(errors)
        _, of_order = np.unique(np.concatenate(orders), return_inverse=True)
        by_order = np.bincount(of_order, weights=gain)
        spread = float(np.sqrt((by_order**2).sum()))
        share = float(gain.sum() / (error.sum() + max(gain.sum(), 0.0) + 1e-12))
        if share >= LEAST_SHARE and gain.sum() > _TWICE * spread:
            found[name] = round(share, 4)
    return found


def attribute_names(purchases: Sequence[Purchase]) -> dict[int, str]:
    """The names of all attributes by the key of their columns."""
    return {attribute_name(name): name for row in purchases for name in row.attributes}
