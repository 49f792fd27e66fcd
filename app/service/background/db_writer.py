"""One thread with one connection, for an event loop that must not wait for the database.

Everything asked of it is done in the order asked. Changes that arrive while it is busy are written together,
in one transaction: many small results cost few commits. Because it writes through the very connection with
which it watches, SQLite's `PRAGMA data_version` tells it of the commits of others and not of its own.
"""

import asyncio
import contextlib
import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any, Generic, TypeVar

from sqlalchemy import Connection

from app.service.database.engine import Database
from app.service.database.faults import is_refusal
from app.service.database.queue_connection import begin_writing, commit_counter, open_queue_connection

log = logging.getLogger(__name__)

Question = TypeVar("Question")
Answer = TypeVar("Answer")
Change = TypeVar("Change")
Due = TypeVar("Due")

WATCH_SECONDS = 0.002
"""How often SQLite is asked whether somebody else committed, while an endpoint worker is running and an event
can be sent at once. PostgreSQL's notifications call `wake` instead."""
QUIET_SECONDS = 30.0
QUIET_WATCH_SECONDS = 0.02
"""The same once nobody has asked anything for so long: then a queue has to be waited for anyhow."""
POLL_SECONDS = 1.0
RETRY_SECONDS = 0.5
GROUP_SECONDS = 0.003
"""How long a change waits for others, so that they share a commit."""
LARGE_GROUP = 8
LARGE_GROUP_SECONDS = 0.005
"""The same while a group has this many changes: each commit takes the interpreter from the event loop a dozen
times, whatever its size, and fewer of them drained a backlog a tenth faster."""


@dataclass
class _Question(Generic[Question, Answer]):
    question: Question
    answer: "asyncio.Future[Answer]"


@dataclass
class _Changes(Generic[Change]):
    changes: Sequence[Change]
    on_written: Callable[[bool], None]
    written: bool = True


class RefusedChange(Exception):
    """A change that will not be written, however often it is tried."""


class BatchedConnection(Generic[Question, Answer, Change, Due]):
    """`read` answers all questions that wait. `apply` writes a group of changes; those of a group that cannot
    be written together are written one by one with `apply_one`, and one that cannot be written is set aside.
    While the store fails as a whole, all changes are kept and tried again. `poll` finds and takes work: when
    another process committed, after `wake`, and each second; what it returns goes to `on_due`, in the event
    loop.
    """

    def __init__(
        self,
        database: Database,
        *,
        read: Callable[[Connection, list[Question]], Sequence[Answer]],
        apply: Callable[[Connection, list[Change]], None],
        apply_one: Callable[[Connection, Change], None],
        poll: Callable[[Connection], Due],
        on_due: Callable[[Due], None],
    ) -> None:
        self._database = database
        self._read = read
        self._apply = apply
        self._apply_one = apply_one
        self._poll = poll
        self._on_due = on_due
        self._loop = asyncio.get_running_loop()
        self._inbox: SimpleQueue[_Question[Question, Answer] | _Changes[Change] | None] = SimpleQueue()
        self._woken = True
        self._closing = False
        self._asked_at = float("-inf")
        self._polled_at = float("-inf")
        self._unwritten: list[_Changes[Change]] = []
        self._last_group_was_large = False
        self._thread = threading.Thread(target=self._run, name="db-writer", daemon=True)

    def open(self) -> None:
        self._thread.start()

    async def close(self) -> None:
        """Returns when everything posted before is written."""
        self._closing = True
        self._inbox.put(None)
        await asyncio.to_thread(self._thread.join)

    def wake(self) -> None:
        """Polls for work as soon as possible. May be called from any thread."""
        self._woken = True
        self._inbox.put(None)

    async def ask(self, question: Question) -> Answer:
        """What `read` returns for the question, read in the connection's thread."""
        answer: asyncio.Future[Answer] = self._loop.create_future()
        self._inbox.put(_Question(question, answer))
        return await answer

    def post(self, changes: Sequence[Change], on_written: Callable[[bool], None]) -> None:
        """Hands changes over; `on_written` is called in the event loop once they are committed, with False
        when one of them was set aside."""
        self._inbox.put(_Changes(changes, on_written))

    # The methods below run in the connection's thread.

    def _run(self) -> None:
        connection: Connection | None = None
        version = 0
        while True:
            questions: list[_Question[Question, Answer]] = self._take_messages()
            if self._closing and not questions and not self._unwritten:
                break
            try:
                if connection is None:
                    connection = open_queue_connection(self._database)
                if self._unwritten:
                    self._write_changes(connection)
                if questions:
                    self._answer_questions(connection, questions)
                    questions = []
                seen = commit_counter(connection)
                now = time.monotonic()
                if self._woken or seen != version or now - self._polled_at >= POLL_SECONDS:
                    self._woken, version, self._polled_at = False, seen, now
                    found = self._poll(connection)
                    connection.rollback()
                    self._call_in_loop(self._on_due, found)
            except Exception as error:
                log.error("The database cannot be used now: %s", _first_line(error))
                for question in questions:
                    self._call_in_loop(_set_error, question.answer, error)
                if connection is not None:
                    with contextlib.suppress(Exception):
                        connection.invalidate()
                        connection.close()
                    connection = None
                if self._closing:
                    break
                time.sleep(RETRY_SECONDS)
        if connection is not None:
            connection.invalidate()  # not into the pool: its cache is smaller than the others'
            connection.close()

    def _take_messages(self) -> list[_Question[Question, Answer]]:
        """What came in. Waits a moment when nothing did, and not at all while something is unwritten."""
        questions: list[_Question[Question, Answer]] = []
        with contextlib.suppress(Empty):
            message = self._inbox.get(timeout=self._compute_timeout())
            if message is not None:
                self._asked_at = time.monotonic()
            if isinstance(message, _Changes):
                time.sleep(LARGE_GROUP_SECONDS if self._last_group_was_large else GROUP_SECONDS)
            while True:
                if isinstance(message, _Question):
                    questions.append(message)
                elif message is not None:
                    self._unwritten.append(message)
                message = self._inbox.get_nowait()
        return questions

    def _compute_timeout(self) -> float:
        if self._unwritten or self._woken:
            return 0.0
        now = time.monotonic()
        sweep = max(0.0, self._polled_at + POLL_SECONDS - now)
        if self._database.notifies:
            return sweep
        return min(sweep, QUIET_WATCH_SECONDS if now - self._asked_at > QUIET_SECONDS else WATCH_SECONDS)

    def _write_changes(self, connection: Connection) -> None:
        group = self._unwritten
        changes = [change for batch in group for change in batch.changes]
        try:
            with begin_writing(connection):
                self._apply(connection, changes)
        except Exception as error:
            if not is_refusal(error):
                raise
            self._write_one_by_one(connection, group)
        self._unwritten = []
        self._last_group_was_large = len(group) >= LARGE_GROUP
        self._call_in_loop(_report_written, group)

    def _write_one_by_one(self, connection: Connection, group: Sequence[_Changes[Change]]) -> None:
        refusals: list[Exception] = []
        with begin_writing(connection):
            for batch in group:
                errors = [self._write_one(connection, change) for change in batch.changes]
                refusals += filter(None, errors)
                batch.written = not any(errors)
        if refusals:
            log.error("%d changes cannot be recorded, the first: %s", len(refusals), _first_line(refusals[0]))

    def _write_one(self, connection: Connection, change: Change) -> Exception | None:
        """Writes one change, or nothing of it; why not."""
        try:
            with connection.begin_nested():
                self._apply_one(connection, change)
        except Exception as error:
            if not is_refusal(error):
                raise
            return error
        return None

    def _answer_questions(self, connection: Connection, questions: list[_Question[Question, Answer]]) -> None:
        try:
            answers = self._read(connection, [each.question for each in questions])
        finally:
            connection.rollback()
        for each, answer in zip(questions, answers, strict=True):
            self._call_in_loop(_set_answer, each.answer, answer)

    def _call_in_loop(self, function: Callable[..., None], *arguments: Any) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(function, *arguments)


def _report_written(group: Sequence[_Changes[Any]]) -> None:
    for batch in group:
        batch.on_written(batch.written)


def _set_answer(answer: "asyncio.Future[Any]", value: Any) -> None:
    if not answer.done():
        answer.set_result(value)


def _set_error(answer: "asyncio.Future[Any]", error: Exception) -> None:
    if not answer.done():
        answer.set_exception(error)


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
