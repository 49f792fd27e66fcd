"""What is done aside says what went wrong, and ends with the process that asked for it."""

import os
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from app.service.background.subprocess_job import run_in_subprocess
from tests.service.background.worker_fixture import in_a_process, until


def note_who_works(path: Path) -> None:
    path.write_text(f"{os.getpid()} {os.nice(0)}")


def note_other_threads(path: Path) -> None:
    square = np.ones((500, 500))
    assert (square @ square).max() == 500
    path.write_text(str(len(list(Path("/proc/self/task").iterdir())) - threading.active_count()))


def fail() -> None:
    raise ZeroDivisionError("it never works")


def work_for_long(path: Path) -> None:
    note_who_works(path)
    time.sleep(60)


def wait_for_long(path: Path) -> None:
    run_in_subprocess(work_for_long, path)


@pytest.mark.campaign
def test_it_is_done_by_another_process_that_gives_way(tmp_path: Path) -> None:
    run_in_subprocess(note_who_works, tmp_path / "who")
    process, priority = map(int, (tmp_path / "who").read_text().split())
    assert process != os.getpid()
    assert priority > os.nice(0)


@pytest.mark.campaign
def test_numbers_are_multiplied_in_its_own_thread(tmp_path: Path) -> None:
    run_in_subprocess(note_other_threads, tmp_path / "threads")
    assert (tmp_path / "threads").read_text() == "0"


def take_memory() -> None:
    bytearray(1 << 30)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems bound no memory")
def test_memory_is_bounded() -> None:
    with pytest.raises(MemoryError):
        run_in_subprocess(take_memory, memory=1 << 30)


@pytest.mark.campaign
def test_what_goes_wrong_is_raised_here() -> None:
    with pytest.raises(ZeroDivisionError, match="it never works"):
        run_in_subprocess(fail)


@pytest.mark.campaign
def test_it_ends_when_its_parent_is_killed(tmp_path: Path) -> None:
    def who() -> int:
        path = tmp_path / "who"
        return int(path.read_text().split()[0]) if path.exists() and path.read_text() else 0

    with in_a_process(wait_for_long, tmp_path / "who") as parent:
        until(lambda: who() > 0)
        parent.kill()
    until(lambda: not is_running(who()))


def is_running(process: int) -> bool:
    """Whether it works; one that ended and that nobody has asked for does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
