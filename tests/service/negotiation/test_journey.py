"""From a start to an agreement, through the public interface."""

from tests.service.negotiation.negotiation_driver import Desk


def test_a_start_with_a_scope_becomes_pending_with_three_numbers_in_order(desk: Desk) -> None:
    negotiation_id = desk.start()
    assert desk.status(negotiation_id) == "planning"
    desk.work()
    assert desk.status(negotiation_id) == "pending"
    strategy = desk.timeline(negotiation_id)["strategy"]
    opening, target, walk_away = (strategy[name] for name in ("opening", "target", "walkAway"))
    assert 0 < opening["amount"] <= target["amount"] <= walk_away["amount"]
    assert all(number["purchases"] >= 5 and number["reason"] for number in (opening, target, walk_away))


def test_a_quote_activates_and_is_judged_and_an_agreement_completes_with_savings(desk: Desk) -> None:
    negotiation_id = desk.planned()
    desk.quote(negotiation_id, 5000)
    assert desk.status(negotiation_id) == "active"
    assert [one["reason"] for one in desk.escalations(negotiation_id)] == ["quote_above_walk_away"]
    desk.quote(negotiation_id, 900.5)
    assert [one["reason"] for one in desk.escalations(negotiation_id)] == ["quote_within_target"]
    assert [one["reason"] for one in desk.escalations(negotiation_id, "expired")] == ["quote_above_walk_away"]
    desk.update(negotiation_id, "agreement", amount=900, currency="USD")
    summary = desk.summary(negotiation_id)
    assert summary["status"] == "complete"
    newest = summary["executiveSummaries"][0]
    assert newest["figures"] == {"quoted": 5000, "agreed": 900, "savings": 4100, "savingsRate": 82}
    assert desk.escalations(negotiation_id) == []
