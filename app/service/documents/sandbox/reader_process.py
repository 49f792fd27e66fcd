"""One reading process as its parent sees it: asked over pipes, bounded in time, ended for certain."""

import os
import signal
import sys
import threading
import time
from dataclasses import dataclass

from app.service.documents.faults import ReadingCancelled
from app.service.documents.sandbox.child_process import ChildProcess, end_process, kill_in_time, start_process
from app.service.documents.sandbox.forked_process import ForkedProcess
from app.service.documents.sandbox.messages import (
    Answer,
    Failure,
    InvalidAnswer,
    Request,
    receive_answer,
    send_request,
)

_FAILED = "The document made the reader fail; it may be damaged or too large."


@dataclass(frozen=True, slots=True)
class TimeLimit:
    """What one request may take: seconds of the processor, and of the clock, which also counts waiting."""

    processor: int
    clock: float


def _start_process(memory: int) -> ChildProcess:
    """A reading process with `memory` bytes at most."""
    if sys.platform == "linux":
        return ForkedProcess(memory)
    # Elsewhere the system's libraries do not stand being copied.
    return start_process("app.service.documents.sandbox.sandbox_worker", os.getpid(), memory)


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
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        try:
            with kill_in_time(self._process, limit.clock, cancelled):
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

    def end(self) -> None:
        """Stop the process and wait for it, so that none is left behind."""
        end_process(self._process)

    def _explain_end(self, limit: TimeLimit, took: float) -> str:
        if self._process.returncode == -signal.SIGXCPU:
            return f"The document needs more than {limit.processor} seconds of the processor."
        if took >= limit.clock:
            return f"Reading the document took longer than {limit.clock:g} seconds."
        return _FAILED
