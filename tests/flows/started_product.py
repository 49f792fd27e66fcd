"""The product as it runs in earnest: `parley serve` and `parley work`; and in threads of a test."""

import asyncio
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import ip_network
from pathlib import Path

import httpx
import sqlalchemy as sa
from pydantic import SecretStr

from app.service.access.keys import create_key
from app.service.background.task_runner import run_task
from app.service.context import Context, open_context
from app.service.database.schema import migrate
from app.service.database.tables import task
from app.service.sample.seeding import ensure_sample
from app.service.worker.handlers import HANDLERS
from app.settings import Settings
from app.supervisor import environment_of
from tests.client.deployment import deployed
from tests.flows.deployment import ROOT, free_port
from tests.service.background.task_claims import claim_task
from tests.service.conftest import VAULT_KEY
from tests.service.webhooks.worker_harness import delivering

START_SECONDS = 180


@dataclass(frozen=True)
class StartedProduct:
    """Where the service listens, and a full key."""

    address: str
    key: str

    @property
    def environment(self) -> dict[str, str]:
        """As the recipes name them."""
        return {"PARLEY_URL": self.address, "PARLEY_KEY": self.key}


@contextmanager
def start_product(
    folder: Path, database_url: str | None = None, *, stock: Callable[[Context], object] = ensure_sample
) -> Generator[StartedProduct]:
    """A service and a worker on what `stock` writes until the block ends; without an address, on SQLite."""
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    settings = Settings(
        data_dir=folder,
        database_url=database_url,
        secret_key=SecretStr(VAULT_KEY),
        public_url=address,
        rate_limit=0,
        webhook_allow=(ip_network("127.0.0.0/8"),),
    )
    context = open_context(settings)
    try:
        migrate(context.database)
        stock(context)
        with context.database.writing() as connection:
            key = create_key(
                connection, name="test", organisation_name="Acme", role="owner", now=context.clock()
            )[1]
    finally:
        context.close()
    serve = ["serve", "--port", str(port)]
    with running_parley(serve, settings), running_parley(["work"], settings):
        _wait_until_healthy(address)
        yield StartedProduct(address, key)


@contextmanager
def run_in_process(folder: Path, *, bought: Path | None = None) -> Generator[StartedProduct]:
    """Service and worker in threads of this process, with the purchases of that file or a few of ours."""
    with deployed(folder, bought=bought, webhook_allow=(ip_network("127.0.0.0/8"),)) as running:
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
            await asyncio.sleep(0.05)


def _run_tasks(context: Context, worker_id: str) -> None:
    with context.database.reading() as connection:
        rows = connection.execute(sa.select(task.c.kind, task.c.subject_id)).all()
    for row in rows:
        claimed = claim_task(context, worker_id, row.kind, row.subject_id)
        if claimed is not None:
            run_task(context, HANDLERS, claimed)


@contextmanager
def running_parley(arguments: list[str], settings: Settings) -> Generator[None]:
    """`parley` with these arguments and settings in a process of its own, until the block ends."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PARLEY_")}
    environment.pop("DATABASE_URL", None)
    process = subprocess.Popen(
        [sys.executable, "-m", "app.cli", *arguments],
        cwd=ROOT,
        env=environment | environment_of(settings),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield
    finally:
        process.terminate()
        process.wait(60)


def _wait_until_healthy(address: str) -> None:
    """Until service and worker are at work."""
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            services = httpx.get(f"{address}/v1/health").json()["services"]
        except httpx.TransportError:
            services = []
        if services and all(service["status"] != "error" for service in services):
            return
        assert time.monotonic() < deadline, f"not at work within {START_SECONDS} s: {services}"
        time.sleep(0.1)
