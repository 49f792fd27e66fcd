"""Decisions: they resolve what they are about, once."""

import pytest

from tests.service.negotiation.negotiation_driver import Desk

UNKNOWN = "018f2c5e-7b1a-7c3d-9e4f-5a6b7c8d9e0f"


def test_the_go_ahead_activates(desk: Desk) -> None:
    negotiation_id = desk.planned()
    desk.update(negotiation_id, "decision", decision="go_ahead")
    assert desk.status(negotiation_id) == "active"


def test_the_go_ahead_before_there_is_a_strategy_is_a_409(desk: Desk) -> None:
    negotiation_id = desk.start()
    desk.update(negotiation_id, "decision", 409, decision="go_ahead")
    assert desk.status(negotiation_id) == "planning"


def test_a_counter_resolves_the_escalation_and_sets_the_next_offer(desk: Desk) -> None:
    negotiation_id = desk.planned()
    desk.quote(negotiation_id, 5000)
    (waiting,) = desk.escalations(negotiation_id)
    assert waiting["recommended"] == "counter"
    desk.update(negotiation_id, "decision", escalationId=waiting["id"], decision="counter", amount=950.25)
    (done,) = desk.escalations(negotiation_id, "resolved")
    assert (done["id"], done["resolution"]) == (waiting["id"], "counter")
    assert done["resolvedAt"] == done["updatedAt"]
    assert desk.timeline(negotiation_id)["nextOffer"] == 950.25
    desk.quote(negotiation_id, 4000)
    assert "nextOffer" not in desk.timeline(negotiation_id)


def test_a_counter_without_an_amount_takes_that_of_the_option_else_the_next_one(desk: Desk) -> None:
    negotiation_id = desk.planned()
    numbers = desk.timeline(negotiation_id)["strategy"]
    opening, target = numbers["opening"]["amount"], numbers["target"]["amount"]
    desk.update(negotiation_id, "decision", decision="counter")
    first = desk.timeline(negotiation_id)["nextOffer"]
    assert first == pytest.approx(opening, rel=0.01)
    desk.quote(negotiation_id, 5000)
    (waiting,) = desk.escalations(negotiation_id)
    offered = next(option["amount"] for option in waiting["options"] if option["decision"] == "counter")
    assert first < offered <= target
    desk.update(negotiation_id, "decision", decision="counter")
    assert desk.timeline(negotiation_id)["nextOffer"] == offered
    assert desk.escalations(negotiation_id) == []


def test_a_counter_with_nothing_to_take_an_amount_from_is_a_422(desk: Desk) -> None:
    negotiation_id = desk.planned(scope=None)
    answer = desk.update(negotiation_id, "decision", 422, decision="counter")
    assert answer.json()["errors"][0]["pointer"] == "/payload/amount"


def test_deciding_again_is_a_409_and_deciding_another_negotiation_s_is_a_400(desk: Desk) -> None:
    one, other = desk.planned(), desk.planned()
    desk.quote(one, 5000)
    (waiting,) = desk.escalations(one)
    for strange in (waiting["id"], UNKNOWN):
        answer = desk.update(other, "decision", 400, escalationId=strange, decision="accept")
        assert answer.json()["errors"][0]["pointer"] == "/payload/escalationId"
    desk.update(one, "decision", escalationId=waiting["id"], decision="walk_away")
    desk.update(one, "decision", 409, escalationId=waiting["id"], decision="accept")
    (done,) = desk.escalations(one, "resolved")
    assert done["resolution"] == "walk_away"
    assert desk.status(one) == "active"


def test_an_unknown_decision_is_a_422(desk: Desk) -> None:
    negotiation_id = desk.planned()
    desk.update(negotiation_id, "decision", 422, decision="shrug")
    desk.update(negotiation_id, "decision", 422)
    desk.update(negotiation_id, "decision", 422, decision="accept", escalationId="7")


def test_a_repeated_offer_asks_again_and_a_decided_one_does_not(desk: Desk) -> None:
    negotiation_id = desk.planned()
    desk.quote(negotiation_id, 5000)
    desk.update(negotiation_id, "decision", decision="walk_away")
    desk.quote(negotiation_id, 6000, at="2026-11-19T00:00:00Z")
    assert desk.escalations(negotiation_id) == []
    desk.quote(negotiation_id, 5000)
    assert [one["reason"] for one in desk.escalations(negotiation_id)] == ["quote_above_walk_away"]


def test_an_offer_for_another_term_or_quantity_is_asked_about(desk: Desk) -> None:
    negotiation_id = desk.planned()
    product = desk.market.product_id
    desk.quote(negotiation_id, 900, termLength=24, lines=[{"productId": product, "quantity": 11}])
    (waiting,) = desk.escalations(negotiation_id)
    assert waiting["reason"] == "scope_mismatch"
    assert "24 months" in waiting["description"]
    assert "quantity of 11" in waiting["description"]
    desk.quote(negotiation_id, 900, termLength=12, lines=[{"productId": product, "quantity": 10.0}])
    assert [one["reason"] for one in desk.escalations(negotiation_id)] == ["quote_within_target"]
