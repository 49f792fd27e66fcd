"""Negotiations: how soon a strategy is ready, what a long summary costs, how timers fire.

Start, update and summary are asked of the service in this process; planning is the worker's job called as the
worker calls it. Timers are those of a real worker in a process of its own.
"""

import os
import statistics
import tempfile
import time
from contextlib import ExitStack
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from starlette.testclient import TestClient

from app.service.access.keys import create_key
from app.service.context import Context
from app.service.database.tables import escalation, negotiation, timer
from app.service.ids import new_id
from app.service.main import create_service
from app.service.negotiation.jobs import plan_negotiation
from tests.benchmarks.delivery_worker import run_worker
from tests.benchmarks.figures import Figure
from tests.benchmarks.generated_purchases import generated_deployment, products
from tests.benchmarks.stores import on_each_store

PRODUCTS = 10
UPDATES = 500
DUE_AT_ONCE = 500
SUMMARY_MS = 50.0
READY_SECONDS = 2.0
IDLE_PERCENT = 5.0
FIRE_SECONDS = 5.0
PATIENCE_SECONDS = 120.0


def run(full: bool) -> list[Figure]:
    """SQLite always, PostgreSQL where there is one."""
    return on_each_store(lambda store, url: _on_store(store, url, full))


def _on_store(store: str, database_url: str | None, full: bool) -> list[Figure]:
    subject = f"negotiating, {store}"
    purchases, negotiations, idle = (1_000_000, 10_000, 30.0) if full else (20_000, 1_000, 5.0)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="parley-negotiating-")))
        context = stack.enter_context(generated_deployment(folder, database_url, purchases))
        # A service closes its database when it ends; this one has its own.
        api = stack.enter_context(TestClient(create_service(context.settings)))
        api.headers["Authorization"] = f"Bearer {_key(context)}"
        bought = products(context, PRODUCTS)
        ready = sorted(_ready(context, api, bought) for _ in range(9 if full else 5))
        template = _planned(context, api, bought)
        summary = _summary(api, template, UPDATES)
        _open_many(context, template, negotiations)
        with run_worker(context) as process:
            _settle(process.pid)
            busy = _processor_share(process.pid, idle)
            late = _lateness(context, DUE_AT_ONCE)
    return [
        Figure(
            subject,
            "start to ready strategy",
            statistics.median(ready),
            "s",
            at_most=READY_SECONDS,
            note=f"{PRODUCTS} products, {purchases:,} purchases; slowest {ready[-1]:.2f} s",
        ),
        Figure(subject, f"summary with {UPDATES} updates", summary, "ms", at_most=SUMMARY_MS, note="median"),
        Figure(
            subject,
            "idle worker's processor time",
            busy,
            "%",
            at_most=IDLE_PERCENT,
            note=f"{negotiations:,} open negotiations, over {idle:g} s",
        ),
        Figure(
            subject,
            f"the last of {DUE_AT_ONCE} timers due at once",
            late,
            "s",
            at_most=FIRE_SECONDS,
            note="after its time",
        ),
    ]


def _key(context: Context) -> str:
    with context.database.writing() as connection:
        now = context.clock()
        return create_key(connection, name="benchmark", organisation_name="Benchmark", role="owner", now=now)[
            1
        ]


def _start(api: TestClient, bought: list[tuple[str, str]]) -> str:
    body = {
        "supplier": {"note": "found by who sells the scope"},
        "contactEmail": "buyer@acme.example",
        "contactName": "Bea Buyer",
        "engagementType": "strategy_only",
        "scope": {
            "scopeTerms": [{"termLength": 12, "purchaseType": "new_purchase"}],
            "productTerms": [
                {"productId": product_id, "pricingDimensions": [{"id": quantity_id, "value": 25}]}
                for product_id, quantity_id in bought
            ],
        },
    }
    answer = api.post("/v1/negotiation/start", json=body)
    answer.raise_for_status()
    return str(answer.json()["negotiationId"])


def _ready(context: Context, api: TestClient, bought: list[tuple[str, str]]) -> float:
    """Seconds from the call that starts one until its strategy is there."""
    began = time.perf_counter()
    negotiation_id = _start(api, bought)
    plan_negotiation(context, negotiation_id)
    took = time.perf_counter() - began
    status = _get(api, negotiation_id)["status"]
    if status != "pending":
        raise RuntimeError(f"the strategy is not ready: {status}")
    return took


def _planned(context: Context, api: TestClient, bought: list[tuple[str, str]]) -> str:
    negotiation_id = _start(api, bought)
    plan_negotiation(context, negotiation_id)
    return negotiation_id


def _get(api: TestClient, negotiation_id: str) -> dict[str, Any]:
    answer = api.get(f"/v1/negotiation/{negotiation_id}/summary")
    answer.raise_for_status()
    found: dict[str, Any] = answer.json()
    return found


def _summary(api: TestClient, negotiation_id: str, updates: int) -> float:
    """Milliseconds of a summary read after so many offers."""
    for number in range(updates):
        update = {
            "timestamp": f"2026-10-{1 + number // 24:02}T{number % 24:02}:00:00Z",
            "externalId": str(number),
            "source": "benchmark",
            "schema": {"$id": "urn:svc:quote:1"},
            "payload": {"amount": 1_000_000 - number * 100, "currency": "USD"},
        }
        path = f"/v1/negotiation/{negotiation_id}/external-update"
        api.post(path, json=update).raise_for_status()
    took: list[float] = []
    for _ in range(21):
        began = time.perf_counter()
        _get(api, negotiation_id)
        took.append((time.perf_counter() - began) * 1000)
    return statistics.median(took)


def _open_many(context: Context, template: str, count: int) -> None:
    """Copies of a negotiation, each waiting for a supplier who has weeks."""
    due_at = context.clock() + timedelta(days=30)
    with context.database.writing() as connection:
        found = (
            connection.execute(sa.select(negotiation).where(negotiation.c.id == template)).mappings().one()
        )
        ids = [new_id() for _ in range(count)]
        connection.execute(negotiation.insert(), [{**found, "id": each} for each in ids])
        connection.execute(timer.insert(), [_timer(each, due_at) for each in ids])


def _timer(negotiation_id: str, due_at: datetime) -> dict[str, Any]:
    return {
        "id": new_id(),
        "negotiation_id": negotiation_id,
        "kind": "supplier_silent",
        "due_at": due_at,
        "content": {},
    }


def _lateness(context: Context, count: int) -> float:
    """Seconds after which the last of so many timers has fired that all came due at one instant."""
    due_at = context.clock() + timedelta(seconds=2)
    with context.database.writing() as connection:
        chosen = connection.scalars(sa.select(timer.c.id).limit(count)).all()
        connection.execute(timer.update().where(timer.c.id.in_(chosen)).values(due_at=due_at))
    fired = sa.select(sa.func.count()).where(escalation.c.reason == "supplier_silent")
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        with context.database.reading() as connection:
            done = connection.scalar(fired) or 0
        if done >= count:
            return (context.clock() - due_at).total_seconds()
        if time.monotonic() > deadline:
            raise TimeoutError(f"{done} of {count} timers fired")
        time.sleep(0.05)


def _settle(pid: int) -> None:
    """Waits until the worker has started: it is idle for a second, or it never is."""
    deadline = time.monotonic() + 30
    while _processor_share(pid, 1.0) > 2 * IDLE_PERCENT and time.monotonic() < deadline:
        pass


def _processor_share(pid: int, seconds: float) -> float:
    """Per cent of one core that a process takes over so many seconds."""
    before, began = _processor_seconds(pid), time.monotonic()
    time.sleep(seconds)
    return 100 * (_processor_seconds(pid) - before) / (time.monotonic() - began)


def _processor_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
