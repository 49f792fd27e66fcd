"""Reading processes as the system sees them: environment, limits, and how they end."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.service.documents.faults import ReadersBusy, ReadingCancelled, UnreadableDocument
from app.service.documents.sandbox.reader_pool import ReaderPool, ReadingLimits
from app.service.documents.sandbox.reader_process import TimeLimit
from tests.service.documents import pdf_builder

FORK_SERVER = "sandbox.fork_server"
CSV = b"Item;Price\nSeats;5.00\n"
HEAVY = pdf_builder.drawing(b"0.5 g 0 0 5000 5000 re f\n" * 60_000, (5000, 5000))

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")


@pytest.fixture
def alone() -> Iterator[ReaderPool]:
    """A pool with one process."""
    with ReaderPool(ReadingLimits(processes=1)) as pool:
        yield pool


def children(parent: int) -> set[int]:
    """The processes that run as children of a process."""
    found: set[int] = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, its_parent = path.read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if int(its_parent) == parent and state != "Z":
            found.add(int(path.parent.name))
    return found


def readers_of(parent: int) -> set[int]:
    """The reading processes of a process: copies of its fork server."""
    servers = {one for one in children(parent) if FORK_SERVER in command_of(one)}
    return {one for server in servers for one in children(server)}


def command_of(process: int) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_text()
    except OSError:
        return ""


def test_a_process_knows_nothing_of_the_service(alone: ReaderPool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://me:secret@db/parley")
    monkeypatch.setenv("PARLEY_SECRET_KEY", "secret")
    before = readers_of(os.getpid())
    alone.read_document(CSV, "a.csv", organisation_id="one")
    [process] = readers_of(os.getpid()) - before
    environment = Path(f"/proc/{process}/environ").read_text()
    assert "secret" not in environment
    assert "PARLEY" not in environment
    status = Path(f"/proc/{process}/status").read_text().split("\n")
    if alone.isolation.no_network:
        assert "Seccomp:\t2" in status
    limits = Path(f"/proc/{process}/limits").read_text()
    assert str(1024**3) in limits


def test_two_organisations_never_share_a_process(alone: ReaderPool) -> None:
    before = readers_of(os.getpid())
    served: list[set[int]] = []
    for organisation in ("one", "one", "two", "one"):
        alone.read_document(CSV, "a.csv", organisation_id=organisation)
        served.append(readers_of(os.getpid()) - before)
    assert all(len(processes) == 1 for processes in served)
    assert served[0] == served[1]
    assert len({*served[1], *served[2], *served[3]}) == 3


def test_there_are_never_more_processes_than_allowed() -> None:
    before = readers_of(os.getpid())
    most = 0
    with ReaderPool(ReadingLimits(processes=2)) as pool:

        def read(number: int) -> None:
            pool.read_document(CSV, "a.csv", organisation_id=f"{number}")

        threads = [threading.Thread(target=read, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            most = max(most, len(readers_of(os.getpid()) - before))
            time.sleep(0.01)
    assert 1 <= most <= 2
    assert readers_of(os.getpid()) == before


@pytest.mark.campaign
def test_the_processor_is_limited_and_the_next_document_read() -> None:
    with ReaderPool(ReadingLimits(drawing=TimeLimit(processor=1, clock=60))) as pool:
        with pytest.raises(UnreadableDocument, match="seconds of the processor"):
            pool.render_page(HEAVY, "heavy.pdf", 1, 3000, organisation_id="one")
        assert pool.read_document(CSV, "a.csv", organisation_id="one").line_items


@pytest.mark.campaign
def test_a_drawing_that_nobody_waits_for_ends_at_once(alone: ReaderPool) -> None:
    before = readers_of(os.getpid())
    gone = threading.Event()
    threading.Timer(1.0, gone.set).start()
    began = time.monotonic()
    with pytest.raises(ReadingCancelled):
        alone.render_page(HEAVY, "heavy.pdf", 1, 3000, organisation_id="one", cancelled=gone)
    assert time.monotonic() - began < 9
    assert readers_of(os.getpid()) == before


def test_a_drawing_does_not_wait_for_ever() -> None:
    with ReaderPool(ReadingLimits(processes=1, waiting_seconds=0.1)) as pool:
        gone = threading.Event()
        drawing = threading.Thread(target=lambda: draw(pool, gone))
        drawing.start()
        time.sleep(0.3)
        with pytest.raises(ReadersBusy):
            pool.render_page(HEAVY, "heavy.pdf", 1, 3000, organisation_id="two")
        gone.set()
        drawing.join()


def draw(pool: ReaderPool, gone: threading.Event) -> None:
    with pytest.raises(ReadingCancelled):
        pool.render_page(HEAVY, "heavy.pdf", 1, 3000, organisation_id="one", cancelled=gone)


_SERVICE = """
import sys
from app.service.documents.sandbox.reader_pool import ReaderPool
pool = ReaderPool()
pool.read_document(b"Item;Price\\nSeats;5.00\\n", "a.csv", organisation_id="one")
print("read", flush=True)
sys.stdin.read()
"""


@pytest.mark.campaign
def test_a_process_ends_with_a_service_that_is_killed() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", _SERVICE], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as service:
        assert service.stdout is not None
        assert service.stdout.readline() == b"read\n"
        [reader] = readers_of(service.pid)
        os.kill(reader, signal.SIGSTOP)  # so that it cannot notice the end of its input
        service.kill()
    until = time.monotonic() + 20
    while FORK_SERVER in command_of(reader) and time.monotonic() < until:
        time.sleep(0.02)
    assert FORK_SERVER not in command_of(reader)


@pytest.mark.campaign
def test_the_server_that_is_copied_has_one_thread_and_is_replaced_when_it_dies() -> None:
    with ReaderPool(ReadingLimits(processes=1)) as pool:
        assert pool.read_document(CSV, "a.csv", organisation_id="one").line_items
        [server] = {one for one in children(os.getpid()) if FORK_SERVER in command_of(one)}
        assert "Threads:\t1\n" in Path(f"/proc/{server}/status").read_text()
        os.kill(server, signal.SIGKILL)
        until = time.monotonic() + 20
        while server in children(os.getpid()) and time.monotonic() < until:
            time.sleep(0.02)
        assert pool.read_document(CSV, "a.csv", organisation_id="one").line_items


def test_a_process_outlives_the_thread_that_asked_for_it(alone: ReaderPool) -> None:
    before = readers_of(os.getpid())
    asking = threading.Thread(target=lambda: alone.read_document(CSV, "a.csv", organisation_id="one"))
    asking.start()
    asking.join()
    time.sleep(0.2)
    assert len(readers_of(os.getpid()) - before) == 1


@pytest.mark.campaign
def test_the_pages_of_a_scan_are_read_by_several_processes() -> None:
    pages = [[(60, 60, f"Page {number}"), (60, 120, "Seats for all")] for number in range(1, 6)]
    content = pdf_builder.scans(*pages, [(60, 60, "Total GBP 1,500.00")])
    with ReaderPool(ReadingLimits(processes=3)) as pool:
        before = readers_of(os.getpid())
        extraction = pool.read_document(content, "scan.pdf", organisation_id="one")
        assert len(readers_of(os.getpid()) - before) == 2
    assert (extraction.total, len(extraction.pages)) == (1500, 6)
    assert not any("pages were read" in warning for warning in extraction.warnings)


@pytest.mark.campaign
def test_a_scan_that_takes_too_long_is_read_as_far_as_the_time_goes() -> None:
    pages = [[(60, 60, "Total GBP 1,500.00"), (60, 120, "Seats for all")]] * 30
    with ReaderPool(ReadingLimits(processes=2, reading=TimeLimit(processor=5, clock=120))) as pool:
        extraction = pool.read_document(pdf_builder.scans(*pages), "scan.pdf", organisation_id="one")
    assert extraction.total == 1500
    assert re.match(r"Only \d+ of the 30 pages were read", extraction.warnings[0])
