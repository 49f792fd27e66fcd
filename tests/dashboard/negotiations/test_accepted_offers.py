"""An accepted offer is put on record as long as it stands."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from app.contract.negotiation import TimelineEntry
from app.dashboard.negotiations.decisions import find_accepted_amount, find_accepted_term
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


def test_what_is_put_on_record_has_the_term_of_the_offer() -> None:
    """An offer for another term than the request's would else be measured against that of the request."""

    def entry(number: int, kind: str, amount: int, **more: Any) -> TimelineEntry:
        stated = {"amount": Decimal(amount), "happened_at": NOON, "recorded_at": NOON, **more}
        return TimelineEntry(id=make_id(number), kind=kind, **stated)

    offers = [entry(1, "quote", 9), entry(2, "quote", 8, payload={"termLength": 36})]
    assert [find_accepted_term(Decimal(amount), offers) for amount in (9, 8, 7)] == [None, 36, None]
    corrected = entry(3, "correction", 8, corrects=make_id(2), payload={"termLength": 24})
    assert find_accepted_term(Decimal(8), [*offers, corrected]) == 24
