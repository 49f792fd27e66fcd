"""A scope says less than a purchase on record: what it leaves open must not move its price."""

from dataclasses import replace

import numpy as np
import pytest

from app.service.pricing.estimator.candidates import Candidates
from app.service.pricing.estimator.hedonic_adjustment import compute_adjustment
from app.service.pricing.estimator.hedonic_model import DAY, TERM, HedonicModel
from app.service.pricing.learning.hedonic_fitting import fit_hedonic_model
from app.service.purchase_records import PriceQuery, Purchase
from tests.service.pricing.made_up_purchases import market


def by_the_case(purchases: list[Purchase]) -> list[Purchase]:
    """Two trades on one record: every other supplier sells by the case, to a buyer of its own, and all that
    it sells costs twenty times as much."""
    return [
        replace(row, unit="case", buyer="Stores", unit_price=row.unit_price * 20, term_months=24)
        if int(row.supplier[-1]) % 2
        else replace(row, unit="each", buyer="Desk")
        for row in purchases
    ]


@pytest.fixture(scope="module")
def trades() -> tuple[list[Purchase], Candidates, HedonicModel]:
    purchases = by_the_case(market(600))
    candidates = Candidates.from_purchases(purchases)
    return purchases, candidates, fit_hedonic_model(candidates, np.ones(len(purchases)))


def held(query: PriceQuery, candidates: Candidates, worth: HedonicModel) -> np.ndarray:
    """How far the query is moved from purchases of its own product."""
    asked = Candidates.from_query(query, int(candidates.day.max()))
    same = (candidates.facet("product") == asked.facet("product")[0]).astype(float)
    return compute_adjustment(asked, candidates, worth, same).adjustment[0, same > 0]


def test_an_unstated_attribute_of_a_scope_changes_nothing(
    trades: tuple[list[Purchase], Candidates, HedonicModel],
) -> None:
    purchases, candidates, worth = trades
    for row in purchases[:40:4]:
        whole = PriceQuery.from_purchase(row)
        scope = replace(whole, unit=None, buyer=None, category=None, brand=None, term_months=None)
        assert np.median(held(scope, candidates, worth)) == pytest.approx(
            float(np.median(held(whole, candidates, worth))), abs=0.1
        )


def test_an_attribute_that_most_purchases_state_is_not_treated_as_absent(
    trades: tuple[list[Purchase], Candidates, HedonicModel],
) -> None:
    purchases, candidates, worth = trades
    row = next(one for one in purchases if one.attributes["size"] == "large")
    open_ = replace(PriceQuery.from_purchase(row), attributes={})
    moved = held(open_, candidates, worth)
    stated = held(PriceQuery.from_purchase(row), candidates, worth)
    assert stated.max() - stated.min() > 0.2, "a purchase of the other size is moved"
    assert moved.max() - moved.min() < stated.max() - stated.min() - 0.1, "nothing is known of the size"


def test_a_rare_option_is_treated_as_absent_unless_it_is_requested() -> None:
    purchases = [
        replace(row, attributes={"care": "daily"}, unit_price=row.unit_price * 3) if at % 4 == 0 else row
        for at, row in enumerate(market(600))
    ]
    candidates = Candidates.from_purchases(purchases)
    worth = fit_hedonic_model(candidates, np.ones(len(purchases)))
    row = next(one for one in purchases if "care" not in one.attributes)
    without = held(replace(PriceQuery.from_purchase(row), attributes={}), candidates, worth)
    assert without.min() < -0.6, "a purchase with the option cost three times as much"


def test_a_number_stated_by_one_side_only_is_no_difference() -> None:
    purchases = market(600)
    dated = [replace(row, term_months=12 * (1 + at % 3)) for at, row in enumerate(purchases[:300])]
    mixed = Candidates.from_purchases(dated + purchases[300:])
    worth = fit_hedonic_model(mixed, np.ones(len(mixed)))
    assert worth.numbers[TERM].coefficient
    row = purchases[300]
    named = held(replace(PriceQuery.from_purchase(row), term_months=36), mixed, worth)
    unnamed = held(PriceQuery.from_purchase(row), mixed, worth)
    without_term = (
        mixed.term[mixed.facet("product") == Candidates.from_purchases([row]).facet("product")[0]] == 0
    )
    assert named[without_term] == pytest.approx(unnamed[without_term])


def test_a_trend_is_carried_on_for_a_year_after_the_latest_purchase_only(
    trades: tuple[list[Purchase], Candidates, HedonicModel],
) -> None:
    purchases, candidates, worth = trades
    assert worth.numbers[DAY].coefficient
    query, last = PriceQuery.from_purchase(purchases[0]), int(candidates.day.max())
    same = np.ones(len(candidates))
    soon, late, latest = (
        compute_adjustment(Candidates.from_query(query, last + days), candidates, worth, same)
        for days in (180, 500, 9_000)
    )
    assert late.query_estimate == latest.query_estimate != soon.query_estimate
    assert (late.adjustment == latest.adjustment).all()
