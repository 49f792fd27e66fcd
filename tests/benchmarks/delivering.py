"""Webhook delivery: how fast a backlog drains beside a raw aiohttp loop, how soon an event arrives, what a
worker holds in memory. Raw loop and product in turn, against a receiver in a process of its own."""

import asyncio
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from ipaddress import ip_network
from pathlib import Path

import aiohttp
import sqlalchemy as sa
import uvloop

from app.service.context import Context, open_context
from app.service.database.schema import migrate
from app.service.database.tables.access import organisation
from app.service.database.tables.webhooks import delivery
from app.service.ids import new_id
from app.settings import Settings
from tests.benchmarks.figures import Figure
from tests.benchmarks.receiver import arrivals, receiving
from tests.service.postgres import fresh_database, server_url
from tests.service.webhooks.owing import a_webhook, happen

IN_FLIGHT = 16
START_SECONDS = 60.0
DRAIN_SECONDS = 300.0
GOALS = {"sqlite": (0.5, 5.0), "postgresql": (0.4, 10.0)}
"""Drain beside the raw loop; milliseconds from commit to receiver, the median."""


def run(full: bool) -> list[Figure]:
    """SQLite always, PostgreSQL where there is one."""
    count, rounds = (20_000, 5) if full else (3_000, 2)
    figures = _measure("sqlite", None, count, rounds)
    server = server_url()
    if server is not None:
        with fresh_database(server) as url:
            figures += _measure("postgresql", url, count, rounds)
    return figures


def _measure(store: str, database_url: str | None, count: int, rounds: int) -> list[Figure]:
    subject = f"delivering, {store}"
    share, soon = GOALS[store]
    with (
        tempfile.TemporaryDirectory() as folder,
        receiving() as url,
        _deployment(Path(folder), database_url) as context,
    ):
        raw, drained = [], []
        with _worker(context) as process:
            id, _ = a_webhook(context, f"{url}/hook")
            happen(context, id, 100)
            _wait_until_drained(context, id)
            for _ in range(rounds):
                raw.append(uvloop.run(_raw_loop(f"{url}/hook", count)))
                arrivals(url)
                happen(context, id, count)
                _wait_until_drained(context, id)
                moments = sorted(at for _, at in arrivals(url))
                drained.append((len(moments) - 1) / (moments[-1] - moments[0]))
            delays = sorted(_delay(context, id, url) for _ in range(100))
            memory = _resident_megabytes(process.pid)
    ratio = statistics.median(ours / theirs for ours, theirs in zip(drained, raw, strict=True))
    return [
        Figure(subject, "drain beside the raw loop", ratio, "ratio", at_least=share, note=f"{count} in turn"),
        Figure(subject, "drain", statistics.median(drained), "deliveries/s"),
        Figure(subject, "raw aiohttp loop", statistics.median(raw), "requests/s"),
        Figure(subject, "commit to receiver, p50", delays[50], "ms", at_most=soon, note="warm"),
        Figure(subject, "commit to receiver, p99", delays[98], "ms", at_most=100, note="warm"),
        Figure(subject, "memory of the worker", memory, "MB", at_most=110, note="delivering only"),
    ]


@contextlib.contextmanager
def _deployment(folder: Path, database_url: str | None) -> Generator[Context]:
    settings = Settings(
        data_dir=folder, database_url=database_url, webhook_allow=(ip_network("127.0.0.0/8"),)
    )
    context = open_context(settings)
    try:
        migrate(context.database)
        with context.database.writing() as connection:
            connection.execute(
                sa.insert(organisation).values(id=new_id(), name="bench", created_at=context.clock())
            )
        yield context
    finally:
        context.database.close()


@contextlib.contextmanager
def _worker(context: Context) -> Generator["subprocess.Popen[bytes]"]:
    environment = {
        **os.environ,
        "PARLEY_DATA_DIR": str(context.settings.data_dir),
        "PARLEY_WEBHOOK_ALLOW": "127.0.0.0/8",
    }
    environment.pop("DATABASE_URL", None)
    if context.settings.database_url:
        environment["DATABASE_URL"] = context.settings.database_url
    command = (
        "from app.settings import Settings; from app.service.worker import run_worker; run_worker(Settings())"
    )
    with subprocess.Popen([sys.executable, "-c", command], env=environment) as process:
        try:
            yield process
        finally:
            process.terminate()


def _wait_until_drained(context: Context, webhook_id: str) -> None:
    query = (
        sa.select(sa.literal(1))
        .where(delivery.c.webhook_id == webhook_id, delivery.c.next_at.is_not(None))
        .limit(1)
    )
    end = time.monotonic() + DRAIN_SECONDS
    while time.monotonic() < end:
        with context.database.reading() as connection:
            if connection.scalar(query) is None:
                return
        time.sleep(0.1)
    raise TimeoutError("the worker did not deliver")


def _delay(context: Context, webhook_id: str, url: str) -> float:
    """Milliseconds from after the commit of one event to its arrival."""
    happen(context, webhook_id)
    committed = time.time()
    time.sleep(0.05)
    arrived = arrivals(url)
    while not arrived:
        time.sleep(0.05)
        arrived = arrivals(url)
    return max(0.0, (arrived[0][1] - committed) * 1000)


async def _raw_loop(url: str, count: int) -> float:
    """Requests a second of sixteen bare loops: nothing signed, nothing kept."""
    body = json.dumps({"eventType": "scope.extracted", "data": {"scopeId": new_id(), "status": "completed"}})
    left = count
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0), trust_env=False) as session:

        async def work() -> None:
            nonlocal left
            while left > 0:
                left -= 1
                headers = {"content-type": "application/json"}
                async with session.post(url, data=body, headers=headers, allow_redirects=False) as answer:
                    await answer.content.read(16_384)

        began = time.perf_counter()
        await asyncio.gather(*(work() for _ in range(IN_FLIGHT)))
        return count / (time.perf_counter() - began)


def _resident_megabytes(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0
