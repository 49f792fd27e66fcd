"""What the hedonic model learns of how prices move with time."""

from dataclasses import replace

import numpy as np
import pytest

from app.service.pricing.estimator.candidates import Candidates
from app.service.pricing.estimator.explanation import explain_factors
from app.service.pricing.estimator.hedonic_adjustment import compute_adjustment
from app.service.pricing.estimator.hedonic_model import DAY, HedonicModel
from app.service.pricing.learning.hedonic_fitting import fit_hedonic_model
from app.service.purchase_records import PriceQuery, Purchase
from tests.service.pricing.made_up_purchases import FIRST_DAY, market

RISING, FALLING = "Supplier 0", "Supplier 1"
YEARLY = {RISING: 0.2, FALLING: -0.2}
"""The change of ln price in a year; other suppliers' prices stand still."""
TIMES_LONGER = 10
"""The purchases of a market are spread over so many times its days: in a year hardly a trend is believed."""


def drift(random: np.random.Generator, row: Purchase) -> float:
    years = TIMES_LONGER * (row.purchase_date - FIRST_DAY).days / 365.25
    return float(np.exp(3.0 + YEARLY.get(row.supplier, 0.0) * years + random.normal(0, 0.02)))


@pytest.fixture(scope="module")
def purchases() -> list[Purchase]:
    return [
        replace(row, purchase_date=FIRST_DAY + TIMES_LONGER * (row.purchase_date - FIRST_DAY))
        for row in market(800, price=drift)
    ]


@pytest.fixture(scope="module")
def candidates(purchases: list[Purchase]) -> Candidates:
    return Candidates.from_purchases(purchases)


@pytest.fixture(scope="module")
def model(candidates: Candidates) -> HedonicModel:
    return fit_hedonic_model(candidates, np.ones(len(candidates)))


def of_supplier(purchases: list[Purchase], supplier: str) -> tuple[PriceQuery, np.ndarray]:
    """A query for something of the supplier, and the positions of its purchases."""
    rows = [at for at, row in enumerate(purchases) if row.supplier == supplier]
    return PriceQuery.from_purchase(purchases[rows[0]]), np.array(rows)


def move(query: PriceQuery, candidates: Candidates, model: HedonicModel, day: int) -> np.ndarray:
    """How far each candidate's price is moved to that day."""
    return compute_adjustment(
        Candidates.from_query(query, day), candidates, model, np.ones(len(candidates))
    ).adjustment


@pytest.mark.parametrize("supplier", [RISING, FALLING, "Supplier 2"])
def test_the_prices_of_each_supplier_follow_their_own_trend(
    purchases: list[Purchase], candidates: Candidates, model: HedonicModel, supplier: str
) -> None:
    query, rows = of_supplier(purchases, supplier)
    own = candidates.take(rows)
    last = int(candidates.day.max())
    a_year = float((move(query, own, model, last) - move(query, own, model, last - 365)).mean())
    assert a_year == pytest.approx(YEARLY.get(supplier, 0.0), abs=0.07)


def test_without_a_stated_supplier_prices_follow_the_common_trend(
    purchases: list[Purchase], candidates: Candidates, model: HedonicModel
) -> None:
    query = PriceQuery(product=purchases[0].product, quantity=10)
    last = int(candidates.day.max())
    a_year = move(query, candidates, model, last) - move(query, candidates, model, last - 365)
    day = model.numbers[DAY]
    assert a_year == pytest.approx(day.coefficient * 365 / 365.25 / day.width)


def test_the_factor_of_the_day_tells_the_suppliers_own_trend(
    purchases: list[Purchase], candidates: Candidates, model: HedonicModel
) -> None:
    query, rows = of_supplier(purchases, RISING)
    early = candidates.take(rows[candidates.day[rows] < candidates.day.min() + 730])
    asked = Candidates.from_query(query, int(early.day.mean()) + 730)
    all_rows, equal = np.arange(len(early))[None], np.full((1, len(early)), 1 / len(early))
    explained = explain_factors(asked, early, all_rows, model, equal, equal)[0]
    factors = {one.name: one.effect for one in explained}
    assert factors["recency"] == pytest.approx(np.exp(2 * YEARLY[RISING]), rel=0.12)


def test_where_all_was_bought_on_one_day_there_is_no_trend(purchases: list[Purchase]) -> None:
    of_a_day = Candidates.from_purchases([row for row in purchases if row.purchase_date == FIRST_DAY][:2] * 5)
    model = fit_hedonic_model(of_a_day, np.ones(len(of_a_day)))
    assert DAY not in model.numbers
    assert not model.trend_effects(of_a_day).any()


def test_a_model_from_before_suppliers_had_trends_has_none(
    candidates: Candidates, model: HedonicModel
) -> None:
    before = HedonicModel(model.mean, model.coefficients, model.numbers, has_trends=False)
    assert model.trend_effects(candidates).any()
    assert not before.trend_effects(candidates).any()
