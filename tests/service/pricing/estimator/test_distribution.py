"""A distribution of unit prices answers for the whole purchase."""

from datetime import date
from math import log

import numpy as np
import pytest

from app.service.pricing.estimator.distribution import GRID, PriceDistribution


def make_distribution(low: float, high: float, multiple: float = 1.0) -> PriceDistribution:
    """Unit prices that rise evenly in ln from the first to the last probability."""
    return PriceDistribution(
        log_unit_prices=np.interp(GRID, [GRID[0], GRID[-1]], [log(low), log(high)]),
        multiple=multiple,
        currency="USD",
        level="repeat",
        best_similarity=100,
        purchases=5,
        effective_purchases=5.0,
        newest=date(2024, 1, 1),
        recurring=False,
    )


def test_the_whole_costs_the_multiple_of_a_unit() -> None:
    distribution = make_distribution(1, 100, multiple=12)
    assert distribution.unit_price(0.5) == pytest.approx(10)
    assert distribution.quantile(0.5) == pytest.approx(120)
    assert distribution.quantiles([0.01, 0.99]) == pytest.approx([12, 1200])
