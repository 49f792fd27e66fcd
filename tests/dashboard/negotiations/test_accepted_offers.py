"""An accepted offer is put on record as long as it stands."""

from datetime import timedelta
from decimal import Decimal

import pytest

from app.contract.negotiation import TimelineEntry
from app.dashboard.negotiations.decisions import find_accepted_amount
from tests.components.fixtures import NOON, make_id
from tests.components.negotiations.fixtures import make_escalation

ACCEPTED = make_escalation().model_copy(update={"status": "resolved", "resolution": "accept"})


@pytest.mark.parametrize(
    ("kind", "hours", "stands"),
    [("quote", -1, True), ("quote", 1, False), ("correction", 1, False), ("message", 1, True)],
)
def test_an_offer_that_came_or_was_withdrawn_since_is_not_put_on_record_as_agreed(
    kind: str, hours: int, stands: bool
) -> None:
    at = NOON + timedelta(hours=hours)
    entry = TimelineEntry(id=make_id(1), kind=kind, happened_at=at, recorded_at=at)
    assert find_accepted_amount([ACCEPTED], [entry]) == (Decimal(56_000) if stands else None)


@pytest.mark.parametrize(("resolution", "stands"), [("accept", True), ("counter", False)])
def test_a_clause_that_was_accepted_since_leaves_the_offer_accepted(resolution: str, stands: bool) -> None:
    later = {"updated_at": NOON + timedelta(hours=1), "resolution": resolution, "reason": "contract_clause"}
    found = find_accepted_amount([ACCEPTED, ACCEPTED.model_copy(update=later)], [])
    assert found == (Decimal(56_000) if stands else None)
