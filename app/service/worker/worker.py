"""The worker: runs everything that happens in the background. Several may run when the store is
PostgreSQL."""

import asyncio
import contextlib
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager

import psycopg
from sqlalchemy.exc import SQLAlchemyError

from app.service.background.db_writer import BatchedConnection
from app.service.background.membership import Heartbeat, Registration
from app.service.background.task_runner import Handlers, run_task
from app.service.background.task_turns import RunningTasks
from app.service.background.tasks import ClaimedTask
from app.service.background.worker_slot import PostgresqlWorkerSlot, sqlite_worker_slot
from app.service.context import Context, open_context
from app.service.database.postgresql import server_timeouts
from app.service.operation.private_server import serve_privately
from app.service.operation.request_metrics import open_metrics, watch_queues
from app.service.process import freeze_startup_objects
from app.service.start_checks import require_ready, require_whole_restore
from app.service.webhooks.delivery_queue import (
    Batch,
    BatchRequest,
    QueueUpdate,
    load_batches,
    write_update,
    write_updates,
)
from app.service.webhooks.endpoint_worker import LINGER_SECONDS, EndpointWorkers
from app.service.webhooks.sending import TIMEOUT_SECONDS
from app.service.worker.dispatch import TakenWork, WorkDispatcher
from app.service.worker.handlers import HANDLERS
from app.service.worker.periodic_jobs import list_periodic_jobs, run_periodically
from app.settings import Settings

log = logging.getLogger("parley.worker")

TASKS_GRACE_SECONDS = 20.0
RESTART_SECONDS = 1.0
NICENESS = 3
"""The worker's niceness, relative to the service: on a busy machine a caller waits for a response, and a
backlog does not. With two busy cores, responses beside a full delivery queue took 6 to 19 ms at p99, before
31 to 63."""

SWITCH_SECONDS = 0.0005
"""How long one thread may keep the interpreter from another that waits for it. The event loop and the
database thread hand over to each other thousands of times a second; with Python's 5 ms each call into the
database could cost that much."""


def run_worker(
    settings: Settings,
    *,
    handlers: Handlers = HANDLERS,
    linger: float = LINGER_SECONDS,
    timeout: float = TIMEOUT_SECONDS,
) -> None:
    """Works until SIGTERM or SIGINT, then ends in order: what is in flight is finished and recorded. A worker
    whose place another one has taken, because it stood still, begins again as a new one.

    Raises OutdatedSchema, OtherDeployment, and NoWorkerSlot when another worker has this SQLite file.
    """
    logging.getLogger("asyncio").setLevel(logging.ERROR)
    sys.setswitchinterval(SWITCH_SECONDS)
    if os.name == "posix":
        os.nice(NICENESS)
    context = open_context(
        settings, timeouts=server_timeouts(settings.database_timeout), metrics=open_metrics(settings)
    )
    watch_queues(context)
    try:
        require_ready(context)
        lost = _run_once(Worker(context, handlers, linger=linger, timeout=timeout))
        while lost:
            log.warning("Another worker has taken over the work of this one. Beginning anew.")
            try:
                require_whole_restore(context)  # which begins with the place of every worker
                lost = _run_once(Worker(context, handlers, linger=linger, timeout=timeout))
            except (SQLAlchemyError, psycopg.Error) as error:
                log.error("The database cannot be used now: %s", str(error).partition("\n")[0])
                time.sleep(RESTART_SECONDS)
    finally:
        context.close()


def _run_once(worker: "Worker") -> bool:
    """Runs it to its end; whether it lost its place and is to begin anew."""
    if sys.platform == "win32":
        return asyncio.run(worker.run())
    import uvloop

    return uvloop.run(worker.run())


class Worker:
    """One worker's parts, and the order in which they begin and end."""

    def __init__(self, context: Context, handlers: Handlers, *, linger: float, timeout: float) -> None:
        self._context = context
        self._handlers = handlers
        self._linger = linger
        self._timeout = timeout
        self._stop = asyncio.Event()
        self._told_to_end = False
        self._lost = False
        self._ending = False
        self._tasks = RunningTasks({kind: handler.queue for kind, handler in handlers.items()})
        self._wake = _nothing
        self._takes_work = _always

    async def run(self) -> bool:
        """Works until it is told to stop (False), or another worker has taken its place (True)."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._end)
        with self._worker_slot() as slot:
            registration = Registration(
                self._context.database,
                slot,
                self._context.clock,
                task_kinds=self._handlers,
                takes_work=lambda: self._takes_work(),
            )
            await asyncio.to_thread(registration.register)

            def lose_place() -> None:
                self._lost = True
                loop.call_soon_threadsafe(self._stop.set)

            heartbeat = Heartbeat(registration, lose_place)
            try:
                with serve_privately(self._context, self._context.settings.metrics_address, loop):
                    await self._work(registration)
                if self._lost and not self._told_to_end:
                    return True
                # Others would do the tasks of a silent worker a second time.
                finished = await self._wait_for_tasks()
            finally:
                await asyncio.to_thread(heartbeat.stop)
            with contextlib.suppress(SQLAlchemyError):  # others take over what is not released
                await asyncio.to_thread(registration.deregister)
            if not finished:
                # Threads cannot be stopped; the rows say what is to be done again.
                log.warning("Tasks still run; they will be done again.")
                logging.shutdown()
                os._exit(0)
        return False

    def _end(self) -> None:
        self._told_to_end = True
        self._stop.set()

    async def _work(self, registration: Registration) -> None:
        context = self._context
        dispatcher = WorkDispatcher(
            registration, self._tasks, clock=context.clock, start_task=self._start_task
        )
        batched: BatchedConnection[BatchRequest, Batch, QueueUpdate, TakenWork] = BatchedConnection(
            context.database,
            read=lambda connection, wanted: load_batches(
                connection, context.vault, wanted, worker_id=registration.id, now=context.clock()
            ),
            apply=lambda connection, changes: write_updates(connection, changes, registration.id),
            apply_one=lambda connection, change: write_update(connection, change, registration.id),
            poll=dispatcher.take,
            on_due=dispatcher.dispatch,
        )
        endpoint_workers = EndpointWorkers(
            context,
            batched,
            is_certain=registration.is_certain,
            timeout=self._timeout,
            linger=self._linger,
        )
        dispatcher.start(endpoint_workers)
        self._takes_work = dispatcher.is_taking
        batched.open()
        self._wake = batched.wake
        jobs = [
            asyncio.create_task(run_periodically(each, registration.leads))
            for each in list_periodic_jobs(context)
        ]
        freeze_startup_objects()
        log.info("Working as %s.", registration.id)
        await self._stop.wait()

        log.info("Ending: finishing what is in flight.")
        self._ending = True
        dispatcher.stop()
        for each in jobs:
            each.cancel()
        await endpoint_workers.stop()
        await batched.close()

    @contextmanager
    def _worker_slot(self) -> Generator[str]:
        url = self._context.settings.resolved_database_url
        if not self._context.database.takes_several_workers:
            with sqlite_worker_slot(url) as slot:
                yield slot
            return
        direct_url = self._context.settings.resolved_direct_url or url
        listener = PostgresqlWorkerSlot(direct_url, lambda: self._wake())
        try:
            yield listener.name
        finally:
            listener.close()

    def _start_task(self, task: ClaimedTask) -> None:
        name = f"task-{task.kind}"
        threading.Thread(target=self._run_task, args=(task,), name=name, daemon=True).start()

    def _run_task(self, task: ClaimedTask) -> None:
        try:
            if not self._ending:  # the row stays; the next worker finds it
                run_task(self._context, self._handlers, task)
        except Exception as error:
            # What the task came to is not recorded. Its row stays, and this worker finds it due again.
            log.error("The task %s ended unrecorded: %s", task.kind, str(error).partition("\n")[0])
        finally:
            self._tasks.end(task)
            self._wake()

    async def _wait_for_tasks(self) -> bool:
        """Whether the tasks that ran have ended, once those that are awaited did or took too long."""
        for _ in range(int(TASKS_GRACE_SECONDS * 20)):
            if not any(self._is_awaited(kind) for kind in self._tasks.list_kinds()):
                break
            await asyncio.sleep(0.05)
        return not self._tasks.list_kinds()

    def _is_awaited(self, kind: str) -> bool:
        return kind not in self._handlers or self._handlers[kind].awaited


def _nothing() -> None:
    pass


def _always() -> bool:
    return True
