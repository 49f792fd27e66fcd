"""A page of 100 products compressed: its bytes, and the time of one caller who waits for it on the loopback,
against the same page as it is. Each request is the first of its kind, so that nothing cached serves it. The
codings take turns, request by request, so that what else the machine does falls on all of them alike.

The reader reads the bytes and no more; httpx decompresses them too.
"""

import http.client
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from itertools import count
from pathlib import Path

import httpx

from app.settings import Settings
from tests.benchmarks.figures import Figure
from tests.benchmarks.generated_supplier import generate_supplier
from tests.benchmarks.server import running
from tests.benchmarks.stores import on_each_store

PRODUCTS = 1_000
CODINGS = ("identity", "gzip", "zstd")
BYTES_AT_MOST = 0.15
TIME_AT_MOST = 1.3

Get = Callable[[str, str], bytes]
"""Gets a path in a coding; the bytes that came."""


def run(full: bool) -> list[Figure]:
    """On SQLite and, where there is one, PostgreSQL."""
    return on_each_store(lambda store, url: _on_store(store, url, full))


def _on_store(store: str, database_url: str | None, full: bool) -> list[Figure]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="parley-compression-")))
        settings = Settings(data_dir=folder, rate_limit=0).model_copy(update={"database_url": database_url})
        supplier = generate_supplier(settings, PRODUCTS)
        host, port = stack.enter_context(running(folder, database_url))
        page = f"/v1/catalog/companies/{supplier.company_id}/products?limit=100&offset=500"
        key = {"Authorization": f"Bearer {supplier.key}"}
        connection = stack.enter_context(closing(http.client.HTTPConnection(host, port)))
        client = stack.enter_context(httpx.Client(base_url=f"http://{host}:{port}", headers=key))

        def read(path: str, coding: str) -> bytes:
            connection.request("GET", path, headers={**key, "Accept-Encoding": coding})
            response = connection.getresponse()
            assert response.headers.get("content-encoding", "identity") == coding
            return response.read()

        def read_decoded(path: str, coding: str) -> bytes:
            return client.get(path, headers={"Accept-Encoding": coding}).content

        rounds = 1_000 if full else 100
        subject = f"compression, {store}"
        return [
            *_measure_bytes(subject, page, read),
            *_measure_time(subject, page, "time", read, CODINGS, rounds),
            *_measure_time(subject, page, "time of httpx", read_decoded, ("identity", "gzip"), rounds),
        ]


def _measure_bytes(subject: str, page: str, get: Get) -> list[Figure]:
    sizes = {coding: len(get(page, coding)) for coding in CODINGS}
    whole = sizes.pop("identity")
    return [
        Figure(
            subject,
            f"{coding}: bytes",
            size / whole,
            "ratio",
            at_most=BYTES_AT_MOST,
            note=f"{size:,} of {whole:,}",
        )
        for coding, size in sizes.items()
    ]


def _measure_time(
    subject: str, page: str, name: str, get: Get, codings: tuple[str, ...], rounds: int
) -> list[Figure]:
    """The time of each coding against that of the page as it is, each at its tenth percentile: what else the
    machine does makes requests slower and never faster."""
    seconds: dict[str, list[float]] = {coding: [] for coding in codings}
    numbers = count(time.monotonic_ns())
    for _ in range(rounds):
        for coding, measured in seconds.items():
            path = f"{page}&n={next(numbers)}"
            began = time.perf_counter()
            get(path, coding)
            measured.append(time.perf_counter() - began)
    quick = {coding: statistics.quantiles(measured, n=10)[0] for coding, measured in seconds.items()}
    whole = quick.pop("identity")
    return [
        Figure(
            subject,
            f"{coding}: {name}",
            one / whole,
            "ratio",
            at_most=TIME_AT_MOST,
            note=f"{1000 * one:.2f} of {1000 * whole:.2f} ms",
        )
        for coding, one in quick.items()
    ]
