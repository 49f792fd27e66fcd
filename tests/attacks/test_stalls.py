"""Each worker is stopped for 1, 5 and 10 seconds in the course of 5,000 deliveries: none is lost, and
repeated is only what was in flight."""

import logging
from contextlib import AbstractContextManager
from ipaddress import ip_network
from multiprocessing.context import ForkServerProcess

import pytest

from app.service.context import Context
from app.service.webhooks.sending_limits import MAX_IN_FLIGHT
from app.service.worker.worker import run_worker
from app.settings import Settings
from tests.service.background.worker_fixture import in_a_process
from tests.service.worker.stalling import stall_in_the_middle

log = logging.getLogger(__name__)

pytestmark = [pytest.mark.campaign, pytest.mark.timeout(900)]


def work(settings: Settings) -> None:
    """A worker in earnest, which may call this machine."""
    logging.basicConfig(level=logging.WARNING)
    run_worker(settings.model_copy(update={"webhook_allow": (ip_network("127.0.0.0/8"),)}), handlers={})


def start_worker(settings: Settings) -> AbstractContextManager[ForkServerProcess]:
    return in_a_process(work, settings)


def test_stalls_repeat_nothing_but_what_was_in_flight(context: Context, settings: Settings) -> None:
    seconds = [1.0, 1.0, 5.0, 5.0, 10.0, 10.0]
    stalls = stall_in_the_middle(context, settings, start_worker, count=5000, seconds=seconds)
    assert stalls.received.keys() == stalls.owed
    log.info("%d repeated, %d in flight at the stops", len(stalls.repeated), len(stalls.in_flight))
    if context.database.takes_several_workers:
        # Those that were being sent may have looked at the clock, and waited for their connection.
        assert len(stalls.repeated - stalls.in_flight) <= len(seconds) * MAX_IN_FLIGHT
    else:
        assert not stalls.repeated
