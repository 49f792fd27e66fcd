"""Deliveries a second of one and of two workers on one PostgreSQL, and how soon one that joins has its part.

Each worker has a fifth of a core, as if it were on a host of its own: it is stopped for four fifths of each
twenty milliseconds. So receiver and PostgreSQL, which share the machine with them, are not what limits them.
"""

import os
import signal
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import sqlalchemy as sa

from app.service.context import Context
from app.service.database.tables import webhook, worker
from tests.benchmarks.delivery_worker import deployment, run_worker, wait_until_drained
from tests.benchmarks.figures import Figure
from tests.benchmarks.receiver import arrivals, receiving
from tests.service.postgres import fresh_database, server_url
from tests.service.webhooks.webhook_factory import a_webhook, happen

ENDPOINTS = 8
PERIOD_SECONDS, SHARE = 0.02, 0.2
AT_LEAST = 1.6


def run(full: bool) -> list[Figure]:
    """PostgreSQL only: a file of SQLite has one worker."""
    server = server_url()
    if server is None:
        return []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        url = stack.enter_context(receiving())
        database_url = stack.enter_context(fresh_database(server))
        context = stack.enter_context(deployment(folder, database_url))
        ids = [a_webhook(context, f"{url}/hook")[0] for _ in range(ENDPOINTS)]
        rates: dict[int, list[float]] = {1: [], 2: []}
        for _ in range(5 if full else 1):
            for workers, found in rates.items():
                found.append(_drain(context, url, ids, workers, 1_000 if full else 100))
        joined = _join(context, ids, 2_000 if full else 300)
    one, two = (statistics.median(found) for found in rates.values())
    ratio = statistics.median(both / alone for alone, both in zip(rates[1], rates[2], strict=True))
    note = f"{ENDPOINTS} endpoints, {SHARE:.0%} of a core each"
    return [
        Figure("sharing, postgresql", "one worker", one, "deliveries/s", note=note),
        Figure("sharing, postgresql", "two workers", two, "deliveries/s", note=note),
        Figure("sharing, postgresql", "two workers, of one", ratio, "ratio", at_least=AT_LEAST, note=note),
        Figure("sharing, postgresql", "half of a backlog is the joining worker's", joined, "s", at_most=10),
    ]


def _drain(context: Context, url: str, ids: list[str], workers: int, events: int) -> float:
    """Deliveries a second of so many workers."""
    with ExitStack() as stack:
        for number in range(workers):
            stack.enter_context(_slow_worker(context, number + 1))
        arrivals(url)
        for id in ids:
            happen(context, id, events)
        for id in ids:
            wait_until_drained(context, id)
        moments = sorted(at for _, at in arrivals(url))
    return (len(moments) - 1) / (moments[-1] - moments[0])


def _join(context: Context, ids: list[str], events: int) -> float:
    """Seconds from the registration of a second worker until it has half of the endpoints."""
    with _slow_worker(context, 1):
        for id in ids:
            happen(context, id, events)
        _wait(lambda: _count_holders(context) == [ENDPOINTS])
        with _slow_worker(context, 2):
            began = time.monotonic()
            _wait(lambda: max(_count_holders(context), default=0) == ENDPOINTS // 2)
            return time.monotonic() - began


@contextmanager
def _slow_worker(context: Context, number: int) -> Generator[None]:
    """The worker of that number, slow from when it has registered; killed at the end."""
    with run_worker(context) as process:
        _wait(lambda: _count_workers(context) == number)
        ending = threading.Event()
        slowing = threading.Thread(target=_slow_down, args=(process.pid, ending))
        slowing.start()
        try:
            yield
        finally:
            ending.set()
            slowing.join()
            process.kill()
            with context.database.writing() as connection:
                connection.execute(sa.delete(worker))


def _slow_down(pid: int, ending: threading.Event) -> None:
    """A process has SHARE of each period."""
    while not ending.wait(PERIOD_SECONDS * SHARE):
        os.kill(pid, signal.SIGSTOP)
        time.sleep(PERIOD_SECONDS * (1 - SHARE))
        os.kill(pid, signal.SIGCONT)


def _count_workers(context: Context) -> int:
    with context.database.reading() as connection:
        return connection.scalar(sa.select(sa.func.count()).select_from(worker)) or 0


def _count_holders(context: Context) -> list[int]:
    """How many endpoints each worker has."""
    held = sa.select(sa.func.count()).where(webhook.c.worker_id.is_not(None)).group_by(webhook.c.worker_id)
    with context.database.reading() as connection:
        return list(connection.scalars(held))


def _wait(condition: Callable[[], bool], seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError("it did not come about")
        time.sleep(0.02)
