"""How much purchases from others count for a supplier that nobody bought from is learnt by leaving suppliers
out: what those that are known repeat says nothing of a new one."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import numpy as np
import pytest

from app.service.pricing.estimator.calibration import Calibration
from app.service.pricing.estimator.candidates import Candidates
from app.service.pricing.estimator.distribution import GRID, PriceDistribution
from app.service.pricing.estimator.estimate import estimate_queries
from app.service.pricing.learning.calibration_fitting import fit_calibration
from app.service.purchase_records import PriceQuery, Purchase
from tests.service.pricing.made_up_purchases import FIRST_DAY, purchase

ARTICLES, ORDERS = 12, 12
TODAY = FIRST_DAY + timedelta(days=400)
QUANTILES = np.array([0.1, 0.25, 0.5, 0.75, 0.9])


def sold_by(suppliers: range) -> list[Purchase]:
    """Purchases from some suppliers, each of one article at a price that it repeats and that is unlike those
    of others: for a known supplier the price is nearly certain, for a new one it is not."""
    dice = np.random.default_rng(5)
    base = np.exp(dice.normal(3.0, 1.2, ARTICLES))
    noise = np.exp(dice.normal(0.0, 0.3, 60))
    return [
        purchase(
            id=f"{supplier}-{order}",
            order_id=f"{supplier}-{order}",
            purchase_date=FIRST_DAY + timedelta(days=20 * order + supplier),
            supplier=f"Supplier {supplier}",
            product=f"Part {'ABCDEFGHIJKL'[supplier % ARTICLES] * 3}",
            unit_price=Decimal(str(round(float(base[supplier % ARTICLES] * noise[supplier]), 2))),
        )
        for supplier in suppliers
        for order in range(ORDERS)
    ]


@pytest.fixture(scope="module")
def bought() -> list[Purchase]:
    return sold_by(range(24))


@pytest.fixture(scope="module")
def learnt(bought: list[Purchase]) -> Calibration:
    return fit_calibration(Candidates.from_purchases(bought), past_only=False)


def estimate(row: Purchase, bought: list[Purchase], calibration: Calibration) -> PriceDistribution:
    query = replace(PriceQuery.from_purchase(row), order_id=None)
    price = estimate_queries([query], Candidates.from_purchases(bought), calibration, TODAY)[0]
    assert isinstance(price, PriceDistribution), price
    return price


@pytest.mark.campaign
def test_a_new_supplier_is_estimated_by_what_leaving_suppliers_out_has_shown(
    bought: list[Purchase], learnt: Calibration
) -> None:
    def predict(calibration: Calibration) -> tuple[float, float]:
        """The mean pinball loss of the ln price, and the share of prices within the 80 % range."""
        rows = sold_by(range(24, 60))[::ORDERS]
        predicted = np.array(
            [np.interp(QUANTILES, GRID, estimate(row, bought, calibration).log_unit_prices) for row in rows]
        )
        errors = np.log([[float(row.unit_price)] for row in rows]) - predicted
        is_covered = (errors[:, 0] >= 0) & (errors[:, -1] <= 0)
        loss = np.maximum(QUANTILES * errors, (QUANTILES - 1) * errors)
        return float(loss.mean()), float(is_covered.mean())

    (loss, covered), (loss_before, covered_before) = map(
        predict, (learnt, replace(learnt, new_supplier_coefficients=None))
    )
    assert loss < 0.95 * loss_before
    assert covered_before < 0.6 < covered < 0.95


@pytest.mark.campaign
def test_a_known_supplier_is_estimated_as_before(bought: list[Purchase], learnt: Calibration) -> None:
    before = replace(learnt, new_supplier_coefficients=None)
    now, then = (estimate(bought[3], bought, calibration).log_unit_prices for calibration in (learnt, before))
    assert now.tolist() == then.tolist()
