"""One reading process as its parent sees it: asked over pipes, bounded in time, ended for certain."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from app.service.documents.faults import ReadingCancelled
from app.service.documents.sandbox.forked_process import ForkedProcess
from app.service.documents.sandbox.messages import (
    Answer,
    Failure,
    InvalidAnswer,
    Request,
    receive_answer,
    send_request,
)

_ROOT = Path(__file__).resolve().parents[4]
_FAILED = "The document made the reader fail; it may be damaged or too large."
_ENVIRONMENT = {
    "LC_ALL": "C.UTF-8",
    "PYTHONPATH": str(_ROOT),
    "PYTHONDONTWRITEBYTECODE": "1",
    # Threads of numeric libraries reserve memory and gain nothing on small pages.
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    # The pictures of recognition go back to the system when they are done with: a scan takes 1.1 GiB with
    # the C library's own settings, and 0.7 GiB with these.
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_THRESHOLD_": str(1024**2),
}
_INHERITED = ("LD_LIBRARY_PATH", "TZ")
_POLL_SECONDS = 0.02


def process_environment() -> dict[str, str]:
    """Return the environment of a reading process: nothing of ours but where its libraries are."""
    return _ENVIRONMENT | {name: os.environ[name] for name in _INHERITED if name in os.environ}


@dataclass(frozen=True, slots=True)
class TimeLimit:
    """What one request may take: seconds of the processor, and of the clock, which also counts waiting."""

    processor: int
    clock: float


def _start_process(memory: int) -> ForkedProcess | subprocess.Popen[bytes]:
    """A reading process with `memory` bytes at most."""
    if sys.platform == "linux":
        return ForkedProcess(process_environment(), memory)
    # Elsewhere the system's libraries do not stand being copied.
    return subprocess.Popen(
        [sys.executable, "-m", "app.service.documents.sandbox.sandbox_worker", str(os.getpid()), str(memory)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=process_environment(),
        cwd=_ROOT,
    )


class ReaderProcess:
    """A reading process that serves one organisation; requests and answers go over its standard input and
    output."""

    def __init__(self, organisation_id: str, memory: int) -> None:
        self.organisation_id = organisation_id
        self.documents = 0
        self._process = _start_process(memory)

    @property
    def id(self) -> int:
        """The system's number for the process."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def ask(
        self, request: Request, content: bytes, limit: TimeLimit, cancelled: threading.Event | None
    ) -> tuple[Answer, bytes]:
        """Return the process's answer with its bytes, or the failure that says why there is none.

        Raises ReadingCancelled when `cancelled` was set before the answer came. After any failure of the
        process itself it is ended.
        """
        self.documents += 1
        began = time.monotonic()
        done = threading.Event()
        watch = threading.Thread(
            target=self._end_in_time, args=(done, began + limit.clock, cancelled), daemon=True
        )
        watch.start()
        try:
            stdin, stdout = self._process.stdin, self._process.stdout
            assert stdin is not None
            assert stdout is not None
            send_request(stdin, request, content)
            return receive_answer(stdout)
        except InvalidAnswer:
            self.end()
            return Failure("unreadable", _FAILED), b""
        except (OSError, EOFError):
            self.end()
            if cancelled is not None and cancelled.is_set():
                raise ReadingCancelled from None
            return Failure("unreadable", self._explain_end(limit, time.monotonic() - began)), b""
        finally:
            done.set()
            watch.join()

    def end(self) -> None:
        """Stop the process and wait for it, so that none is left behind."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    def _end_in_time(self, done: threading.Event, until: float, cancelled: threading.Event | None) -> None:
        """Kill the process when its time is over or nobody waits for it any more."""
        if cancelled is None:
            if not done.wait(max(0.0, until - time.monotonic())):
                self._process.kill()
            return
        while not done.wait(_POLL_SECONDS):
            if cancelled.is_set() or time.monotonic() >= until:
                self._process.kill()
                return

    def _explain_end(self, limit: TimeLimit, took: float) -> str:
        if self._process.returncode == -signal.SIGXCPU:
            return f"The document needs more than {limit.processor} seconds of the processor."
        if took >= limit.clock:
            return f"Reading the document took longer than {limit.clock:g} seconds."
        return _FAILED
