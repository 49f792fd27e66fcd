from dataclasses import replace

import numpy as np
import pytest

from app.service.pricing.estimator.candidates import Candidates
from app.service.pricing.estimator.hedonic_model import VOLUME
from app.service.pricing.estimator.text_similarity import DocumentFrequencies
from app.service.pricing.learning.hedonic_fitting import fit_hedonic_model
from app.service.pricing.learning.purchase_pool import FACET_LIMITS, PurchasePool
from app.service.purchase_records import PriceQuery
from tests.service.pricing.made_up_purchases import market


def test_the_pool_finds_the_latest_earlier_purchases() -> None:
    purchases = Candidates.from_purchases(market(2000))
    found = PurchasePool(purchases, DocumentFrequencies.from_texts(purchases.texts))
    day = int(np.median(purchases.day))
    asked = replace_day(purchases, 1000, day)
    near = found.find_candidates(asked, past_only=True)
    assert (near.day < day).all()
    same = near.day[near.facet("product") == asked.facet("product")[0]]
    every = purchases.day[(purchases.facet("product") == asked.facet("product")[0]) & (purchases.day < day)]
    latest = np.sort(every)[-FACET_LIMITS["product"] :]
    assert set(latest.tolist()) <= set(same.tolist())


def replace_day(purchases: Candidates, row: int, day: int) -> Candidates:
    return replace(purchases.take(np.array([row])), day=np.array([day]))


def test_an_article_is_found_by_its_text() -> None:
    purchases = Candidates.from_purchases(market(300))
    asked = Candidates.from_query(
        PriceQuery("binder recycled no 17 (new wording)"), int(purchases.day.max()) + 1
    )
    near = PurchasePool(purchases, DocumentFrequencies.from_texts(purchases.texts)).find_candidates(
        asked, past_only=True
    )
    assert any(text.endswith("no 17") for text in near.texts)


def test_excluded_rows_are_never_found() -> None:
    purchases = Candidates.from_purchases(market(300))
    asked = purchases.take(np.array([7]))
    hidden = purchases.order == purchases.order[7]
    near = PurchasePool(purchases, DocumentFrequencies.from_texts(purchases.texts)).find_candidates(
        asked, past_only=False, excluded=hidden
    )
    assert not (near.order == asked.order[0]).any()
    assert len(near) > 0


def test_the_effects_of_quantity_and_size_are_learnt() -> None:
    purchases = Candidates.from_purchases(market(1500))
    worth = fit_hedonic_model(purchases, np.ones(len(purchases)))
    # 20 % less for each tenfold quantity is -0.097 for each unit of ln quantity, on a width of two.
    assert worth.numbers[VOLUME].coefficient / worth.numbers[VOLUME].width == pytest.approx(-0.097, abs=0.02)
    assert np.abs(purchases.log_rate - worth.predict(purchases)).mean() < 0.1


@pytest.mark.campaign
@pytest.mark.parametrize("past_only", [True, False])
def test_the_nearest_in_time_are_found_of_each_code(past_only: bool) -> None:
    purchases = Candidates.from_purchases(market(2000))
    pool = PurchasePool(purchases, DocumentFrequencies.from_texts(purchases.texts))
    for row in range(100, 2000, 97):
        asked = purchases.take(np.array([row]))
        found = pool.find_candidates(asked, past_only=past_only)
        for facet, limit in FACET_LIMITS.items():
            known = (purchases.facet(facet) == asked.facet(facet)) & (asked.facet(facet) != 0)
            if past_only:
                known &= purchases.day < asked.day
            others = purchases.take(np.flatnonzero(known))
            gaps = np.abs(others.day - asked.day)
            nearest = np.argsort(gaps)[:limit]
            nearer = np.flatnonzero(gaps < gaps[nearest].max(initial=0))
            assert {others.ids[at] for at in nearer} <= set(found.ids)
