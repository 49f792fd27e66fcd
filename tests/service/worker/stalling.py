"""Stops workers in the middle of deliveries for a while (SIGSTOP), and says what was sent twice for it."""

import asyncio
import contextlib
import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from multiprocessing.context import ForkServerProcess

import sqlalchemy as sa

from app.service.context import Context
from app.service.database.tables import delivery
from app.service.database.tables import worker as worker_table
from app.settings import Settings
from tests.service.background.worker_fixture import until
from tests.service.webhooks.receivers import Endpoint, Received, serving, status
from tests.service.webhooks.webhook_factory import a_webhook, happen, states

ANSWER_SECONDS = 0.01
ARRIVAL_SECONDS = 0.5
"""Within this time what was on its way when a worker was stopped has arrived."""

StartWorker = Callable[[Settings], AbstractContextManager[ForkServerProcess]]


@dataclass
class Stalls:
    """What came of it. `in_flight`: the events that had arrived and were not recorded when a worker was
    stopped; `repeated`: those that arrived more than once."""

    owed: set[str] = field(default_factory=set[str])
    received: Counter[str] = field(default_factory=Counter[str])
    in_flight: set[str] = field(default_factory=set[str])

    @property
    def repeated(self) -> set[str]:
        return {id for id, times in self.received.items() if times > 1}


async def answer(received: Received, writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(ANSWER_SECONDS)
    await status(200)(received, writer)


def count_workers(context: Context) -> int:
    with context.database.reading() as connection:
        return connection.scalar(sa.select(sa.func.count()).select_from(worker_table)) or 0


def load_recorded(context: Context) -> set[str]:
    with context.database.reading() as connection:
        return set(connection.scalars(sa.select(delivery.c.event_id).where(delivery.c.next_at.is_(None))))


def ids_received(told: Endpoint) -> list[str]:
    return [each.headers["webhook-id"] for each in list(told.received)]


@contextlib.contextmanager
def stopped(process: ForkServerProcess, seconds: float) -> Iterator[None]:
    """Stopped for so many seconds, in the beginning of which the block runs."""
    assert process.pid is not None
    until_then = time.monotonic() + seconds
    os.kill(process.pid, signal.SIGSTOP)
    try:
        yield
        time.sleep(max(0.0, until_then - time.monotonic()))
    finally:
        os.kill(process.pid, signal.SIGCONT)


def stall_in_the_middle(
    context: Context, settings: Settings, start_worker: StartWorker, *, count: int, seconds: Sequence[float]
) -> Stalls:
    """Sends `count` events. The worker that sends them is stopped for each of the times; where several may
    work, another one runs beside it, and each of the two is stopped in turn."""
    stalls = Stalls()
    several = context.database.takes_several_workers
    with serving(answer) as told, contextlib.ExitStack() as stack:
        webhook_id, _ = a_webhook(context, told.url)
        workers = [stack.enter_context(start_worker(settings))]
        stalls.owed.update(happen(context, webhook_id))
        until(lambda: states(context, webhook_id) == {"succeeded": 1})  # by the first, which has it now
        if several:
            workers.append(stack.enter_context(start_worker(settings)))
            until(lambda: count_workers(context) == 2)
        for number, length in enumerate(seconds):
            begun = len(told.received)
            share = count // len(seconds)
            stalls.owed.update(happen(context, webhook_id, share))
            until(lambda begun=begun, share=share: len(told.received) > begun + share // 4)
            with stopped(workers[number % len(workers)], length):
                time.sleep(min(ARRIVAL_SECONDS, length / 2))
                stalls.in_flight |= set(ids_received(told)) - load_recorded(context)
            until(lambda: set(states(context, webhook_id)) == {"succeeded"})
            until(lambda: count_workers(context) == len(workers))
        time.sleep(ARRIVAL_SECONDS)
        stalls.received = Counter(ids_received(told))
    return stalls
