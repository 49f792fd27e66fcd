"""A worker that stands still for a while loses its place, and when it wakes it sends nothing that another one
has taken over."""

import pytest

from app.service.context import Context
from app.service.webhooks.sending_limits import MAX_IN_FLIGHT
from app.settings import Settings
from tests.service.background.worker_fixture import worker
from tests.service.worker.stalling import stall_in_the_middle


@pytest.mark.campaign
@pytest.mark.parametrize("database_url", ["sqlite", "postgresql"], indirect=True)
def test_what_a_stalled_worker_had_not_begun_is_sent_once(context: Context, settings: Settings) -> None:
    """Others take over from a worker of these tests that was silent for three seconds."""
    stalls = stall_in_the_middle(context, settings, worker, count=400, seconds=[5.0])
    assert stalls.received.keys() == stalls.owed
    if context.database.takes_several_workers:
        # Those that were being sent may have looked at the clock, and waited for their connection.
        assert len(stalls.repeated - stalls.in_flight) <= MAX_IN_FLIGHT
    else:
        assert not stalls.repeated
