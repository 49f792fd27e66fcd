"""Which tasks a worker does next: organisations take turns over all workers, and none has all the places of a
queue."""

import os
import threading
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from sqlalchemy import ColumnElement

from app.service.background.tasks import ClaimedTask, WaitingTask
from app.service.database.tables import task

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
        return task.c.kind.in_([kind for kind, one in self._queue_of_kind.items() if one == queue])

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

    def begin(self, claimed: ClaimedTask) -> None:
        with self._lock:
            self._running.add(claimed)
            self._turns[self._queue_of_kind[claimed.kind].name, claimed.organisation_id] = next(self._numbers)

    def end(self, claimed: ClaimedTask) -> None:
        with self._lock:
            self._running.discard(claimed)

    def list_kinds(self) -> list[str]:
        """The kinds of what runs now."""
        with self._lock:
            return [each.kind for each in self._running]

    def _count_running(self, queue: TaskQueue) -> Counter[str | None]:
        return Counter(
            each.organisation_id for each in self._running if self._queue_of_kind[each.kind] == queue
        )
