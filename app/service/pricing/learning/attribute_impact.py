"""Measures which pricing dimensions have a significant effect on prices."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.service.pricing.estimator.candidates import Candidates, Floats, Rows, attribute_key
from app.service.pricing.estimator.hedonic_model import HedonicModel
from app.service.pricing.learning.order_groups import number_orders
from app.service.purchase_records import Purchase

# An effect is significant when it is this many times its standard error.
MIN_T = 3.0
_TINY = 1e-9


def measure_attribute_impact(
    purchases: Candidates, models: list[tuple[HedonicModel, Rows]], names: dict[int, str]
) -> dict[str, float]:
    """For each named attribute with a significant effect, the share of the squared error that it explains.

    `models` has hedonic models with the rows held out of each, so that an attribute that only identifies its
    own purchases explains nothing. Orders, not their lines, count as independent.
    """
    folds = [_Fold.of(purchases.take(rows), model) for model, rows in models]
    impacts: dict[str, float] = {}
    for key, name in names.items():
        if key not in purchases.attributes:
            continue
        effects = np.concatenate([part.model.attribute_effects(key, part.purchases) for part in folds])
        effects -= effects.mean()
        if float(np.abs(effects).max(initial=0.0)) < _TINY:
            continue
        residuals = np.concatenate([part.error for part in folds]) + effects
        order = number_orders(np.concatenate([part.purchases.order for part in folds]))
        within_orders = effects - _order_means(effects, order), residuals - _order_means(residuals, order)
        if max(_t_statistic(effects, residuals, order), _t_statistic(*within_orders, order)) >= MIN_T:
            share = 1.0 - float(((residuals - effects) ** 2).sum() / (residuals @ residuals))
            impacts[name] = round(max(share, 0.001), 4)
    return impacts


@dataclass(frozen=True, slots=True)
class _Fold:
    purchases: Candidates
    model: HedonicModel
    error: Floats

    @classmethod
    def of(cls, purchases: Candidates, model: HedonicModel) -> "_Fold":
        return cls(purchases, model, purchases.log_rate - model.predict(purchases))


def _order_means(values: Floats, order: Rows) -> Floats:
    return (np.bincount(order, weights=values) / np.bincount(order))[order]


def _t_statistic(effects: Floats, residuals: Floats, order: Rows) -> float:
    """The t statistic of the slope of `residuals` on `effects`, with errors clustered by order."""
    size = float(effects @ effects)
    if size < _TINY:
        return 0.0
    slope = float(effects @ residuals) / size
    scores = np.bincount(order, weights=effects * (residuals - slope * effects))
    return slope * size / (float(np.sqrt(scores @ scores)) + _TINY)


def collect_attribute_names(purchases: Sequence[Purchase]) -> dict[int, str]:
    """Collect the names of all attributes by their `attribute_key`."""
    return {attribute_key(name): name for row in purchases for name in row.attributes}
