"""A cancellation ends a negotiation from wherever it stands, and leaves nothing waiting."""

from collections.abc import Callable

import pytest

from tests.service.negotiation.negotiation_driver import Desk


def asked_and_active(desk: Desk) -> str:
    negotiation_id = desk.planned()
    desk.quote(negotiation_id, 5000, validUntil="2026-11-25")
    return negotiation_id


@pytest.mark.parametrize(
    "begin",
    [lambda desk: desk.start(), lambda desk: desk.planned(), asked_and_active],
    ids=["planning", "pending", "active"],
)
def test_it_ends_every_state_that_is_not_the_end(desk: Desk, begin: Callable[[Desk], str]) -> None:
    negotiation_id = begin(desk)
    desk.update(negotiation_id, "cancellation", reason="No budget")
    desk.work()
    assert desk.status(negotiation_id) == "cancelled"
    assert desk.escalations(negotiation_id) == []
    desk.clock.step(days=60)
    assert desk.fire() == 0
    newest = desk.summary(negotiation_id)["executiveSummaries"][0]
    assert newest["title"] == "Cancelled"
    assert "savings" not in newest["figures"]


def test_it_is_told_with_the_questions_that_it_ends(desk: Desk) -> None:
    negotiation_id = asked_and_active(desk)
    (waiting,) = desk.escalations(negotiation_id)
    desk.update(negotiation_id, "cancellation")
    ended, *_, last = desk.told()[negotiation_id][-2:]
    assert ended["eventType"] == "negotiation.escalation.updated"
    assert (ended["data"]["escalationId"], ended["data"]["status"]) == (waiting["id"], "expired")
    assert (last["eventType"], last["data"]["status"]) == ("negotiation.summary.updated", "cancelled")


def test_a_second_one_is_refused_unless_it_is_the_same(desk: Desk) -> None:
    negotiation_id = desk.planned()
    desk.update(negotiation_id, "cancellation", external_id="c", at="2026-11-20T10:00:00Z")
    desk.update(negotiation_id, "cancellation", external_id="c", at="2026-11-20T10:00:00Z")
    desk.update(negotiation_id, "cancellation", 409, external_id="d")
    assert desk.status(negotiation_id) == "cancelled"


def test_what_was_saved_counts_no_cancelled_one(desk: Desk) -> None:
    desk.update(asked_and_active(desk), "cancellation")
    assert desk.get("/v1/negotiation/savings")["negotiations"] == []
