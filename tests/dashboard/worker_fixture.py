"""A worker in a process of its own, for tests that need documents read or events delivered."""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from ipaddress import ip_network

from app.service.worker.worker import run_worker
from app.settings import Settings
from tests.service.background.worker_fixture import in_a_process


def running_worker(settings: Settings) -> AbstractContextManager[object]:
    """A worker on the data of `settings`, which may call receivers on the loopback."""
    return in_a_process(
        run_worker, settings.model_copy(update={"webhook_allow": (ip_network("127.0.0.0/8"),)})
    )


def wait_until(condition: Callable[[], bool], seconds: float = 60) -> None:
    """AssertionError when it does not come to hold in time."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.1)
