"""The worker: runs everything that happens in the background. Several may run when the store is
PostgreSQL."""

import asyncio
import logging
import os
import signal
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import timedelta

import sqlalchemy as sa

from app.service.background.db_writer import BatchedConnection
from app.service.background.engine import DurableEngine
from app.service.background.membership import PostgresqlWorkerSlot, WorkerRegistry, sqlite_worker_slot
from app.service.background.periodic import PeriodicJob, run_periodically
from app.service.background.retention import delete_old
from app.service.background.task_runner import Handlers, run_task
from app.service.context import Context, open_context
from app.service.database.tables.negotiation import timer
from app.service.database.timeouts import server_timeouts
from app.service.gc_tuning import freeze_startup_objects
from app.service.start_checks import require_ready
from app.service.webhooks.delivery_queue import (
    Batch,
    BatchRequest,
    QueueUpdate,
    load_batches,
    write_update,
    write_updates,
)
from app.service.webhooks.endpoint_worker import LINGER_SECONDS
from app.service.webhooks.endpoint_workers import EndpointWorkers
from app.service.webhooks.sending import TIMEOUT_SECONDS
from app.service.worker.dispatch import DueWork, WorkDispatcher, load_due_work
from app.service.worker.handlers import HANDLERS
from app.settings import Settings

log = logging.getLogger("parley.worker")

HEARTBEAT_SECONDS = 1.0
TAKEOVER_CHECK_SECONDS = 30.0
"""How often the work of dead workers is looked for while the list of workers stays the same."""

TIMERS_SECONDS = 1.0
MAIL_SECONDS = 1.0
RETENTION_SECONDS = 3600.0
CATALOG_SECONDS = 3600.0
ENGINE_RETENTION = timedelta(hours=1)
TASKS_GRACE_SECONDS = 20.0
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
    """Works until SIGTERM or SIGINT, then ends in order: what is in flight is finished and recorded.

    Raises OutdatedSchema, and NoWorkerSlot when another worker has this SQLite file.
    """
    logging.getLogger("asyncio").setLevel(logging.ERROR)
    sys.setswitchinterval(SWITCH_SECONDS)
    if os.name == "posix":
        os.nice(NICENESS)
    context = open_context(settings, timeouts=server_timeouts(settings.database_timeout))
    try:
        require_ready(context)
        work = Worker(context, handlers, linger=linger, timeout=timeout)
        if sys.platform == "win32":
            asyncio.run(work.run())
        else:
            import uvloop

            uvloop.run(work.run())
    finally:
        context.close()


class Worker:
    """One worker's parts, and the order in which they begin and end."""

    def __init__(self, context: Context, handlers: Handlers, *, linger: float, timeout: float) -> None:
        self._context = context
        self._handlers = handlers
        self._linger = linger
        self._timeout = timeout
        self._stop = asyncio.Event()
        self._ending = False
        self._running: list[str] = []

    async def run(self) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._stop.set)
        context = self._context
        dispatch = WorkDispatcher()
        batched: BatchedConnection[BatchRequest, Batch, QueueUpdate, DueWork] = BatchedConnection(
            context.database,
            read=lambda connection, wanted: load_batches(
                connection, context.vault, wanted, now=context.clock()
            ),
            apply=write_updates,
            apply_one=write_update,
            poll=lambda connection: load_due_work(connection, context.clock()),
            on_due=dispatch.dispatch,
        )
        with self._worker_slot(batched.wake) as executor_id:
            endpoint_workers = EndpointWorkers(context, batched, timeout=self._timeout, linger=self._linger)
            engine = DurableEngine(
                context.settings.resolved_database_url,
                executor_id=executor_id,
                run_endpoint_worker=endpoint_workers.run,
                run_task=self._run_task,
            )
            registry = WorkerRegistry(context.database, executor_id)
            await asyncio.to_thread(registry.record_heartbeat, context.clock())
            batched.open()
            engine.launch()
            await engine.open_queues()
            dispatch.start(endpoint_workers, engine)
            batched.wake()
            jobs = [
                asyncio.create_task(run_periodically(each)) for each in self._periodic_jobs(engine, registry)
            ]
            freeze_startup_objects()
            log.info("Working as %s.", executor_id)
            await self._stop.wait()

            log.info("Ending: finishing what is in flight.")
            self._ending = True
            dispatch.stop()
            for each in jobs:
                each.cancel()
            await endpoint_workers.stop()
            await batched.close()
            finished = await self._wait_for_tasks()
            await asyncio.to_thread(registry.deregister)
            if not finished:
                # Threads cannot be stopped; the rows say what is to be done again.
                log.warning("Tasks still run; they will be done again.")
                logging.shutdown()
                os._exit(0)
            await asyncio.to_thread(engine.close)

    @contextmanager
    def _worker_slot(self, wake: Callable[[], None]) -> Generator[str]:
        url = self._context.settings.resolved_database_url
        if not self._context.database.takes_several_workers:
            with sqlite_worker_slot(url) as slot:
                yield slot
            return
        listener = PostgresqlWorkerSlot(url, wake)
        try:
            yield listener.executor_id
        finally:
            listener.close()

    def _periodic_jobs(self, engine: DurableEngine, registry: WorkerRegistry) -> list[PeriodicJob]:
        context = self._context
        known: list[str] = []
        released_at = float("-inf")

        def take_over_dead_workers() -> None:
            nonlocal known, released_at
            registry.record_heartbeat(context.clock())
            if not context.database.takes_several_workers:
                return  # this is the only worker, and what it had begun it takes up at its start
            living = sorted(registry.list_live_workers())
            if living == known and time.monotonic() - released_at < TAKEOVER_CHECK_SECONDS:
                return
            if engine.release_all_except(living):
                log.warning("Took over the work of a worker that is gone.")
            registry.deregister_others(living)
            known, released_at = living, time.monotonic()

        def fire_timers() -> None:
            with context.database.reading() as connection:
                due = sa.select(timer.c.id).where(timer.c.due_at <= context.clock()).limit(1)
                if connection.scalar(due) is None:
                    return
            # Imported for the first timer: a worker that only delivers stays small.
            from app.service.negotiation.timers import fire_due_timers

            fire_due_timers(context)

        def send_mail() -> None:
            if context.settings.smtp_url is None:
                return
            from app.service.negotiation.mail.mail_sender import send_due_mail

            send_due_mail(context)

        def count_recent_purchases() -> None:
            from app.service.catalog.denormalise import update_purchase_counts

            update_purchase_counts(context)

        def delete_old_rows() -> None:
            delete_old(context)
            engine.delete_ended(ENGINE_RETENTION)
            sleeping = engine.count_foreign_versions()
            if sleeping:
                log.warning("%d pieces of work belong to another version of the engine's state.", sleeping)

        return [
            PeriodicJob("heartbeat", HEARTBEAT_SECONDS, take_over_dead_workers),
            PeriodicJob("timers", TIMERS_SECONDS, fire_timers),
            PeriodicJob("mail", MAIL_SECONDS, send_mail),
            PeriodicJob("retention", RETENTION_SECONDS, delete_old_rows),
            PeriodicJob("catalog", CATALOG_SECONDS, count_recent_purchases),
        ]

    def _run_task(self, kind: str, subject_id: str) -> None:
        if self._ending:
            return  # the row stays; the next worker finds it
        self._running.append(kind)
        try:
            run_task(self._context, self._handlers, kind, subject_id)
        finally:
            self._running.remove(kind)

    async def _wait_for_tasks(self) -> bool:
        """Whether the tasks that ran have ended, once those that are awaited did or took too long."""
        for _ in range(int(TASKS_GRACE_SECONDS * 20)):
            if not any(self._is_awaited(kind) for kind in list(self._running)):
                break
            await asyncio.sleep(0.05)
        return not self._running

    def _is_awaited(self, kind: str) -> bool:
        return kind not in self._handlers or self._handlers[kind].awaited
