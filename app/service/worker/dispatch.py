"""Takes due work for this worker, in our own rows, and starts it."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import Connection

from app.service.background.membership import Registration
from app.service.background.task_queues import QUEUES, RunningTasks
from app.service.background.tasks import (
    ClaimedTask,
    WaitingTask,
    claim_tasks,
    has_due_tasks,
    load_waiting_tasks,
)
from app.service.database.clock import Clock
from app.service.database.queue_connection import begin_writing
from app.service.webhooks.delivery_queue import claim_endpoints, load_due_endpoints
from app.service.webhooks.endpoint_worker import COUNT_LIMIT
from app.service.webhooks.endpoint_workers import EndpointWorkers

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class TakenWork:
    """Work that is due and this worker's: deliveries counted by webhook, and tasks to be begun."""

    endpoints: dict[str, int] = field(default_factory=dict[str, int])
    tasks: list[ClaimedTask] = field(default_factory=list[ClaimedTask])


class WorkDispatcher:
    """`take` runs in the thread of the queues' connection, `dispatch` in the event loop."""

    def __init__(
        self,
        registration: Registration,
        running_tasks: RunningTasks,
        *,
        clock: Clock,
        start_task: Callable[[ClaimedTask], None],
    ) -> None:
        self._registration = registration
        self._running_tasks = running_tasks
        self._clock = clock
        self._start_task = start_task
        self._endpoint_workers: EndpointWorkers | None = None
        self._running: set[asyncio.Task[None]] = set()

    def start(self, endpoint_workers: EndpointWorkers) -> None:
        self._endpoint_workers = endpoint_workers

    def stop(self) -> None:
        """Takes and starts nothing new from now on."""
        self._endpoint_workers = None

    def take(self, connection: Connection) -> TakenWork:
        """What is due and no other worker does. A task is taken when there is a place for it, so that whose
        turn it is is decided when a place becomes free, and not before."""
        if self._endpoint_workers is None or not self._registration.is_certain():
            return TakenWork()
        worker_id, now = self._registration.id, self._clock()
        due = load_due_endpoints(connection, worker_id=worker_id, now=now, most=COUNT_LIMIT)
        waiting = self._choose_tasks(connection, now) if has_due_tasks(connection, now) else []
        connection.rollback()
        own = {each.webhook_id for each in due if each.is_own}
        free = [each.webhook_id for each in due if not each.is_own]
        taken: list[ClaimedTask] = []
        if free or waiting:
            with begin_writing(connection):
                own.update(claim_endpoints(connection, free, worker_id) if free else ())
                taken = claim_tasks(connection, waiting, worker_id, now)
        for task in taken:
            self._running_tasks.begin(task)
        return TakenWork({each.webhook_id: each.due for each in due if each.webhook_id in own}, taken)

    def _choose_tasks(self, connection: Connection, now: datetime) -> list[WaitingTask]:
        chosen: list[WaitingTask] = []
        for queue in QUEUES:
            if self._running_tasks.count_free_places(queue) <= 0:
                continue
            kinds = self._running_tasks.has_kind(queue)
            waiting = load_waiting_tasks(
                connection, kinds, worker_id=self._registration.id, now=now, most=queue.places
            )
            chosen += self._running_tasks.choose(queue, waiting)
        return chosen

    def dispatch(self, work: TakenWork) -> None:
        """Called with what was taken, each second and whenever something changed."""
        for task in work.tasks:
            self._start_task(task)
        if self._endpoint_workers is None:
            return
        for webhook_id in self._endpoint_workers.wake(work.endpoints):
            running = asyncio.create_task(self._endpoint_workers.run(webhook_id))
            self._running.add(running)
            running.add_done_callback(self._running.discard)
