"""The price of a whole scope: the sum of its products' distributions, which are correlated."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from app.service.pricing.estimator.distribution import GRID, PriceDistribution

# A supplier that is expensive for one product is expensive for others: prices of one quote are correlated.
RANK_CORRELATION = 0.5

_DRAWS = 4096
_DRAW_PROBABILITIES: NDArray[np.float64] = (np.arange(_DRAWS) + 0.5) / _DRAWS
_GRID: NDArray[np.float64] = np.array(GRID, dtype=np.float64)


@dataclass(frozen=True, slots=True)
class ScopePrice:
    """The total price of a scope: `prices` at the probabilities of `GRID`, never decreasing."""

    prices: NDArray[np.float64]
    currency: str

    def quantile(self, probability: float) -> float:
        """The total not exceeded with this probability."""
        return self.quantiles([probability])[0]

    def quantiles(self, probabilities: Sequence[float]) -> list[float]:
        """The totals not exceeded with these probabilities."""
        return np.exp(np.interp(probabilities, _GRID, np.log(self.prices))).tolist()


def sum_distributions(parts: Sequence[PriceDistribution], dependence: float = RANK_CORRELATION) -> ScopePrice:
    """The distribution of the sum of parts, correlated by a Gaussian copula with one common factor.

    `dependence` is the correlation of any two parts' ranks, from 0 (independent) to 1 (all cheap or all
    expensive together). Draws are evenly spread and always the same, so that equal scopes have equal prices.
    ValueError without parts, and for parts in several currencies.
    """
    if not parts:
        raise ValueError("a scope has at least one part")
    if len({part.currency for part in parts}) > 1:
        raise ValueError("the parts are priced in several currencies")
    if len(parts) == 1:
        return ScopePrice(np.exp(parts[0].log_unit_prices) * parts[0].multiple, parts[0].currency)
    total = np.zeros(_DRAWS)
    for order, part in zip(_draw_orders(len(parts), dependence), parts, strict=True):
        sorted_prices = np.exp(np.interp(_DRAW_PROBABILITIES, _GRID, part.log_unit_prices)) * part.multiple
        total += sorted_prices[order]
    return ScopePrice(np.interp(_GRID, np.linspace(0.0, 1.0, _DRAWS), np.sort(total)), parts[0].currency)


@lru_cache(maxsize=64)
def _draw_orders(count: int, dependence: float) -> NDArray[np.intp]:
    """For each part, the order of its draws among `_DRAW_PROBABILITIES`."""
    generator = np.random.default_rng(20_240_229)
    normal = generator.standard_normal((count + 1, _DRAWS // 2))
    normal = np.concatenate([normal, -normal], axis=1)  # antithetic: the median stays in the middle
    correlated = np.sqrt(dependence) * normal[0] + np.sqrt(1.0 - dependence) * normal[1:]
    # Each part's ranks are made exactly even, so that its own distribution is kept.
    return correlated.argsort(axis=1, kind="stable").argsort(axis=1, kind="stable")
