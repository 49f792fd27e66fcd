"""Endpoint workers in a test, in its own process."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from ipaddress import ip_network
from typing import Any

import sqlalchemy as sa

from app.service.background.db_writer import BatchedConnection
from app.service.background.membership import Heartbeat, Registration
from app.service.background.task_turns import RunningTasks
from app.service.context import Context
from app.service.database.tables import attempt, delivery, webhook
from app.service.webhooks.delivery_queue import (
    Batch,
    BatchRequest,
    QueueUpdate,
    load_batches,
    write_update,
    write_updates,
)
from app.service.webhooks.endpoint_worker import EndpointWorkers
from app.service.worker.dispatch import TakenWork, WorkDispatcher


def impatient(context: Context, *schedule: float) -> Context:
    """The context with a short schedule, and the loopback allowed."""
    settings = context.settings.model_copy(
        update={"retry_schedule": schedule or (0, 0.05, 0.05), "webhook_allow": (ip_network("127.0.0.0/8"),)}
    )
    return replace(context, settings=settings)


Store = BatchedConnection[BatchRequest, Batch, QueueUpdate, TakenWork]


@dataclass
class DeliveringWorker:
    """The part of a worker that delivers. `apply` writes a group of results."""

    context: Context
    registration: Registration
    store: Store
    endpoint_workers: EndpointWorkers


@asynccontextmanager
async def delivering(
    context: Context,
    *,
    seconds: float = 2.0,
    slot: str = "worker",
    apply: Callable[[sa.Connection, list[QueueUpdate], str], None] = write_updates,
) -> AsyncGenerator[DeliveringWorker]:
    """Endpoint workers that are started for whatever is due, as a worker does it, without its tasks."""
    registration = Registration(context.database, slot, context.clock)
    registration.register()
    dispatcher = WorkDispatcher(
        registration, RunningTasks({}), clock=context.clock, start_task=lambda task: None
    )
    store: Store = BatchedConnection(
        context.database,
        read=lambda connection, wanted: load_batches(
            connection, context.vault, wanted, worker_id=registration.id, now=context.clock()
        ),
        apply=lambda connection, changes: apply(connection, changes, registration.id),
        apply_one=lambda connection, change: write_update(connection, change, registration.id),
        poll=dispatcher.take,
        on_due=dispatcher.dispatch,
    )
    workers = EndpointWorkers(context, store, is_certain=registration.is_certain, timeout=seconds, linger=5)
    dispatcher.start(workers)
    heartbeat = Heartbeat(registration, lambda: None)
    store.open()
    try:
        yield DeliveringWorker(context, registration, store, workers)
    finally:
        dispatcher.stop()
        await workers.stop()
        await store.close()
        await asyncio.to_thread(heartbeat.stop)


async def until(condition: Callable[[], bool], seconds: float = 15.0) -> None:
    end = time.monotonic() + seconds
    while not await asyncio.to_thread(condition):
        assert time.monotonic() < end, "it did not come about in time"
        await asyncio.sleep(0.02)


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


def row_of(context: Context, webhook_id: str) -> sa.Row[Any]:
    with context.database.reading() as connection:
        return connection.execute(sa.select(webhook).where(webhook.c.id == webhook_id)).one()


def outcomes(context: Context, webhook_id: str) -> list[str]:
    query = sa.select(attempt.c.outcome).join(delivery).where(delivery.c.webhook_id == webhook_id)
    with context.database.reading() as connection:
        return list(connection.scalars(query.order_by(attempt.c.number)))
