"""Reads of the catalog in requests a second, against a static answer of the same size from the same server.

The real service runs in a process of its own on a generated supplier with 1,000 products, the rate limit off,
on both stores. Target and static answer take turns; a ratio is the median over the rounds.

The service keeps an answer for a second for all who ask for the same (`catalog.response_cache`): that is what
the reads measure, since everybody opens the same pages. "Nothing kept" is the other end: each request is the
first of its kind. Its limit is the least read: a route of the framework, a thread and one statement.
"""

import statistics
import tempfile
import urllib.request
from contextlib import ExitStack
from pathlib import Path

from app.settings import Settings
from tests.benchmarks.figures import Figure
from tests.benchmarks.generated_supplier import GeneratedSupplier, generate_supplier
from tests.benchmarks.load import Target, requests_a_second
from tests.benchmarks.server import running
from tests.benchmarks.stores import on_each_store

PRODUCTS = 1_000
LIST_PAGE_AT_LEAST = 0.3
NOTHING_KEPT_AT_LEAST = 0.08


def run(full: bool) -> list[Figure]:
    """Company, product and a list page of 100 products, on SQLite and, where there is one, PostgreSQL."""
    return on_each_store(lambda store, url: _on_store(store, url, full))


def _on_store(store: str, database_url: str | None, full: bool) -> list[Figure]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="parley-reads-")))
        settings = Settings(data_dir=folder, rate_limit=0).model_copy(update={"database_url": database_url})
        supplier = generate_supplier(settings, PRODUCTS)
        host, port = stack.enter_context(running(folder, database_url))
        return [
            figure
            for name, path, goal in _reads(supplier)
            for figure in _compare(store, name, Target(path, _headers(supplier)), host, port, goal, full)
        ]


def _reads(supplier: GeneratedSupplier) -> list[tuple[str, str, float | None]]:
    catalog = "/v1/catalog"
    product = f"{catalog}/products/{supplier.product_id}"
    page = f"{catalog}/companies/{supplier.company_id}/products?limit=100&offset=500"
    return [
        ("company read", f"{catalog}/companies/{supplier.company_id}", None),
        ("product read", product, None),
        ("list page of 100 products", page, LIST_PAGE_AT_LEAST),
        ("product read, nothing kept", f"{product}?n={{n}}", NOTHING_KEPT_AT_LEAST),
        ("list page of 100 products, nothing kept", f"{page}&n={{n}}", NOTHING_KEPT_AT_LEAST),
    ]


def _headers(supplier: GeneratedSupplier) -> dict[str, str]:
    return {"Authorization": f"Bearer {supplier.key}"}


def _compare(
    store: str, name: str, target: Target, host: str, port: int, goal: float | None, full: bool
) -> list[Figure]:
    request = urllib.request.Request(
        f"http://{host}:{port}{target.path.format(n=0)}", headers=dict(target.headers)
    )
    with urllib.request.urlopen(request) as response:
        size = len(response.read())
    # The same request, headers and all: only what answers it differs.
    static = Target(f"/static/{size}", target.headers)
    least = Target(f"/least/{size}?n={{n}}", target.headers)
    reads, statics, leasts = requests_a_second(
        host, port, [target, static, least], rounds=15 if full else 5, seconds=2.0 if full else 0.6
    )
    ratio, limit = (
        statistics.median(read / still for read, still in zip(some, statics, strict=True))
        for some in (reads, leasts)
    )
    note = f"{size:,} bytes; static {statistics.median(statics):,.0f}/s"
    beside = f"the least read {limit:.3f}"
    return [
        Figure(f"reads, {store}", name, statistics.median(reads), "requests/s", note=note),
        Figure(
            f"reads, {store}",
            f"{name}, of static",
            ratio,
            "ratio",
            at_least=goal,
            note=beside,
        ),
    ]
