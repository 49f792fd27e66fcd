"""Which dimensions really move prices."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.service.pricing.estimator.candidates import Candidates, Codes, Floats, Rows, attribute_key
from app.service.pricing.estimator.hedonic_model import HedonicModel
from app.service.purchase_records.records import Purchase

# An effect is real when it is this many times its own uncertainty.
MIN_T = 3.0
_TINY = 1e-9


def measure_attribute_impact(
    purchases: Candidates, learnt: list[tuple[HedonicModel, Rows]], names: dict[int, str]
) -> dict[str, float]:
    """For each named attribute with a real effect, the share of the squared error that it explains.

    `learnt` holds what features are worth with the rows that it was not learnt on, so that an attribute
    that only identifies its own purchases explains nothing. Orders, not lines, count as independent.
    """
    held = [_Fold.of(purchases.take(rows), worth) for worth, rows in learnt]
    found: dict[str, float] = {}
    for key, name in names.items():
        if key not in purchases.attributes:
            continue
        own = np.concatenate([part.worth.attribute_effects(key, part.purchases) for part in held])
        own -= own.mean()
        if float(np.abs(own).max(initial=0.0)) < _TINY:
            continue
        rest = np.concatenate([part.error for part in held]) + own
        order = _number_orders(np.concatenate([part.purchases.order for part in held]))
        within = own - _order_means(own, order), rest - _order_means(rest, order)
        if max(_t_statistic(own, rest, order), _t_statistic(*within, order)) >= MIN_T:
            share = 1.0 - float(((rest - own) ** 2).sum() / (rest @ rest))
            found[name] = round(max(share, 0.001), 4)
    return found


@dataclass(frozen=True, slots=True)
class _Fold:
    purchases: Candidates
    worth: HedonicModel
    error: Floats

    @classmethod
    def of(cls, purchases: Candidates, worth: HedonicModel) -> "_Fold":
        return cls(purchases, worth, purchases.log_rate - worth.predict(purchases))


def _number_orders(codes: Codes) -> Rows:
    """Numbers of the orders from 0; what has no order stands alone."""
    alone = np.arange(len(codes)) + (1 << 33)
    return np.unique(np.where(codes == 0, alone, codes.astype(np.int64)), return_inverse=True)[1]


def _order_means(values: Floats, order: Rows) -> Floats:
    return (np.bincount(order, weights=values) / np.bincount(order))[order]


def _t_statistic(own: Floats, rest: Floats, order: Rows) -> float:
    """How many times its uncertainty the slope of `rest` on `own` is, with errors clustered by order."""
    size = float(own @ own)
    if size < _TINY:
        return 0.0
    slope = float(own @ rest) / size
    scores = np.bincount(order, weights=own * (rest - slope * own))
    return slope * size / (float(np.sqrt(scores @ scores)) + _TINY)


def collect_attribute_names(purchases: Sequence[Purchase]) -> dict[int, str]:
    """The names of all attributes by the key of their columns."""
    return {attribute_key(name): name for row in purchases for name in row.attributes}
