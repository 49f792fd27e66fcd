"""The memory of a service after 50,000 requests, of which 250 are hostile, against that after the first
fifth of them, which has filled what is cached."""

import asyncio
import json
import logging
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from itertools import islice
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import uvloop

from app.service.context import Context
from tests.attacks.mixed_requests import Deployment, hostile_requests, ordinary_requests
from tests.attacks.service_process import anonymous_memory_of, memory_of, started
from tests.attacks.test_hostile_tenant import make_scope, open_api, scope_of
from tests.benchmarks.generated_purchases import generated_deployment, products

pytestmark = [
    pytest.mark.campaign,
    pytest.mark.timeout(3600),
    pytest.mark.skipif(sys.platform != "linux", reason="the memory of a process is read from /proc"),
]

REQUESTS = 50_000
ORDINARY_FOR_EACH_HOSTILE = 199
MOST_GROWTH = 1.2
CALLERS = 8
PURCHASES = 20_000
HOSTILE_SECONDS = 2.0
"""How long a hostile caller waits for an answer before it leaves."""
ANSWER_SECONDS = 60.0
REST_SECONDS = 10.0

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)\r\n", re.IGNORECASE)

logger = logging.getLogger(__name__)


def test_memory_stays_what_it_was(database_url: str | None, tmp_path: Path) -> None:
    growth, statuses = measure_growth(tmp_path / "data", database_url, REQUESTS)
    assert not [status for status in statuses if status >= 500 and status != 503]
    assert growth <= MOST_GROWTH


def measure_growth(folder: Path, database_url: str | None, requests: int) -> tuple[float, Counter[int]]:
    """The memory after so many requests, in that after the first fifth; and how often each status came."""
    statuses: Counter[int] = Counter()
    with (
        generated_deployment(folder, database_url, PURCHASES) as context,
        started(folder, database_url) as (address, process),
    ):
        mixed = mix(prepare(context, address))
        figures: list[tuple[float, float]] = []
        for share in (requests // 5, requests - requests // 5):
            statuses += uvloop.run(send(address, islice(mixed, share)))
            time.sleep(REST_SECONDS)
            figures.append((anonymous_memory_of(process), memory_of(process)))
    warm, end = figures
    growth = end[0] / warm[0]
    logger.warning(
        "after %d and %d requests: %.0f and %.0f MiB (with pages of files %.0f and %.0f); growth %.2f; %s",
        *(requests // 5, requests, warm[0], end[0], warm[1], end[1], growth),
        dict(sorted(statuses.items())),
    )
    return growth, statuses


def prepare(context: Context, address: str) -> Deployment:
    """Three organisations, and a scope of the first."""
    sold = products(context, 20)
    with ExitStack() as stack:
        names = ("Caller", "Other", "Hostile")
        callers = [stack.enter_context(open_api(context, address, name)) for name in names]
        product = callers[0].get(f"/v1/catalog/products/{sold[0][0]}").raise_for_status().json()
        return Deployment(
            keys=[api.headers["Authorization"].removeprefix("Bearer ") for api in callers],
            company_id=product["company"]["id"],
            product_ids=[product_id for product_id, _ in sold],
            scope_id=make_scope(callers[0], sold[:3]),
            scope_body=json.dumps(scope_of(sold[:3])).encode(),
        )


def mix(deployment: Deployment) -> Iterator[tuple[bool, bytes]]:
    """Requests, each with whether it is hostile."""
    ordinary, hostile = ordinary_requests(deployment, 1), hostile_requests(deployment)
    while True:
        for request in islice(ordinary, ORDINARY_FOR_EACH_HOSTILE):
            yield False, request
        yield True, next(hostile)


async def send(address: str, requests: Iterator[tuple[bool, bytes]]) -> Counter[int]:
    """Send them, so many at a time as there are callers; how often each status came, 0 for none."""
    parts = urlsplit(address)
    assert parts.hostname
    assert parts.port
    statuses: Counter[int] = Counter()

    async def call() -> None:
        caller = Caller(parts.hostname or "", parts.port or 0)
        for is_hostile, request in requests:
            status = await (caller.attack(request) if is_hostile else caller.ask(request))
            statuses[status] += 1
        caller.close()

    await asyncio.gather(*(call() for _ in range(CALLERS)))
    return statuses


class Caller:
    """One connection for ordinary requests, and one for each hostile request."""

    def __init__(self, host: str, port: int) -> None:
        self._host = host
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, request: bytes) -> int:
        """The status of the answer, all of which is read."""
        if self._streams is None:
            self._streams = await asyncio.open_connection(self._host, self._port)
        reader, writer = self._streams
        writer.write(request)
        async with asyncio.timeout(ANSWER_SECONDS):
            head = await reader.readuntil(b"\r\n\r\n")
            length = _LENGTH.search(head)
            if length is not None and not request.startswith(b"HEAD "):
                await reader.readexactly(int(length[1]))
        if b"\r\nconnection: close" in head.lower():
            self.close()
        return int(head[9:12])

    async def attack(self, request: bytes) -> int:
        """The status, 0 where none came before the caller left."""
        head = b""
        reader, writer = await asyncio.open_connection(self._host, self._port)
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(HOSTILE_SECONDS):
                writer.write(request)
                head = await reader.read(4096)
        writer.transport.abort()
        return int(head[9:12] or 0)

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None
