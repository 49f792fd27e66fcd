"""Reading in child processes with limits, so that a hostile file costs one child and no worker.

A child is started for one organisation (on Linux a copy of a process that has read nothing: `fork_server`),
reads one document after another for it alone, and is replaced when it dies, overruns its limits, has read so
many that it may have grown large, or is in the way of another organisation.
"""

import os
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import Self

from app.service.documents.extraction import Extraction
from app.service.documents.faults import DocumentFault, ReadersBusy, ReadingCancelled, UnreadableDocument
from app.service.documents.formats.format import MOST_PAGES
from app.service.documents.layout.pages import Page
from app.service.documents.sandbox.isolation import Isolation, find_isolation
from app.service.documents.sandbox.messages import (
    Answer,
    Failure,
    Picture,
    Reading,
    ReadRequest,
    Recognised,
    RecogniseRequest,
    RenderRequest,
    Request,
    Scans,
)
from app.service.documents.sandbox.reader_process import ReaderProcess, TimeLimit
from app.service.documents.sandbox.reader_turns import ReaderTurns
from app.service.documents.sandbox.sandbox_worker import FOR_PAGES
from app.service.documents.second_opinion.question import NamedWords, Question

_POLL_SECONDS = 0.05


# The clock only tells what hangs: on a busy machine the processor's seconds take many times as long. A page
# of a scan takes up to three of them.
_READING = TimeLimit(processor=180, clock=600.0)
_DRAWING = TimeLimit(processor=10, clock=30.0)


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """What one document may cost, and how many processes there may be. Memory in bytes."""

    memory: int = 1024**3
    reading: TimeLimit = _READING
    drawing: TimeLimit = _DRAWING
    pages: int = MOST_PAGES
    documents_per_process: int = 200
    processes: int = field(default_factory=lambda: max(2, os.cpu_count() or 2) + 1)
    waiting_seconds: float = 10.0
    """How long a drawing waits for a process that is free."""

    @property
    def processes_of_one(self) -> int:
        """How many processes one organisation holds at most: of several, one is left to others."""
        return max(1, self.processes - 1)


class ReaderPool:
    """Processes that read documents, started as they are needed and kept warm with their libraries loaded.
    Organisations take turns.

    Safe to use from any thread. Whoever makes a pool closes it.
    """

    def __init__(self, limits: ReadingLimits | None = None) -> None:
        self.limits = limits or ReadingLimits()
        self._changed = threading.Condition()
        self._turns = ReaderTurns(self.limits.processes, self.limits.processes_of_one)
        self._idle: list[ReaderProcess] = []
        self._count = 0
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def isolation(self) -> Isolation:
        """What reading processes are kept from on this system; `describe()` says it in sentences."""
        return find_isolation()

    def read_document(
        self, content: bytes, filename: str, *, organisation_id: str, ignore_embedded: bool = False
    ) -> Extraction:
        """Return what a document says, as `reading.read_document` does, in a process that has served and
        will serve this organisation only.

        Raises UnreadableDocument, also when the process dies, runs out of time or memory, and
        UnsupportedDocument; the reason is a sentence for the person who sent the file.
        """
        request = self._make_request(filename, ignore_embedded=ignore_embedded)
        return self._read(request, content, organisation_id)[1].extraction

    def read_with_second_opinion(
        self, content: bytes, filename: str, ask: Callable[[Question], NamedWords | None],
        *, organisation_id: str,
    ) -> tuple[Extraction, tuple[str, ...]]:  # fmt: skip
        """Return what a document says, as `read_document` does, and sentences about what a second opinion
        changed of it.

        `ask` is called where lines or sums are doubtful, with no process held, and returns the words that the
        second opinion named, None where it named none.
        """
        request = replace(self._make_request(filename), asks_second_opinion=True)
        request, reading = self._read(request, content, organisation_id)
        question = reading.question
        if question is None or not question.is_within_limits:
            return reading.extraction, ()
        named = ask(question)
        if named is None:
            return reading.extraction, ()
        request = replace(request, asks_second_opinion=False, named=named)
        settled = self._read(request, content, organisation_id)[1]
        return settled.extraction, settled.settled

    def _make_request(self, filename: str, *, ignore_embedded: bool = False) -> ReadRequest:
        limit = self.limits.reading
        return ReadRequest(
            filename,
            ignore_embedded,
            self.limits.pages,
            limit.processor,
            limit.clock,
            share_scans=self.limits.processes_of_one > 1,
        )

    def _read(
        self, request: ReadRequest, content: bytes, organisation_id: str
    ) -> tuple[ReadRequest, Reading]:
        """The reading, and the request with the scanned pages that were recognised for it."""
        limit = self.limits.reading
        answer = self._ask_any(request, content, organisation_id, limit)
        if isinstance(answer, Scans):
            pages = self._recognise(content, request.filename, answer.pages, organisation_id)
            request = replace(request, share_scans=False, recognised=pages)
            answer = self._ask_any(request, content, organisation_id, limit)
        if not isinstance(answer, Reading):
            raise UnreadableDocument("The document could not be read.")
        return request, answer

    def render_page(
        self,
        content: bytes,
        filename: str,
        page: int,
        width: int,
        *,
        organisation_id: str,
        cancelled: threading.Event | None = None,
    ) -> bytes:
        """Return a page as PNG or SVG. Raises as `read_document` does, IndexError when there is no such page,
        ReadersBusy when no process became free, and ReadingCancelled once `cancelled` is set, which ends
        the drawing at once."""
        limit = self.limits.drawing
        request = RenderRequest(filename, page, width, limit.processor)
        process = self._take(organisation_id, self.limits.waiting_seconds, cancelled)
        answer, picture = self._ask(process, request, content, limit, cancelled)
        if not isinstance(answer, Picture):
            raise UnreadableDocument("The page could not be drawn.")
        return picture

    def close(self) -> None:
        """End the idle processes; one that is reading ends when it has read."""
        with self._changed:
            self._closed = True
            idle = self._idle
            self._idle = []
            self._count -= len(idle)
            self._changed.notify_all()
        for process in idle:
            process.end()

    def _recognise(
        self, content: bytes, filename: str, numbers: Sequence[int], organisation_id: str
    ) -> tuple[Page, ...]:
        """The scanned pages with their words, recognised by all processes that it may have. Those that
        fail, or for which no time is left, are left out."""
        limit, spent = self.limits.reading, [0.0]
        most_processor = FOR_PAGES * limit.processor * self.limits.processes_of_one
        until = time.monotonic() + FOR_PAGES * limit.clock

        def recognise(number: int) -> Page | None:
            if spent[0] > most_processor or time.monotonic() > until:
                return None
            request = RecogniseRequest(filename, number, limit.processor)
            try:
                answer = self._ask_any(request, content, organisation_id, limit)
            except (DocumentFault, IndexError):
                return None
            if not isinstance(answer, Recognised):
                return None
            spent[0] += answer.processor_seconds
            return answer.page

        with ThreadPoolExecutor(self.limits.processes_of_one, thread_name_prefix="scans") as threads:
            return tuple(page for page in threads.map(recognise, numbers) if page is not None)

    def _ask_any(self, request: Request, content: bytes, organisation_id: str, limit: TimeLimit) -> Answer:
        """The answer of a process, once it is the organisation's turn."""
        process = self._take(organisation_id, None, None)
        return self._ask(process, request, content, limit, None)[0]

    def _ask(
        self,
        process: ReaderProcess,
        request: Request,
        content: bytes,
        limit: TimeLimit,
        cancelled: threading.Event | None,
    ) -> tuple[Answer, bytes]:
        try:
            answer, beside = process.ask(request, content, limit, cancelled)
        finally:
            self._give_back(process)
        if isinstance(answer, Failure):
            raise answer.exception()
        return answer, beside

    def _take(
        self, organisation_id: str, patience: float | None, cancelled: threading.Event | None
    ) -> ReaderProcess:
        """A process for the organisation alone, when it is its turn. `patience` in seconds."""
        until = None if patience is None else time.monotonic() + patience
        with self._changed:
            number = self._turns.begin_waiting(organisation_id)
            while not self._turns.take(number):
                try:
                    if cancelled is not None and cancelled.is_set():
                        raise ReadingCancelled
                    if until is not None and time.monotonic() >= until:
                        raise ReadersBusy
                    self._changed.wait(None if until is None else _POLL_SECONDS)
                except BaseException:
                    self._turns.end_waiting(number)
                    self._changed.notify_all()
                    raise
            self._changed.notify_all()  # another place may be free, for whoever is next
            if (ready := self._find_idle(organisation_id)) is not None:
                return ready
            in_the_way = self._idle.pop(0) if self._count >= self.limits.processes else None
            self._count += in_the_way is None
        if in_the_way is not None:
            in_the_way.end()
        try:
            return ReaderProcess(organisation_id, self.limits.memory)
        except BaseException:
            self._leave(organisation_id)
            raise

    def _find_idle(self, organisation_id: str) -> ReaderProcess | None:
        """The process that served the organisation last and waits; the dead are counted out."""
        for process in [one for one in self._idle if not one.alive]:
            self._idle.remove(process)
            self._count -= 1
            process.end()
        mine = [one for one in self._idle if one.organisation_id == organisation_id]
        if mine:
            self._idle.remove(mine[-1])
        return mine[-1] if mine else None

    def _give_back(self, process: ReaderProcess) -> None:
        spent = not process.alive or process.documents >= self.limits.documents_per_process
        with self._changed:
            if not spent and not self._closed:
                self._idle.append(process)
                self._turns.give_back(process.organisation_id)
                self._changed.notify_all()
                return
        process.end()
        self._leave(process.organisation_id)

    def _leave(self, organisation_id: str) -> None:
        """Count one process less, which the organisation held."""
        with self._changed:
            self._count -= 1
            self._turns.give_back(organisation_id)
            self._changed.notify_all()
