"""From a start to an agreement, through the public interface."""

import pytest

from tests.service.negotiation.negotiation_driver import NegotiationDriver


def test_a_start_with_a_scope_becomes_pending_with_three_numbers_in_order(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start()
    assert driver.status(negotiation_id) == "planning"
    driver.run_tasks()
    assert driver.status(negotiation_id) == "pending"
    strategy = driver.timeline(negotiation_id)["strategy"]
    opening, target, walk_away = (strategy[name] for name in ("opening", "target", "walkAway"))
    assert 0 < opening["amount"] <= target["amount"] <= walk_away["amount"]
    assert all(number["purchases"] >= 5 and number["reason"] for number in (opening, target, walk_away))


@pytest.mark.campaign
def test_a_quote_activates_and_is_assessed_and_an_agreement_completes_with_savings(
    driver: NegotiationDriver,
) -> None:
    negotiation_id = driver.start_planned()
    driver.quote(negotiation_id, 5000)
    assert driver.status(negotiation_id) == "active"
    assert [one["reason"] for one in driver.escalations(negotiation_id)] == ["quote_above_walk_away"]
    driver.quote(negotiation_id, 900.5)
    assert [one["reason"] for one in driver.escalations(negotiation_id)] == ["quote_within_target"]
    assert [one["reason"] for one in driver.escalations(negotiation_id, "expired")] == [
        "quote_above_walk_away"
    ]
    driver.update(negotiation_id, "agreement", amount=900, currency="USD")
    summary = driver.summary(negotiation_id)
    assert summary["status"] == "complete"
    newest = summary["executiveSummaries"][0]
    assert newest["figures"] == {"quoted": 5000, "agreed": 900, "savings": 4100, "savingsRate": 82}
    assert driver.escalations(negotiation_id) == []
