"""What metrics cost a request: the processor time of the same reads with and without them, in turn and in one
process, without a network. So the share is larger than that of a request which comes through a server."""

import asyncio
import statistics
import tempfile
import time
from pathlib import Path

from fastapi import FastAPI
from starlette.types import Message

from app.service.http.dependencies import CONTEXT
from app.service.main import create_service
from app.settings import Settings
from tests.benchmarks.figures import Figure
from tests.benchmarks.generated_supplier import generate_supplier

AT_MOST = {"product read, kept": 1.1, "product read, nothing kept": 1.1}


def run(full: bool) -> list[Figure]:
    """Reads with metrics beside those without."""
    with tempfile.TemporaryDirectory(prefix="parley-metrics-") as folder:
        settings = Settings(data_dir=Path(folder), rate_limit=0, calls_in_flight=1000)
        supplier = generate_supplier(settings, 100)
        plain, measured = (
            create_service(settings.model_copy(update={"metrics_address": address}))
            for address in (None, "127.0.0.1:0")
        )
        path = f"/v1/catalog/products/{supplier.product_id}"
        figures = [
            asyncio.run(_compare(name, plain, measured, path, query, supplier.key, 21 if full else 9))
            for name, query in (("product read, kept", ""), ("product read, nothing kept", "n={n}"))
        ]
        for app in (plain, measured):
            CONTEXT.get(app).close()
    return figures


async def _compare(
    name: str, plain: FastAPI, measured: FastAPI, path: str, query: str, key: str, rounds: int
) -> Figure:
    ratios: list[float] = []
    for number in range(rounds):
        without = await _cost(plain, path, query, key, number)
        ratios.append(await _cost(measured, path, query, key, number) / without)
    ratio = statistics.median(ratios[1:])
    return Figure(
        "measuring", f"{name}, with metrics", ratio, "ratio of processor time", at_most=AT_MOST[name]
    )


async def _cost(app: FastAPI, path: str, query: str, key: str, number: int, times: int = 200) -> float:
    """The processor's seconds of so many reads."""
    headers = [(b"host", b"localhost"), (b"authorization", f"Bearer {key}".encode())]
    began = time.process_time()
    for each in range(times):
        scope = {
            "type": "http",
            "http_version": "1.1",
            "scheme": "http",
            "method": "GET",
            "path": path,
            "query_string": query.format(n=number * times + each).encode(),
            "headers": headers,
            "client": ("127.0.0.1", 1),
        }
        await app(scope, _receive, _send)
    return time.process_time() - began


async def _receive() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


async def _send(message: Message) -> None:
    assert message.get("status", 200) == 200, message
