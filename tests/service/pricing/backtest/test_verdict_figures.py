"""How often the verdict is wrong on quotes made from purchases at other prices."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import numpy as np
import pytest

from app.service.pricing.backtest import verdict_figures
from app.service.pricing.backtest.verdict_figures import (
    MULTIPLES,
    estimate_trial_quotes,
    judge_trial_quotes,
    make_trial_quotes,
)
from app.service.pricing.estimator.calibration import Calibration
from app.service.pricing.estimator.candidates import Candidates
from app.service.pricing.learning.calibration_fitting import fit_calibration
from app.service.pricing.learning.purchase_pool import PurchasePool
from app.service.purchase_records import Purchase
from tests.service.pricing.made_up_purchases import FIRST_DAY, purchase

EDITIONS = {"Starter": 10.0, "Professional": 30.0}


def editions(number: int = 240) -> list[Purchase]:
    """Four products in two editions, the second at three times the price, with 4 % noise."""
    random = np.random.default_rng(3)
    made: list[Purchase] = []
    for at in range(number):
        edition = "Starter" if random.random() < 0.6 else "Professional"
        unit = EDITIONS[edition] * (1 + at % 4) * float(np.exp(random.normal(0, 0.04)))
        made.append(
            purchase(
                id=f"p-{at}",
                purchase_date=FIRST_DAY + timedelta(days=2 * at),
                supplier=f"Supplier {at % 2}",
                product=f"Suite {at % 4}",
                product_key=f"suite-{at % 4}",
                unit="user",
                quantity=Decimal(int(random.integers(5, 50))),
                unit_price=Decimal(f"{unit:.4f}"),
                order_id=f"o-{at}",
                attributes={"edition": edition},
            )
        )
    return made


@pytest.fixture(scope="module")
def bought() -> list[Purchase]:
    return editions()


@pytest.fixture(scope="module")
def learnt(bought: list[Purchase]) -> Calibration:
    return fit_calibration(Candidates.from_purchases(bought[:150]), past_only=False)


@pytest.mark.campaign
def test_few_verdicts_are_wrong_and_many_are_given(bought: list[Purchase], learnt: Calibration) -> None:
    chosen = list(range(150, 240))
    market = PurchasePool(Candidates.from_purchases(bought), learnt.document_frequencies)
    found = judge_trial_quotes(
        estimate_trial_quotes(make_trial_quotes(bought, chosen), market, learnt, past_only=False)
    )
    assert found.n == len(MULTIPLES) * len(chosen)
    assert found.given >= 0.6 * found.n
    assert found.wrong <= 0.05 * found.given


def test_ten_times_the_price_is_not_the_same_thing(
    bought: list[Purchase], learnt: Calibration, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verdict_figures, "MULTIPLES", (10.0,))
    market = PurchasePool(Candidates.from_purchases(bought), learnt.document_frequencies)
    quotes = make_trial_quotes(bought, range(150, 240, 9))
    assert judge_trial_quotes(estimate_trial_quotes(quotes, market, learnt, past_only=False)).given == 0


def test_every_fifth_quote_has_the_edition_or_unit_of_another_purchase(bought: list[Purchase]) -> None:
    quotes = make_trial_quotes(bought, range(20))
    altered = [at for at, quote in enumerate(quotes) if quote.true_price != quote.paid]
    assert altered == [0, 5, 10, 15]
    for at in altered:
        row, quote = bought[at], quotes[at]
        assert quote.query.attributes["edition"] != row.attributes["edition"]
        factor = 3 if row.attributes["edition"] == "Starter" else 1 / 3
        assert quote.true_price / quote.paid == pytest.approx(factor, rel=0.3)
    assert all(quote.query.buyer is None for quote in quotes)


def test_a_price_of_another_edition_is_never_accepted_as_this_one(
    bought: list[Purchase], learnt: Calibration, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Professional quoted as Starter: three times what Starter costs."""
    market = PurchasePool(Candidates.from_purchases(bought), learnt.document_frequencies)
    quotes = [
        replace(
            quote, query=replace(quote.query, attributes={"edition": "Starter"}), true_price=quote.paid / 3
        )
        for quote in make_trial_quotes(bought, range(1, 200, 7))
        if quote.query.attributes["edition"] == "Professional" and quote.true_price == quote.paid
    ]
    monkeypatch.setattr(verdict_figures, "MULTIPLES", (1.0, 2.0))
    found = judge_trial_quotes(estimate_trial_quotes(quotes, market, learnt, past_only=False))
    assert len(quotes) > 5
    assert found.wrong == 0
