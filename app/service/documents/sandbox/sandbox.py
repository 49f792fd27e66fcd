"""Reads documents in child processes with limits, so that a hostile file costs one child and no worker.

A child is started fresh (no fork: workers have threads), reads one document after another, and is
replaced when it dies, overruns its time, or has read enough to have grown fat.
"""

import atexit
import os
import pickle
import queue
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal, TypeAlias

from app.service.documents.extraction import Extraction
from app.service.documents.faults import DocumentFault, UnreadableDocument

_ROOT = Path(__file__).resolve().parents[4]
_LENGTH_BYTES = 8


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """What one document may cost. Memory in bytes of address space, time in seconds."""

    memory: int = 4 * 1024**3
    seconds: float = 300.0
    pages: int = 300
    documents_per_child: int = 200


Task: TypeAlias = Literal["read", "render"]


@dataclass(frozen=True, slots=True)
class Request:
    """What a parent asks of a child; sent pickled, the length before it."""

    task: Task
    content: bytes
    filename: str
    ignore_embedded: bool = False
    pages: int = 300
    page: int = 1
    width: int = 1000


def read_isolated(
    content: bytes,
    filename: str,
    limits: ReadingLimits | None = None,
    *,
    ignore_embedded: bool = False,
) -> Extraction:
    """`read_document` in a child process; safe to call from any thread.

    Raises UnreadableDocument, also when the child dies, runs out of time or memory, and
    UnsupportedDocument; the reason is a sentence for the person who sent the file.
    """
    limits = limits or ReadingLimits()
    answer = _ask(Request("read", content, filename, ignore_embedded, limits.pages), limits)
    if not isinstance(answer, Extraction):
        raise UnreadableDocument("The document could not be read.")
    return answer


def render_isolated(
    content: bytes, filename: str, page: int, width: int, limits: ReadingLimits | None = None
) -> bytes:
    """A page as PNG, drawn in a child process. Raises as `read_isolated`; IndexError for no such page."""
    limits = limits or ReadingLimits()
    answer = _ask(Request("render", content, filename, page=page, width=width), limits)
    if not isinstance(answer, bytes):
        raise UnreadableDocument("The page could not be drawn.")
    return answer


def _ask(request: Request, limits: ReadingLimits) -> object:
    child = _POOL.take(limits)
    answer: object = None
    try:
        answer = child.ask(request, limits.seconds)
    finally:
        _POOL.give_back(child)
    if isinstance(answer, DocumentFault | IndexError):
        raise answer
    return answer


class _Child:
    """One reading process, spoken to over its standard input and output."""

    def __init__(self, limits: ReadingLimits) -> None:
        self.limits = limits
        self.documents = 0
        # Threads of numeric libraries reserve address space and gain nothing on small pages.
        environment = {
            **os.environ,
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
            "PYTHONPATH": str(_ROOT),
        }
        self._process = subprocess.Popen(
            [sys.executable, "-m", "app.service.documents.sandbox.sandbox_worker", str(limits.memory)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            cwd=_ROOT,
        )

    @property
    def usable(self) -> bool:
        return self._process.poll() is None and self.documents < self.limits.documents_per_child

    def ask(self, request: Request, seconds: float) -> object:
        """The child's answer, or the fault that explains why there is none."""
        self.documents += 1
        timer = threading.Timer(seconds, self._process.kill)
        timer.daemon = True
        began = time.monotonic()
        timer.start()
        try:
            stdin, stdout = self._process.stdin, self._process.stdout
            assert stdin is not None
            assert stdout is not None
            _send(stdin, request)
            return receive(stdout)
        except (OSError, EOFError):
            self.end()
            if time.monotonic() - began >= seconds:
                return UnreadableDocument(f"Reading the document took longer than {seconds:g} seconds.")
            return UnreadableDocument("The document made the reader fail; it may be damaged or too large.")
        finally:
            timer.cancel()

    def end(self) -> None:
        """Stops the process and waits for it, so that none is left behind."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                try:
                    stream.close()
                except OSError:
                    continue


class _Pool:
    """Idle children, warm with their libraries loaded."""

    def __init__(self) -> None:
        self._idle: queue.LifoQueue[_Child] = queue.LifoQueue()
        self._most_idle = max(2, os.cpu_count() or 2)
        atexit.register(self.close)

    def take(self, limits: ReadingLimits) -> _Child:
        while True:
            try:
                child = self._idle.get_nowait()
            except queue.Empty:
                return _Child(limits)
            if child.usable and child.limits.memory == limits.memory:
                return child
            child.end()

    def give_back(self, child: _Child) -> None:
        if child.usable and self._idle.qsize() < self._most_idle:
            self._idle.put(child)
        else:
            child.end()

    def close(self) -> None:
        while not self._idle.empty():
            self._idle.get_nowait().end()


_POOL = _Pool()


def _send(stream: IO[bytes], message: object) -> None:
    body = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    stream.write(len(body).to_bytes(_LENGTH_BYTES, "big"))
    stream.write(body)
    stream.flush()


def receive(stream: IO[bytes]) -> object:
    """One message. Raises EOFError when the other side has gone."""
    head = stream.read(_LENGTH_BYTES)
    if len(head) < _LENGTH_BYTES:
        raise EOFError
    body = stream.read(int.from_bytes(head, "big"))
    if len(body) < int.from_bytes(head, "big"):
        raise EOFError
    return pickle.loads(body)


def send(stream: IO[bytes], message: object) -> None:
    """Writes one message."""
    _send(stream, message)
