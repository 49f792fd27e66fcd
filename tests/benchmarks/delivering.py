"""Webhook delivery: how fast a backlog drains beside a raw aiohttp loop, how soon an event arrives, what
endpoints that hang cost the others, what a drain costs the callers of the service, how soon a killed worker
is at it again, and what it takes to wait. Raw loop and product in turn, the receiver in its own process."""

import asyncio
import http.client
import json
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from ipaddress import ip_network
from pathlib import Path

import aiohttp
import sqlalchemy as sa
import uvloop
from yarl import URL

from app.service.access.keys import create_key
from app.service.context import Context
from app.service.database.tables import webhook
from app.service.ids import new_id
from app.service.webhooks.sending import Message, Sender
from app.service.webhooks.signing import Signer
from tests.benchmarks import server
from tests.benchmarks.delivery_worker import (
    deployment,
    has_due_deliveries,
    processor_seconds,
    resident_megabytes,
    run_worker,
    wait_until_drained,
)
from tests.benchmarks.figures import Figure
from tests.benchmarks.receiver import arrivals, receiving
from tests.service.postgres import fresh_database, server_url
from tests.service.webhooks.webhook_factory import a_webhook, happen

IN_FLIGHT = 16
GOALS = {"sqlite": (0.56, 4.0, 8.0), "postgresql": (0.52, 6.0, 15.0)}
"""Drain beside the raw loop; milliseconds from commit to receiver, the median."""

HEALTHY, HANGING = 70, 30
BACKLOG = 50
"""Events that each hanging endpoint is owed from the start."""
BETWEEN_ROUNDS_SECONDS = 0.1
AT_ONCE = 100
"""Events of one transaction."""


def run(full: bool) -> list[Figure]:
    """SQLite always, PostgreSQL where there is one."""
    figures = _on("sqlite", None, full)
    url = server_url()
    if url is not None:
        with fresh_database(url) as database_url:
            figures += _on("postgresql", database_url, full)
    return figures


def _on(store: str, database_url: str | None, full: bool) -> list[Figure]:
    subject = f"delivering, {store}"
    count, rounds = (20_000, 5) if full else (3_000, 2)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        url = stack.enter_context(receiving())
        context = stack.enter_context(deployment(folder, database_url))
        return [
            *_waiting(subject, context, seconds=20 if full else 5),
            *_draining(subject, store, context, url, count, rounds),
            *_isolation(subject, context, url, rounds=100 if full else 20),
            *_serving(subject, context, url, count),
            *_restarting(subject, context, url, count, times=5 if full else 2),
        ]


def _waiting(subject: str, context: Context, seconds: float) -> list[Figure]:
    with run_worker(context) as process:
        time.sleep(5)
        before = processor_seconds(process.pid)
        time.sleep(seconds)
        used = (processor_seconds(process.pid) - before) / seconds * 100
    return [Figure(subject, "idle worker", used, "% of a core", at_most=5, note=f"over {seconds} s")]


def _draining(subject: str, store: str, context: Context, url: str, count: int, rounds: int) -> list[Figure]:
    share, soon, late = GOALS[store]
    raw, sent, drained = [], [], []
    id, _ = a_webhook(context, f"{url}/hook")
    for _ in range(rounds):
        raw.append(uvloop.run(_raw_loop(f"{url}/hook", count)))
        sent.append(uvloop.run(_send_alone(f"{url}/hook", count)))
        _owe(context, id, count)
        arrivals(url)
        with run_worker(context):
            wait_until_drained(context, id)
        moments = sorted(at for _, at in arrivals(url))
        drained.append((len(moments) - 1) / (moments[-1] - moments[0]))
    with run_worker(context) as process:
        happen(context, id, 100)
        wait_until_drained(context, id)
        arrivals(url)
        delays = sorted(_delay(context, id, url) for _ in range(100))
        memory = resident_megabytes(process.pid)
    ratio, limit = (
        statistics.median(ours / theirs for ours, theirs in zip(rates, raw, strict=True))
        for rates in (drained, sent)
    )
    return [
        Figure(subject, "drain beside the raw loop", ratio, "ratio", at_least=share, note=f"{count} in turn"),
        Figure(subject, "sent and not recorded, beside the raw loop", limit, "ratio", note="the limit"),
        Figure(subject, "drain", statistics.median(drained), "deliveries/s"),
        Figure(subject, "raw aiohttp loop", statistics.median(raw), "requests/s"),
        Figure(subject, "commit to receiver, p50", delays[50], "ms", at_most=soon, note="warm"),
        Figure(subject, "commit to receiver, p99", delays[98], "ms", at_most=late, note="warm"),
        Figure(subject, "memory of the worker", memory, "MB", at_most=110, note="delivering only"),
    ]


def _owe(context: Context, webhook_id: str, count: int) -> None:
    """Write a backlog as the product would, in many transactions: one of them all would keep SQLite's one
    lock for longer than a worker of a busy machine waits for it."""
    for _ in range(0, count, AT_ONCE):
        happen(context, webhook_id, AT_ONCE)


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


BODY = json.dumps({"eventType": "scope.extracted", "data": {"scopeId": new_id(), "status": "completed"}})


async def _raw_loop(url: str, count: int) -> float:
    """Requests a second of sixteen bare loops: nothing signed, nothing kept."""
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0), trust_env=False) as session:

        async def send() -> None:
            headers = {"content-type": "application/json"}
            async with session.post(url, data=BODY, headers=headers, allow_redirects=False) as answer:
                await answer.content.read(16_384)

        return await _count_a_second(send, count)


async def _send_alone(url: str, count: int) -> float:
    """The same with the product's requests: signed, to allowed addresses, their answers read."""
    sender, signer = Sender(allow=[ip_network("127.0.0.0/8")]), Signer([b"key"])
    try:
        return await _count_a_second(
            lambda: sender.send(
                URL(url), Message(new_id(), BODY.encode(), test=False), signer, now=datetime.now(UTC)
            ),
            count,
        )
    finally:
        await sender.close()


async def _count_a_second(send: Callable[[], Awaitable[object]], count: int) -> float:
    left = count

    async def work() -> None:
        nonlocal left
        while left > 0:
            left -= 1
            await send()

    began = time.perf_counter()
    await asyncio.gather(*(work() for _ in range(IN_FLIGHT)))
    return count / (time.perf_counter() - began)


def _isolation(subject: str, context: Context, url: str, rounds: int) -> list[Figure]:
    """What the healthy endpoints wait, without and with endpoints that take and never answer."""
    healthy = [a_webhook(context, f"{url}/hook")[0] for _ in range(HEALTHY)]
    with run_worker(context):
        _delays(context, url, healthy, 2)
        without = _delays(context, url, healthy, rounds)
        hanging = [a_webhook(context, f"{url}/hang")[0] for _ in range(HANGING)]
        for id in hanging:
            happen(context, id, BACKLOG)
        time.sleep(2)
        among = _delays(context, url, healthy, rounds)
    _turn_off(context, hanging)
    note = f"{HEALTHY} healthy, {HANGING} hanging, beside none hanging"
    return [
        Figure(
            subject,
            f"healthy endpoints among hanging ones, p{name}",
            _at(among, share) / max(_at(without, share), 0.1),
            "ratio",
            at_most=goal,
            note=note,
        )
        for name, share, goal in (("50", 0.5, 1.2), ("99", 0.99, 2.0))
    ]


def _delays(context: Context, url: str, webhook_ids: Sequence[str], rounds: int) -> list[float]:
    """Milliseconds from commit to arrival of an event for each webhook in each round."""
    arrivals(url)
    committed: dict[str, float] = {}
    for _ in range(rounds):
        for webhook_id in webhook_ids:
            [event] = happen(context, webhook_id)
            committed[event] = time.time()
        time.sleep(BETWEEN_ROUNDS_SECONDS)
    arrived: dict[str, float] = {}
    end = time.monotonic() + 60
    while committed.keys() - arrived.keys():
        if time.monotonic() > end:
            raise TimeoutError("events for healthy endpoints did not arrive")
        time.sleep(0.1)
        arrived.update(arrivals(url))
    return sorted(max(0.0, (arrived[event] - at) * 1000) for event, at in committed.items())


def _serving(subject: str, context: Context, url: str, count: int) -> list[Figure]:
    """What a caller of the service waits while a backlog drains."""
    with context.database.writing() as connection:
        _, key = create_key(
            connection, name="caller", organisation_name="Callers", role="reader", now=context.clock()
        )
    id, _ = a_webhook(context, f"{url}/hook")
    with server.running(context.settings.data_dir, context.settings.database_url) as (host, port):
        answers = _Answers(host, port, key)
        answers.measure(lambda: len(answers.waits) < 200)
        answers.waits.clear()
        _owe(context, id, count)
        arrivals(url)
        with run_worker(context):
            while not arrivals(url):
                time.sleep(0.02)
            answers.measure(lambda: has_due_deliveries(context, id))
    waits = sorted(answers.waits)
    note = f"{len(waits)} reads while {count} were delivered"
    return [Figure(subject, "service during a drain, p99", _at(waits, 0.99), "ms", at_most=10, note=note)]


class _Answers:
    """Milliseconds of one read after another on one connection."""

    def __init__(self, host: str, port: int, key: str) -> None:
        self._connection = http.client.HTTPConnection(host, port, timeout=30)
        self._headers = {"Authorization": f"Bearer {key}"}
        self.waits: list[float] = []

    def measure(self, going_on: Callable[[], bool]) -> None:
        while going_on():
            began = time.perf_counter()
            self._connection.request("GET", "/v1/webhooks", headers=self._headers)
            self._connection.getresponse().read()
            self.waits.append((time.perf_counter() - began) * 1000)
            time.sleep(0.002)


def _restarting(subject: str, context: Context, url: str, count: int, times: int) -> list[Figure]:
    """Seconds from the start of a worker to its first delivery, after one before was killed."""
    id, _ = a_webhook(context, f"{url}/hook")
    seconds: list[float] = []
    _owe(context, id, count)
    for _ in range(times):
        arrivals(url)
        began = time.time()
        with run_worker(context) as process:
            while not (arrived := arrivals(url)):
                time.sleep(0.02)
            process.kill()
        seconds.append(min(at for _, at in arrived) - began)
        if not has_due_deliveries(context, id):
            _owe(context, id, count)
    longest = max(seconds[1:])
    return [Figure(subject, "first delivery after a kill", longest, "s", at_most=2, note="from the start")]


def _turn_off(context: Context, webhook_ids: Sequence[str]) -> None:
    with context.database.writing() as connection:
        connection.execute(sa.update(webhook).where(webhook.c.id.in_(webhook_ids)).values(enabled=False))


def _at(ordered: Sequence[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
