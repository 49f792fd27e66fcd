"""A server that is told to stop lets writes finish."""

import asyncio
import signal
import threading
import time
from pathlib import Path

import pytest

from app.dashboard.server.inflight_writes import WritesInFlight
from tests.browser.dashboard_process import SCRIPT, dashboard

WRITING = """
import pathlib, threading, time
import pytest

from app.dashboard.server.inflight_writes import inflight_writes

def write():
    while not pathlib.Path("go").exists():
        time.sleep(0.02)
    with inflight_writes.track():
        pathlib.Path("begun").touch()
        time.sleep(1.5)
        pathlib.Path("written").touch()

threading.Thread(target=write, daemon=True).start()
"""
"""A thread that ends with its process, as those of scripts do."""


@pytest.mark.campaign
def test_a_server_that_is_told_to_stop_ends_after_the_write(tmp_path: Path) -> None:
    with dashboard(tmp_path, script=WRITING + SCRIPT) as (_, process):
        (tmp_path / "go").touch()
        while not (tmp_path / "begun").exists():
            time.sleep(0.02)
        process.send_signal(signal.SIGTERM)
        process.wait(30)
    assert (tmp_path / "written").exists()


def test_nothing_under_way_is_drained_at_once() -> None:
    begun = time.monotonic()
    assert asyncio.run(WritesInFlight().wait_until_none(5))
    assert time.monotonic() - begun < 1


def test_the_end_waits_for_a_write() -> None:
    writes = WritesInFlight()
    finished = threading.Event()
    started = threading.Event()

    def write() -> None:
        with writes.track():
            started.set()
            time.sleep(0.3)
            finished.set()

    thread = threading.Thread(target=write)
    thread.start()
    started.wait(5)
    assert asyncio.run(writes.wait_until_none(5))
    assert finished.is_set()
    thread.join()


def test_a_write_that_never_ends_does_not_hold_the_server_up_for_ever() -> None:
    writes = WritesInFlight()
    with writes.track():
        assert not asyncio.run(writes.wait_until_none(0.05))
    assert writes.count == 0


def test_a_write_that_fails_is_no_longer_under_way() -> None:
    writes = WritesInFlight()
    try:
        with writes.track():
            raise RuntimeError
    except RuntimeError:
        pass
    assert writes.count == 0
