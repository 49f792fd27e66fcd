"""A cancellation ends a negotiation in any state and leaves no open escalation or timer."""

from collections.abc import Callable

import pytest

from tests.service.negotiation.negotiation_driver import NegotiationDriver


def asked_and_active(driver: NegotiationDriver) -> str:
    negotiation_id = driver.start_planned()
    driver.quote(negotiation_id, 5000, validUntil="2026-11-25")
    return negotiation_id


@pytest.mark.campaign
@pytest.mark.parametrize(
    "begin",
    [lambda driver: driver.start(), lambda driver: driver.start_planned(), asked_and_active],
    ids=["planning", "pending", "active"],
)
def test_a_cancellation_ends_every_state_that_is_not_final(
    driver: NegotiationDriver, begin: Callable[[NegotiationDriver], str]
) -> None:
    negotiation_id = begin(driver)
    driver.update(negotiation_id, "cancellation", reason="No budget")
    driver.run_tasks()
    assert driver.status(negotiation_id) == "cancelled"
    assert driver.escalations(negotiation_id) == []
    driver.clock.advance(days=60)
    assert driver.fire_timers() == 0
    newest = driver.summary(negotiation_id)["executiveSummaries"][0]
    assert newest["title"] == "Cancelled"
    assert "savings" not in newest["figures"]


def test_a_cancellation_emits_events_and_expires_open_escalations(driver: NegotiationDriver) -> None:
    negotiation_id = asked_and_active(driver)
    (waiting,) = driver.escalations(negotiation_id)
    driver.update(negotiation_id, "cancellation")
    ended, *_, last = driver.load_events()[negotiation_id][-2:]
    assert ended["eventType"] == "negotiation.escalation.updated"
    assert (ended["data"]["escalationId"], ended["data"]["status"]) == (waiting["id"], "expired")
    assert (last["eventType"], last["data"]["status"]) == ("negotiation.summary.updated", "cancelled")


def test_a_second_cancellation_is_refused_unless_it_is_a_repeat(driver: NegotiationDriver) -> None:
    negotiation_id = driver.start_planned()
    driver.update(negotiation_id, "cancellation", external_id="c", at="2026-11-20T10:00:00Z")
    driver.update(negotiation_id, "cancellation", external_id="c", at="2026-11-20T10:00:00Z")
    driver.update(negotiation_id, "cancellation", 409, external_id="d")
    assert driver.status(negotiation_id) == "cancelled"


def test_savings_do_not_count_cancelled_negotiations(driver: NegotiationDriver) -> None:
    driver.update(asked_and_active(driver), "cancellation")
    assert driver.get("/v1/negotiation/savings")["negotiations"] == []
