"""Background tasks as rows. A row stays until its work is finished or failed, and bears the id of the worker
that does it.

Which tasks a worker does next: organisations take turns over all workers, and none has all the places of a
queue.
"""

import os
import threading
from collections import Counter, deque
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count

import sqlalchemy as sa
from sqlalchemy import ColumnElement, Connection

from app.service.database.dialect import upsert
from app.service.database.tables import task, worker
from app.service.database.tables import task as task_table
from app.service.database.wakeup import notify_workers


def enqueue_task(
    connection: Connection,
    *,
    kind: str,
    subject_id: str,
    organisation_id: str | None,
    now: datetime,
    after: timedelta = timedelta(),
) -> None:
    """Asks for `kind` of work on one subject, in the caller's transaction. It takes turns with that of other
    organisations; None is the deployment as a whole. Asking again while it waits only begins `after` anew;
    while it runs, it is done once more, for the sake of what changed since it began."""
    row = {
        "kind": kind,
        "subject_id": subject_id,
        "organisation_id": organisation_id,
        "created_at": now,
        "due_at": now + after,
        "attempts": 0,
    }
    upsert(connection, task, [row])
    notify_workers(connection)


def finish_task(connection: Connection, *, kind: str, subject_id: str) -> bool:
    """Removes the task, in the transaction that finishes its work. False where another one did it."""
    done = connection.execute(sa.delete(task).where(task.c.kind == kind, task.c.subject_id == subject_id))
    return done.rowcount == 1


def find_due(connection: Connection, *, kind: str, subject_id: str) -> datetime | None:
    """Finds when the task is to be done, or was to begin where it runs; None where nobody asked for it."""
    asked = task.c.kind == kind, task.c.subject_id == subject_id
    due: datetime | None = connection.scalar(sa.select(task.c.due_at).where(*asked))
    return due


@dataclass(frozen=True, slots=True)
class WaitingTask:
    """A task that is due and that no other worker does."""

    kind: str
    subject_id: str
    organisation_id: str | None


@dataclass(frozen=True, slots=True)
class ClaimedTask:
    """A task that this worker does: its `attempt`, from 1, at what was asked for at `asked_at`."""

    kind: str
    subject_id: str
    organisation_id: str | None
    worker_id: str
    attempt: int
    asked_at: datetime

    @property
    def is_row(self) -> ColumnElement[bool]:
        """The condition of its row, as long as this worker has it."""
        return (
            (task.c.kind == self.kind)
            & (task.c.subject_id == self.subject_id)
            & (task.c.worker_id == self.worker_id)
        )


def _may_be_taken(worker_id: str) -> ColumnElement[bool]:
    """Nobody does it, or this worker has it: who asks knows what runs there, and that the rest does not."""
    return (
        task.c.worker_id.is_(None)
        | (task.c.worker_id == worker_id)
        | task.c.worker_id.not_in(sa.select(worker.c.id))
    )


def load_waiting_tasks(
    connection: Connection, kinds: ColumnElement[bool], *, worker_id: str, now: datetime, most: int
) -> list[WaitingTask]:
    """The tasks of some kinds that are due, the longest due first; at most so many of each organisation.
    Those that this worker has are among them."""
    place = sa.func.row_number().over(partition_by=task.c.organisation_id, order_by=task.c.due_at)
    columns = (task.c.kind, task.c.subject_id, task.c.organisation_id, task.c.due_at)
    due = sa.select(*columns, place.label("place")).where(
        task.c.due_at <= now, kinds, _may_be_taken(worker_id)
    )
    ranked = due.subquery()
    rows = connection.execute(
        sa.select(ranked.c.kind, ranked.c.subject_id, ranked.c.organisation_id)
        .where(ranked.c.place <= most)
        .order_by(ranked.c.due_at, ranked.c.kind, ranked.c.subject_id)
    )
    return [WaitingTask(*row) for row in rows]


def has_due_tasks(connection: Connection, now: datetime) -> bool:
    return connection.scalar(sa.select(sa.literal(1)).where(task.c.due_at <= now).limit(1)) is not None


def count_running_elsewhere(
    connection: Connection, kinds: ColumnElement[bool], *, worker_id: str
) -> Counter[str | None]:
    """How many tasks of some kinds the other living workers do now, by organisation."""
    rows = connection.execute(
        sa.select(task.c.organisation_id, sa.func.count())
        .where(task.c.worker_id != worker_id, task.c.worker_id.in_(sa.select(worker.c.id)), kinds)
        .group_by(task.c.organisation_id)
    )
    return Counter({row[0]: row[1] for row in rows})


def list_kinds_without_worker(connection: Connection, now: datetime) -> list[str]:
    """The kinds of due tasks that no living worker can do, as those of a newer version; none where a worker
    does not say what it can do."""
    kinds = connection.scalars(sa.select(task.c.kind).where(task.c.due_at <= now).distinct()).all()
    if not kinds:
        return []
    known = connection.scalars(sa.select(worker.c.task_kinds)).all()
    if not known or None in known:
        return []
    return sorted(set(kinds).difference(*known))


def claim_tasks(
    connection: Connection, waiting: Collection[WaitingTask], worker_id: str, now: datetime
) -> list[ClaimedTask]:
    """Takes those of the tasks that nobody else has taken meanwhile. The attempt is counted before it is
    made, so that one that takes its worker down is counted too."""
    claimed: list[ClaimedTask] = []
    for each in waiting:
        row = connection.execute(
            sa.update(task)
            .where(
                task.c.kind == each.kind,
                task.c.subject_id == each.subject_id,
                task.c.due_at <= now,
                _may_be_taken(worker_id),
                sa.exists().where(worker.c.id == worker_id),
            )
            .values(worker_id=worker_id, attempts=task.c.attempts + 1)
            .returning(task.c.attempts, task.c.created_at)
        ).first()
        if row is not None:
            taken = ClaimedTask(each.kind, each.subject_id, each.organisation_id, worker_id, *row)
            claimed.append(taken)
    return claimed


CORES = max(2, os.cpu_count() or 1)


@dataclass(frozen=True, slots=True)
class TaskQueue:
    """Tasks that wait for the same places of a worker. One organisation has at most so many of them."""

    name: str
    places: int
    places_of_one: int


WORKING = TaskQueue("working", CORES + 1, CORES)
"""What uses a processor: one organisation may use all of them, and another still finds a place."""
IMPORTING = TaskQueue("importing", CORES, 1)
"""What has the database busy: an organisation's imports are done one after the other."""
FETCHING = TaskQueue("fetching", 16, 4)
"""What mostly waits for somebody else's server."""
LEARNING = TaskQueue("learning", 1, 1)
"""What takes minutes."""

QUEUES = (WORKING, IMPORTING, FETCHING, LEARNING)

_NOTHING: Mapping[str | None, int] = {}


class RunningTasks:
    """The tasks that a worker does now, and whose turn it is. May be used from any thread."""

    def __init__(self, queue_of_kind: Mapping[str, TaskQueue]) -> None:
        self._queue_of_kind = queue_of_kind
        self._lock = threading.Lock()
        self._running: set[ClaimedTask] = set()
        self._numbers = count(1)
        self._turns: dict[tuple[str, str | None], int] = {}

    def has_kind(self, queue: TaskQueue) -> ColumnElement[bool]:
        """The condition of the tasks of a queue. A kind that this worker does not know is of none: workers of
        another version do it."""
        return task_table.c.kind.in_([kind for kind, one in self._queue_of_kind.items() if one == queue])

    def choose(
        self, queue: TaskQueue, waiting: Sequence[WaitingTask], elsewhere: Mapping[str | None, int] = _NOTHING
    ) -> list[WaitingTask]:
        """Those of the waiting tasks that there are places for: an organisation with fewer running tasks,
        those of other workers (`elsewhere`) included, comes first, then the one whose last turn is longest
        ago. `waiting` has the longest due first."""
        with self._lock:
            running = self._count_running(queue)
            at_work = {(each.kind, each.subject_id) for each in self._running}
        free = queue.places - running.total()
        lines: dict[str | None, deque[WaitingTask]] = {}
        for each in waiting:
            if (each.kind, each.subject_id) not in at_work:
                lines.setdefault(each.organisation_id, deque()).append(each)
        chosen: list[WaitingTask] = []
        while len(chosen) < free:
            may = [id for id, line in lines.items() if line and running[id] < queue.places_of_one]
            if not may:
                break
            turn = min(
                may, key=lambda id: (running[id] + elsewhere.get(id, 0), self._turns.get((queue.name, id), 0))
            )
            chosen.append(lines[turn].popleft())
            running[turn] += 1
        return chosen

    def count_free_places(self, queue: TaskQueue) -> int:
        with self._lock:
            return queue.places - self._count_running(queue).total()

    def begin(self, task: ClaimedTask) -> None:
        with self._lock:
            self._running.add(task)
            self._turns[self._queue_of_kind[task.kind].name, task.organisation_id] = next(self._numbers)

    def end(self, task: ClaimedTask) -> None:
        with self._lock:
            self._running.discard(task)

    def list_kinds(self) -> list[str]:
        """The kinds of what runs now."""
        with self._lock:
            return [each.kind for each in self._running]

    def _count_running(self, queue: TaskQueue) -> Counter[str | None]:
        return Counter(
            each.organisation_id for each in self._running if self._queue_of_kind[each.kind] == queue
        )
