"""A decision resolves its escalation once."""

import pytest

from tests.service.negotiation.negotiation_driver import NegotiationDriver

UNKNOWN = "018f2c5e-7b1a-7c3d-9e4f-5a6b7c8d9e0f"


def test_the_go_ahead_activates_the_negotiation(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start_planned()
    driver.update(negotiation_id, "decision", decision="go_ahead")
    assert driver.status(negotiation_id) == "active"


def test_the_go_ahead_before_there_is_a_strategy_is_a_409(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start()
    driver.update(negotiation_id, "decision", 409, decision="go_ahead")
    assert driver.status(negotiation_id) == "planning"


@pytest.mark.campaign
def test_a_counter_resolves_the_escalation_and_sets_the_next_offer(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start_planned()
    driver.quote(negotiation_id, 5000)
    (waiting,) = driver.escalations(negotiation_id)
    assert waiting["recommended"] == "counter"
    driver.update(negotiation_id, "decision", escalationId=waiting["id"], decision="counter", amount=950.25)
    (done,) = driver.escalations(negotiation_id, "resolved")
    assert (done["id"], done["resolution"]) == (waiting["id"], "counter")
    assert done["resolvedAt"] == done["updatedAt"]
    assert driver.timeline(negotiation_id)["nextOffer"] == 950.25
    driver.quote(negotiation_id, 4000)
    assert "nextOffer" not in driver.timeline(negotiation_id)


@pytest.mark.campaign
def test_a_counter_without_an_amount_takes_that_of_the_option_else_the_next_offer(
    driver: NegotiationDriver,
) -> None:
    negotiation_id = driver.start_planned()
    driver.update(negotiation_id, "strategy", target=1100, walkAway=1300, note="Room to move")
    numbers = driver.timeline(negotiation_id)["strategy"]
    opening, target = numbers["opening"]["amount"], numbers["target"]["amount"]
    driver.update(negotiation_id, "decision", decision="counter")
    first = driver.timeline(negotiation_id)["nextOffer"]
    assert first == pytest.approx(opening, rel=0.01)
    driver.quote(negotiation_id, 5000)
    (waiting,) = driver.escalations(negotiation_id)
    offered = next(option["amount"] for option in waiting["options"] if option["decision"] == "counter")
    assert first < offered <= target
    driver.update(negotiation_id, "decision", decision="counter")
    assert driver.timeline(negotiation_id)["nextOffer"] == offered
    assert driver.escalations(negotiation_id) == []


def test_a_counter_with_nothing_to_take_an_amount_from_is_a_422(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start_planned(scope=None)
    answer = driver.update(negotiation_id, "decision", 422, decision="counter")
    assert answer.json()["errors"][0]["pointer"] == "/payload/amount"


def test_deciding_again_is_a_409_and_deciding_another_negotiation_s_is_a_400(
    driver: NegotiationDriver,
) -> None:
    one, other = driver.start_planned(), driver.start_planned()
    driver.quote(one, 5000)
    (waiting,) = driver.escalations(one)
    for strange in (waiting["id"], UNKNOWN):
        answer = driver.update(other, "decision", 400, escalationId=strange, decision="accept")
        assert answer.json()["errors"][0]["pointer"] == "/payload/escalationId"
    driver.update(one, "decision", escalationId=waiting["id"], decision="walk_away")
    driver.update(one, "decision", 409, escalationId=waiting["id"], decision="accept")
    (done,) = driver.escalations(one, "resolved")
    assert done["resolution"] == "walk_away"
    assert driver.status(one) == "active"


def test_an_unknown_decision_is_a_422(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start_planned()
    driver.update(negotiation_id, "decision", 422, decision="shrug")
    driver.update(negotiation_id, "decision", 422)
    driver.update(negotiation_id, "decision", 422, decision="accept", escalationId="7")


def test_a_repeated_offer_asks_again_and_a_decided_one_does_not(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start_planned()
    driver.quote(negotiation_id, 5000)
    driver.update(negotiation_id, "decision", decision="walk_away")
    driver.quote(negotiation_id, 6000, at="2026-11-19T00:00:00Z")
    assert driver.escalations(negotiation_id) == []
    driver.quote(negotiation_id, 5000)
    assert [one["reason"] for one in driver.escalations(negotiation_id)] == ["quote_above_walk_away"]


def test_an_offer_for_another_term_or_quantity_is_asked_about(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start_planned()
    product = driver.market.product_id
    driver.quote(negotiation_id, 900, termLength=24, lines=[{"productId": product, "quantity": 11}])
    (waiting,) = driver.escalations(negotiation_id)
    assert waiting["reason"] == "scope_mismatch"
    assert "24 months" in waiting["description"]
    assert "quantity of 11" in waiting["description"]
    driver.quote(negotiation_id, 900, termLength=12, lines=[{"productId": product, "quantity": 10.0}])
    assert [one["reason"] for one in driver.escalations(negotiation_id)] == ["quote_within_target"]
