"""Estimates that were made before a price was agreed are compared with it, deal by deal."""

from typing import Any

import pytest

from app.service.database.tables import company
from tests.service.conftest import key_for
from tests.service.negotiation.negotiation_driver import NegotiationDriver


def deal(driver: NegotiationDriver, amount: float, **more: Any) -> str:
    negotiation_id = driver.start_planned()
    driver.message(negotiation_id)
    driver.clock.advance(hours=1)
    driver.update(negotiation_id, "agreement", amount=amount, currency="USD", **more)
    driver.run_tasks()
    return negotiation_id


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_estimates_before_deals_are_compared_and_few_are_called_few(driver: NegotiationDriver) -> None:
    none = driver.get("/v1/negotiation/accuracy")
    assert (none["deals"], "mdape" in none) == (0, False)
    assert none["statement"] == "No price has been agreed in a negotiation yet."
    negotiation_id = deal(driver, 1000)
    median = driver.timeline(negotiation_id)["strategy"]["median"]
    deal(driver, 1000, termLength=24)
    deal(driver, 1000, signedAt="2026-11-20")  # the day of the estimate, at an hour that nobody knows
    deal(driver, 90, signedAt="2026-11-22T09:00:00Z")
    told = driver.get("/v1/negotiation/accuracy")
    assert told["deals"] == 2
    assert told["statement"].startswith("Only 2 deals can be compared: too few")
    far, near = told["compared"]
    assert (near["negotiationId"], near["median"], near["paid"]) == (negotiation_id, median, 1000)
    assert near["error"] == pytest.approx((median - 1000) / 1000, abs=0.0001)
    assert near["within80"] is (near["low"] <= 1000 <= near["high"])
    assert far["within80"] is False
    assert told["bias"] == round((near["error"] + far["error"]) / 2, 4)
    assert {one["reason"]: one["total"] for one in told["uncounted"]} == {
        "The price was agreed for another term.": 1,
        "The estimate was not surely made before the price was agreed.": 1,
    }
    with driver.context.database.writing() as connection:
        connection.execute(company.update().values(sample=True))
    invented = driver.get("/v1/negotiation/accuracy")
    assert (
        invented["statement"] == "None of the agreed prices had an estimate before it that can be compared."
    )
    assert invented["uncounted"] == [
        {"reason": "It is of sample data, whose prices are invented.", "total": 4}
    ]
    stranger = {"Authorization": f"Bearer {key_for(driver.context, 'Elsewhere')}"}
    assert driver.api.get("/v1/negotiation/accuracy", headers=stranger).json()["deals"] == 0
