"""How long the service takes for an estimate of three products on a store of many purchases, and what its
worker takes to learn from them.

The route's function is called as the service calls it: a scope is read, each product's comparables are found
and compared, and the whole answer is written. Each takes turns with a read of the scope alone. The worker's
process learns, measures itself and checks which products can be estimated.
"""

import random
import resource
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import sqlalchemy as sa
from starlette.testclient import TestClient

from app.service.access.caller import Caller
from app.service.access.keys import create_key
from app.service.context import Context
from app.service.database.tables import organisation
from app.service.main import create_service
from app.service.pricing import routes
from app.service.pricing.relearning import learn_from_purchases
from app.service.process import freeze_startup_objects
from app.service.scopes import routes as scope_routes
from tests.benchmarks.figures import Figure
from tests.benchmarks.generated_purchases import generated_deployment, products
from tests.benchmarks.stores import on_each_store

MIDDLE_MS, SLOW_MS = 15.0, 60.0
LEARNING_SECONDS, LEARNING_MIB = 120.0, 1024.0
PRODUCTS = 3
SCOPES = 25


def run(full: bool) -> list[Figure]:
    """SQLite always, PostgreSQL where there is one."""
    return on_each_store(lambda store, url: _on_store(store, url, full))


def _on_store(store: str, database_url: str | None, full: bool) -> list[Figure]:
    purchases, estimates = (1_000_000, 500) if full else (20_000, 100)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="parley-estimating-")))
        context = stack.enter_context(generated_deployment(folder, database_url, purchases))
        learning = _learn(context, store, f"{purchases:,} purchases")
        api = stack.enter_context(TestClient(create_service(context.settings)))
        caller = _caller(context, api)
        scopes = _scopes(context, api)
        freeze_startup_objects()
        for scope in scopes:
            routes.advanced(scope, context, caller)
        took, read = np.array(
            [
                [
                    _milliseconds(route, scopes[at % SCOPES], context, caller)
                    for route in (routes.advanced, scope_routes.read)
                ]
                for at in range(estimates)
            ]
        ).T
    subject = f"estimating, {store}"
    note = f"{PRODUCTS} products of {purchases:,} purchases, {estimates} times"
    return [
        Figure(subject, "p50", float(np.percentile(took, 50)), "ms", at_most=MIDDLE_MS, note=note),
        Figure(subject, "p99", float(np.percentile(took, 99)), "ms", at_most=SLOW_MS, note=note),
        Figure(
            subject,
            "p50, of a read of its scope",
            float(np.median(took) / np.median(read)),
            "ratio",
            note=f"a read takes {np.median(read):.1f} ms",
        ),
        *learning,
    ]


def _learn(context: Context, store: str, note: str) -> list[Figure]:
    """Learn as the worker does. The memory is that of the largest process that this one has waited for."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    learn_from_purchases(context, "")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    subject = f"learning anew, {store}"
    return [
        Figure(subject, "processor", seconds, "s", at_most=LEARNING_SECONDS, note=note),
        Figure(subject, "memory", after.ru_maxrss / 1024, "MiB", at_most=LEARNING_MIB, note=note),
    ]


def _caller(context: Context, api: TestClient) -> Caller:
    with context.database.writing() as connection:
        key_id, key = create_key(
            connection, name="b", organisation_name="Benchmark", role="owner", now=context.clock()
        )
        owner = connection.scalar(sa.select(organisation.c.id))
    api.headers["Authorization"] = f"Bearer {key}"
    return Caller(key_id=str(key_id), organisation_id=str(owner), role="owner")


def _scopes(context: Context, api: TestClient) -> list[str]:
    """Scopes of different products and quantities."""
    chance = random.Random(7)
    sold = products(context, PRODUCTS * SCOPES)
    made: list[str] = []
    for _ in range(SCOPES):
        body = {
            "scopeTerms": [{"termLength": 12, "purchaseType": "renewal"}],
            "productTerms": [
                {
                    "productId": product_id,
                    "pricingDimensions": [{"id": quantity, "value": chance.randrange(1, 200)}],
                }
                for product_id, quantity in chance.sample(sold, PRODUCTS)
            ],
        }
        answer = api.post("/v1/scope", json=body)
        answer.raise_for_status()
        made.append(answer.json()["id"])
    return made


def _milliseconds(
    route: Callable[[str, Context, Caller], object], scope: str, context: Context, caller: Caller
) -> float:
    began = time.perf_counter()
    route(scope, context, caller)
    return 1000 * (time.perf_counter() - began)
