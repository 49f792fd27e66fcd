from datetime import date

import numpy as np
import pytest

from app.service.pricing.estimator.distribution import GRID, PriceDistribution, sum_distributions


def part(middle: float = 100.0, spread: float = 0.3, currency: str = "USD") -> PriceDistribution:
    deviation = np.interp(GRID, [0.0, 0.1, 0.5, 0.9, 1.0], [-2.0, -1.0, 0.0, 1.0, 2.0])
    return PriceDistribution(
        log_unit_prices=np.log(middle) + spread * deviation,
        multiple=1.0,
        currency=currency,
        level="product",
        best_similarity=90,
        purchases=10,
        effective_purchases=5.0,
        newest=date(2024, 1, 1),
        recurring=False,
    )


def test_a_single_part_keeps_its_distribution() -> None:
    one = part()
    whole = sum_distributions([one])
    assert [whole.quantile(p) for p in GRID] == pytest.approx([one.quantile(p) for p in GRID])


def test_parts_that_do_not_move_together_are_less_spread_than_added_percentiles() -> None:
    parts = [part(), part(), part(), part()]
    added = 4 * parts[0].quantile(0.9)
    apart, tied, one = (sum_distributions(parts, dependence).quantile(0.9) for dependence in (0.0, 0.5, 1.0))
    assert apart < tied < one
    assert one == pytest.approx(added, rel=0.01)
    assert sum_distributions(parts, 0.0).quantile(0.5) == pytest.approx(400, rel=0.05)


def test_equal_scopes_have_equal_prices_that_never_decrease() -> None:
    whole, again = sum_distributions([part(), part(50)]), sum_distributions([part(), part(50)])
    assert whole.prices.tolist() == again.prices.tolist()
    assert (np.diff(whole.prices) >= 0).all()


def test_parts_of_two_currencies_are_never_added() -> None:
    with pytest.raises(ValueError, match="currencies"):
        sum_distributions([part(), part(currency="EUR")])
    with pytest.raises(ValueError, match="at least one"):
        sum_distributions([])
