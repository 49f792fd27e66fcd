"""A server that is told to stop lets writes finish."""

import asyncio
import threading
import time

from app.dashboard.writes import WritesInFlight


def test_nothing_under_way_is_drained_at_once() -> None:
    begun = time.monotonic()
    assert asyncio.run(WritesInFlight().drained(5))
    assert time.monotonic() - begun < 1


def test_the_end_waits_for_a_write() -> None:
    writes = WritesInFlight()
    finished = threading.Event()
    started = threading.Event()

    def write() -> None:
        with writes.one():
            started.set()
            time.sleep(0.3)
            finished.set()

    thread = threading.Thread(target=write)
    thread.start()
    started.wait(5)
    assert asyncio.run(writes.drained(5))
    assert finished.is_set()
    thread.join()


def test_a_write_that_never_ends_does_not_hold_the_server_up_for_ever() -> None:
    writes = WritesInFlight()
    with writes.one():
        assert not asyncio.run(writes.drained(0.05))
    assert writes.count == 0


def test_a_write_that_fails_is_no_longer_under_way() -> None:
    writes = WritesInFlight()
    try:
        with writes.one():
            raise RuntimeError
    except RuntimeError:
        pass
    assert writes.count == 0
