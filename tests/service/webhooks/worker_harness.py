"""Endpoint workers in a test, without the durable engine."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import replace
from ipaddress import ip_network
from typing import Any

import sqlalchemy as sa

from app.service.background.db_writer import BatchedConnection
from app.service.context import Context
from app.service.database.tables.webhooks import attempt, delivery, webhook
from app.service.webhooks.delivery_queue import (
    Batch,
    BatchRequest,
    QueueUpdate,
    count_due_by_endpoint,
    load_batches,
    write_update,
    write_updates,
)
from app.service.webhooks.endpoint_worker import COUNT_LIMIT
from app.service.webhooks.endpoint_workers import EndpointWorkers


def impatient(context: Context, *schedule: float) -> Context:
    """The context with a short schedule, and the loopback allowed."""
    settings = context.settings.model_copy(
        update={"retry_schedule": schedule or (0, 0.05, 0.05), "webhook_allow": (ip_network("127.0.0.0/8"),)}
    )
    return replace(context, settings=settings)


@asynccontextmanager
async def delivering(context: Context, *, seconds: float = 2.0) -> AsyncGenerator[EndpointWorkers]:
    """Endpoint workers that are started for whatever is due, as a worker does it, without the durable
    engine."""
    running: set[asyncio.Task[None]] = set()

    def found(counted: dict[str, int]) -> None:
        for id in workers.wake(counted):
            running.add(asyncio.create_task(workers.run(id)))

    batched: BatchedConnection[BatchRequest, Batch, QueueUpdate, dict[str, int]] = BatchedConnection(
        context.database,
        read=lambda connection, wanted: load_batches(connection, context.vault, wanted, now=context.clock()),
        apply=write_updates,
        apply_one=write_update,
        poll=lambda connection: count_due_by_endpoint(connection, context.clock(), COUNT_LIMIT),
        on_due=found,
    )
    workers = EndpointWorkers(context, batched, timeout=seconds, linger=5)
    batched.open()
    try:
        yield workers
    finally:
        await workers.stop()
        await asyncio.gather(*running)
        await batched.close()


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
