"""One running product for all that is documented."""

import asyncio
import shutil
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from ipaddress import ip_network
from pathlib import Path

import pytest
import sqlalchemy as sa

from app.service.background.task_runner import run_task
from app.service.context import Context
from app.service.database.tables.workers import task
from app.service.worker.handlers import HANDLERS
from tests.client.deployment import deployed
from tests.docs.programs import require, run_program
from tests.flows.deployment import ROOT
from tests.flows.started_product import StartedProduct, start_product
from tests.service.background.task_claims import claim_task
from tests.service.conftest import postgres_server
from tests.service.postgres import fresh_database
from tests.service.webhooks.worker_harness import delivering

PAUSE = 0.05


STORES = ("sqlite", "postgresql")
ON_BOTH_STORES = pytest.mark.parametrize("product", STORES, indirect=True, scope="module")
"""For what runs in the campaign only."""


@pytest.fixture(
    scope="module",
    params=["in_process", *(pytest.param(store, marks=pytest.mark.campaign) for store in STORES)],
)
def product(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[StartedProduct]:
    """The product with a catalog: in this process with few purchases, and in the campaign as it is started in
    earnest, with the sample data, on both stores."""
    folder = tmp_path_factory.mktemp("product")
    if request.param == "in_process":
        with _product_in_process(folder) as started:
            yield started
    elif request.param == "sqlite":
        with start_product(folder) as started:
            yield started
    else:
        server = request.getfixturevalue("postgres_server")
        with fresh_database(server) as url, start_product(folder, url) as started:
            yield started


@pytest.fixture(scope="module")
def typescript_project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the folder of the TypeScript client with its packages installed."""
    require("npm", "npx", "node")
    project = tmp_path_factory.mktemp("typescript") / "client"
    made = shutil.ignore_patterns("node_modules", "built", "parley.d.ts", "package-lock.json")
    shutil.copytree(ROOT / "docs" / "typescript", project, ignore=made)
    run_program(["npm", "install", "--no-audit", "--no-fund"], project)
    return project


@contextmanager
def _product_in_process(folder: Path) -> Generator[StartedProduct]:
    with deployed(folder, webhook_allow=(ip_network("127.0.0.0/8"),)) as running:
        stop = threading.Event()
        thread = threading.Thread(target=lambda: asyncio.run(_work(running.context, stop)))
        thread.start()
        try:
            yield StartedProduct(running.address, running.key())
        finally:
            stop.set()
            thread.join()


async def _work(context: Context, stop: threading.Event) -> None:
    """What a worker does, until the event is set."""
    async with delivering(context, seconds=10) as worker:
        while not stop.is_set():
            await asyncio.to_thread(_run_tasks, context, worker.registration.id)
            await asyncio.sleep(PAUSE)


def _run_tasks(context: Context, worker_id: str) -> None:
    with context.database.reading() as connection:
        rows = connection.execute(sa.select(task.c.kind, task.c.subject_id)).all()
    for row in rows:
        claimed = claim_task(context, worker_id, row.kind, row.subject_id)
        if claimed is not None:
            run_task(context, HANDLERS, claimed)


__all__ = ["postgres_server"]
