"""Takes due work for this worker, in our own rows, and starts it."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import Connection

from app.service.background.membership import Registration
from app.service.background.task_turns import QUEUES, RunningTasks
from app.service.background.tasks import (
    ClaimedTask,
    WaitingTask,
    claim_tasks,
    count_running_elsewhere,
    has_due_tasks,
    load_waiting_tasks,
)
from app.service.database.clock import Clock, elapsed_seconds
from app.service.database.queue_connection import begin_writing
from app.service.webhooks.delivery_queue import claim_endpoints, load_due_endpoints, load_workers
from app.service.webhooks.endpoint_sharing import share_endpoints
from app.service.webhooks.endpoint_worker import COUNT_LIMIT, EndpointWorkers

STALLED_SECONDS = 3.0
"""A worker that has looked for no work for so long leaves it to others: it looks each second."""


@dataclass(frozen=True, slots=True)
class TakenWork:
    """Work that is due and this worker's: deliveries counted by webhook, and tasks to be begun; and the
    webhooks that it hands over to others."""

    endpoints: dict[str, int] = field(default_factory=dict[str, int])
    surplus: list[str] = field(default_factory=list[str])
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
        self._took_at = elapsed_seconds()

    def start(self, endpoint_workers: EndpointWorkers) -> None:
        self._took_at = elapsed_seconds()
        self._endpoint_workers = endpoint_workers

    def stop(self) -> None:
        """Takes and starts nothing new from now on."""
        self._endpoint_workers = None

    def is_taking(self) -> bool:
        """Whether this worker takes what is due: not once it ends, nor while the thread that takes work
        stands still. May be called from any thread."""
        stalled = elapsed_seconds() - self._took_at > STALLED_SECONDS
        return self._endpoint_workers is not None and not stalled

    def take(self, connection: Connection) -> TakenWork:
        """What is due and no other worker does. A task is taken when there is a place for it, so that whose
        turn it is is decided when a place becomes free, and not before."""
        self._took_at = elapsed_seconds()
        endpoint_workers = self._endpoint_workers
        if endpoint_workers is None or not self._registration.is_certain():
            return TakenWork()
        worker_id, now = self._registration.id, self._clock()
        due = load_due_endpoints(connection, worker_id=worker_id, now=now, most=COUNT_LIMIT)
        waiting = self._choose_tasks(connection, now) if has_due_tasks(connection, now) else []
        sharers = load_workers(connection) if due else []
        connection.rollback()
        own = {each.webhook_id for each in due if each.holder == worker_id}
        claims, surplus = share_endpoints(
            due, worker_id=worker_id, sharers=sharers, leaving=endpoint_workers.list_stopping()
        )
        taken: list[ClaimedTask] = []
        if claims or waiting:
            with begin_writing(connection):
                own.update(claim_endpoints(connection, claims, worker_id) if claims else ())
                taken = claim_tasks(connection, waiting, worker_id, now)
        for task in taken:
            self._running_tasks.begin(task)
        owned = {each.webhook_id: each.due for each in due if each.webhook_id in own}
        return TakenWork(owned, surplus, taken)

    def _choose_tasks(self, connection: Connection, now: datetime) -> list[WaitingTask]:
        chosen: list[WaitingTask] = []
        for queue in QUEUES:
            if self._running_tasks.count_free_places(queue) <= 0:
                continue
            kinds = self._running_tasks.has_kind(queue)
            waiting = load_waiting_tasks(
                connection, kinds, worker_id=self._registration.id, now=now, most=queue.places
            )
            if waiting:
                elsewhere = count_running_elsewhere(connection, kinds, worker_id=self._registration.id)
                chosen += self._running_tasks.choose(queue, waiting, elsewhere)
        return chosen

    def dispatch(self, work: TakenWork) -> None:
        """Called with what was taken, each second and whenever something changed."""
        for task in work.tasks:
            self._start_task(task)
        if self._endpoint_workers is None:
            return
        self._endpoint_workers.hand_over(work.surplus)
        for webhook_id in self._endpoint_workers.wake(work.endpoints):
            running = asyncio.create_task(self._endpoint_workers.run(webhook_id))
            self._running.add(running)
            running.add_done_callback(self._running.discard)
