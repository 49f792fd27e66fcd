"""An organisation's own purchases are learnt from beside what everybody sees."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import numpy as np
import pytest

from app.service.pricing.estimator.calibration import Calibration
from app.service.pricing.estimator.candidates import Candidates
from app.service.pricing.estimator.distribution import PriceDistribution
from app.service.pricing.estimator.estimate import estimate_queries
from app.service.pricing.learning.calibration_fitting import fit_calibration
from app.service.pricing.learning.hedonic_fitting import MIN_OWN_PURCHASES, OwnModels
from app.service.purchase_records import PriceQuery, Purchase
from tests.service.pricing.made_up_purchases import FIRST_DAY, market

ASKED_ON = FIRST_DAY + timedelta(days=800)


@pytest.fixture(scope="module")
def shared() -> list[Purchase]:
    return market(300)


@pytest.fixture(scope="module")
def learnt(shared: list[Purchase]) -> Calibration:
    return fit_calibration(Candidates.from_purchases(shared), past_only=False)


def own_purchases(shared: list[Purchase], number: int, factor: float) -> list[Purchase]:
    """What the organisation buys of everything but the first article: at so many times its price."""
    others = [row for row in shared if row.product != shared[0].product][:number]
    return [
        replace(row, id=f"own-{at}", order_id=f"own-{at}", unit_price=row.unit_price * Decimal(factor))
        for at, row in enumerate(others)
    ]


def median(asked: Purchase, known: list[Purchase], calibration: Calibration, own: list[Purchase]) -> float:
    candidates = Candidates.from_purchases([*known, *own])
    adapted = OwnModels().adapt_calibration(calibration, candidates, {row.id for row in own})
    query = replace(PriceQuery.from_purchase(asked), order_id=None)
    price = estimate_queries([query], candidates, adapted, ASKED_ON)[0]
    assert isinstance(price, PriceDistribution)
    return price.unit_price(0.5)


@pytest.mark.campaign
@pytest.mark.parametrize("factor", [0.5, 2.0])
def test_what_an_organisation_pays_moves_its_estimates_of_what_it_never_bought(
    shared: list[Purchase], learnt: Calibration, factor: float
) -> None:
    asked, own = shared[0], own_purchases(shared, 200, factor)
    compared = Candidates.from_purchases([*shared, *own])
    adapted = OwnModels().adapt_calibration(learnt, compared, {row.id for row in own})
    row = Candidates.from_purchases([asked])
    moved = float((adapted.model.predict(row) - learnt.hedonic_model.predict(row))[0])
    assert (moved > 0.3) if factor > 1 else (moved < -0.3)


@pytest.mark.parametrize("factor", [0.5, 2.0])
def test_purchases_of_others_are_adjusted_by_how_much_more_an_own_supplier_costs(
    shared: list[Purchase], learnt: Calibration, factor: float
) -> None:
    own = [replace(row, supplier="Another") for row in own_purchases(shared, 200, factor)]
    adapted = OwnModels().adapt_calibration(learnt, Candidates.from_purchases(own), {row.id for row in own})
    of_both = Candidates.from_purchases([shared[0], replace(shared[0], supplier="Another")])
    other, from_it = adapted.model.predict(of_both).tolist()
    assert (from_it - other) / np.log(factor) > 0.5


def test_fewer_than_ten_change_nothing_and_the_same_are_learnt_from_once(
    shared: list[Purchase], learnt: Calibration
) -> None:
    models = OwnModels()
    own = own_purchases(shared, MIN_OWN_PURCHASES, 2.0)
    ids = {row.id for row in own}
    assert models.adapt_calibration(learnt, Candidates.from_purchases(own[1:]), ids) is learnt
    first, again, changed = (
        models.adapt_calibration(learnt, Candidates.from_purchases(rows), ids).own_model
        for rows in (own, own, [replace(own[0], unit_price=Decimal(1)), *own[1:]])
    )
    assert first is again
    assert changed is not first, "an import may correct a purchase"
    assert models.adapt_calibration(learnt, Candidates.from_purchases(shared), ids) is learnt, "of others"
    assert models.adapt_calibration(learnt, Candidates.from_purchases(own), ()) is learnt, "once it is undone"


def test_before_anything_is_learnt_own_purchases_tell_the_effect_of_the_quantity(
    shared: list[Purchase],
) -> None:
    asked = replace(shared[0], quantity=Decimal(1000))
    known = [replace(row, id=f"own-{at}") for at, row in enumerate(shared) if row.quantity < 100]
    true_price = float(shared[0].unit_price) * 0.8 ** np.log10(1000 / float(shared[0].quantity))
    unlearnt = Calibration()
    with_own, without = median(asked, [], unlearnt, known), median(asked, known, unlearnt, [])
    assert abs(np.log(with_own / true_price)) < abs(np.log(without / true_price))
