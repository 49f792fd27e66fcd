"""Reading in child processes with limits, so that a hostile file costs one child and no worker.

A child is started fresh (no fork: workers have threads), reads one document after another, and is
replaced when it dies, overruns its time, or has read so many that it may have grown large.
"""

import os
import queue
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from app.service.documents.extraction import Extraction
from app.service.documents.faults import DocumentFault, UnreadableDocument
from app.service.documents.formats.format import MOST_PAGES
from app.service.documents.sandbox.messages import ReadRequest, RenderRequest, receive, send

_ROOT = Path(__file__).resolve().parents[4]


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """What one document may cost. Memory in bytes of address space, time in seconds."""

    memory: int = 4 * 1024**3
    seconds: float = 300.0
    pages: int = MOST_PAGES
    documents_per_process: int = 200


class ReaderPool:
    """Processes that read documents, started as they are needed and kept warm with their libraries loaded.

    Safe to use from any thread. Whoever makes a pool closes it.
    """

    def __init__(self, limits: ReadingLimits | None = None) -> None:
        self._limits = limits or ReadingLimits()
        self._idle: queue.LifoQueue[_ReaderProcess] = queue.LifoQueue()
        self._most_idle = max(2, os.cpu_count() or 2)
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def read_document(self, content: bytes, filename: str, *, ignore_embedded: bool = False) -> Extraction:
        """Return what a document says, as `reading.read_document` does.

        Raises UnreadableDocument, also when the process dies, runs out of time or memory, and
        UnsupportedDocument; the reason is a sentence for the person who sent the file.
        """
        answer = self._ask(ReadRequest(content, filename, ignore_embedded, self._limits.pages))
        if not isinstance(answer, Extraction):
            raise UnreadableDocument("The document could not be read.")
        return answer

    def render_page(self, content: bytes, filename: str, page: int, width: int) -> bytes:
        """Return a page as PNG. Raises as `read_document` does, and IndexError when there is no such page."""
        answer = self._ask(RenderRequest(content, filename, page, width))
        if not isinstance(answer, bytes):
            raise UnreadableDocument("The page could not be drawn.")
        return answer

    def close(self) -> None:
        """End the idle processes; one that is reading ends when it has read."""
        self._closed = True
        while True:
            try:
                self._idle.get_nowait().end()
            except queue.Empty:
                return

    def _ask(self, request: ReadRequest | RenderRequest) -> object:
        reader = self._take()
        try:
            answer = reader.ask(request)
        finally:
            self._give_back(reader)
        if isinstance(answer, DocumentFault | IndexError):
            raise answer
        return answer

    def _take(self) -> "_ReaderProcess":
        while True:
            try:
                reader = self._idle.get_nowait()
            except queue.Empty:
                return _ReaderProcess(self._limits)
            if reader.usable:
                return reader
            reader.end()

    def _give_back(self, reader: "_ReaderProcess") -> None:
        if reader.usable and not self._closed and self._idle.qsize() < self._most_idle:
            self._idle.put(reader)
        else:
            reader.end()


class _ReaderProcess:
    """One reading process; requests and answers go over its standard input and output."""

    def __init__(self, limits: ReadingLimits) -> None:
        self._limits = limits
        self._documents = 0
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
        return self._process.poll() is None and self._documents < self._limits.documents_per_process

    def ask(self, request: ReadRequest | RenderRequest) -> object:
        """Return the process's answer, or the fault that explains why there is none."""
        self._documents += 1
        seconds = self._limits.seconds
        timer = threading.Timer(seconds, self._process.kill)
        timer.daemon = True
        began = time.monotonic()
        timer.start()
        try:
            stdin, stdout = self._process.stdin, self._process.stdout
            assert stdin is not None
            assert stdout is not None
            send(stdin, request)
            return receive(stdout)
        except (OSError, EOFError):
            self.end()
            if time.monotonic() - began >= seconds:
                return UnreadableDocument(f"Reading the document took longer than {seconds:g} seconds.")
            return UnreadableDocument("The document made the reader fail; it may be damaged or too large.")
        finally:
            timer.cancel()

    def end(self) -> None:
        """Stop the process and wait for it, so that none is left behind."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                try:
                    stream.close()
                except OSError:
                    continue
