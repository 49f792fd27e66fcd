"""An offer that is reported late or corrected counts by its own term and quantity, as one in time does."""

from typing import Any

import pytest

from tests.service.negotiation.negotiation_driver import NegotiationDriver

EARLY = "2026-01-02T09:00:00Z"


def agree(driver: NegotiationDriver, negotiation_id: str, amount: float) -> dict[str, Any]:
    driver.update(negotiation_id, "agreement", amount=amount, currency="USD")
    return driver.summary(negotiation_id)["executiveSummaries"][0]["figures"]


@pytest.mark.parametrize("of_two", [{"termLength": 24}, {"lines": [20]}])
def test_a_late_offer_for_something_else_is_no_first_offer(
    driver: NegotiationDriver, of_two: dict[str, Any]
) -> None:
    negotiation = driver.start_planned()
    if "lines" in of_two:
        of_two = {"lines": [{"productId": driver.market.product_id, "quantity": 20}]}
    driver.quote(negotiation, 1_500)
    driver.quote(negotiation, 2_600, at=EARLY, **of_two)
    summaries = driver.summary(negotiation)["executiveSummaries"]
    assert "An earlier quote was added" not in {one["title"] for one in summaries}
    figures = agree(driver, negotiation, 1_200)
    assert (figures["quoted"], figures["savings"]) == (1_500, 300)


def test_a_late_offer_is_the_first_where_the_one_before_it_is_for_something_else(
    driver: NegotiationDriver,
) -> None:
    negotiation = driver.start_planned()
    driver.quote(negotiation, 2_600, at=EARLY, termLength=24)
    driver.quote(negotiation, 1_500)
    driver.quote(negotiation, 1_600, at="2026-01-03T09:00:00Z")
    assert driver.summary(negotiation)["executiveSummaries"][0]["title"] == "An earlier quote was added"
    assert agree(driver, negotiation, 1_200)["savings"] == 400


def test_an_earlier_offer_that_is_corrected_to_another_term_is_no_first_offer(
    driver: NegotiationDriver,
) -> None:
    negotiation = driver.start_planned()
    driver.quote(negotiation, 900, external_id="wrong", at=EARLY)
    driver.quote(negotiation, 1_500)
    driver.update(negotiation, "correction", externalId="wrong", termLength=6)
    assert driver.timeline(negotiation)["bestOffer"] == 1_500
    assert agree(driver, negotiation, 1_200)["savings"] == 300


def test_a_quantity_that_one_of_the_lines_does_not_state_is_not_known(driver: NegotiationDriver) -> None:
    negotiation = driver.start_planned()
    product = {"productId": driver.market.product_id}
    driver.quote(negotiation, 1_500, lines=[product, product | {"quantity": 4}])
    assert "scope_mismatch" not in {one["reason"] for one in driver.escalations(negotiation)}


@pytest.mark.parametrize("amount", [300, 1_150, 3_000])
def test_that_an_offer_has_expired_is_said_where_it_is_decided_on(
    driver: NegotiationDriver, amount: float
) -> None:
    negotiation = driver.start_planned()
    driver.quote(negotiation, amount, validUntil="2026-11-10")
    [asked] = driver.escalations(negotiation)
    assert "It was valid until 10 November 2026: ask the supplier to confirm it." in asked["description"]
    driver.quote(negotiation, amount, validUntil=f"{driver.clock():%Y-%m-%d}")
    assert all("It was valid" not in one["description"] for one in driver.escalations(negotiation))
