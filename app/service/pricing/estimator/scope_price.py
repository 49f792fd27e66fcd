"""The price of a whole scope: its products' distributions added with their dependence."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from app.service.pricing.estimator.distribution import GRID, PriceDistribution

# What one supplier is dear for, it is dear for throughout: products of one quote move together.
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
    """The distribution of the sum, its parts tied by a Gaussian copula of one common factor.

    `dependence` is the correlation of any two parts' ranks, 0 (independent) to 1 (all cheap or all dear
    together). Draws are evenly spread and always the same, so equal scopes have equal prices.
    """
    if not parts:
        raise ValueError("a scope has at least one part")
    if len({part.currency for part in parts}) > 1:
        raise ValueError("the parts are priced in several currencies")
    if len(parts) == 1:
        return ScopePrice(np.exp(parts[0].log_unit_prices) * parts[0].multiple, parts[0].currency)
    total = np.zeros(_DRAWS)
    for order, part in zip(_draw_orders(len(parts), dependence), parts, strict=True):
        rising = np.exp(np.interp(_DRAW_PROBABILITIES, _GRID, part.log_unit_prices)) * part.multiple
        total += rising[order]
    return ScopePrice(np.interp(_GRID, np.linspace(0.0, 1.0, _DRAWS), np.sort(total)), parts[0].currency)


@lru_cache(maxsize=64)
def _draw_orders(count: int, dependence: float) -> NDArray[np.intp]:
    """For each part, the places of its draws among `_EVENLY`."""
    generator = np.random.default_rng(20_240_229)
    normal = generator.standard_normal((count + 1, _DRAWS // 2))
    normal = np.concatenate([normal, -normal], axis=1)  # antithetic: the median stays in the middle
    tied = np.sqrt(dependence) * normal[0] + np.sqrt(1.0 - dependence) * normal[1:]
    # Each part's own ranks are made exactly even, so that a part alone keeps its distribution.
    return tied.argsort(axis=1, kind="stable").argsort(axis=1, kind="stable")
