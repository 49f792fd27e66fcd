"""The product as it runs in earnest: `parley serve` and `parley work` on sample data."""

import os
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
from pydantic import SecretStr

from app.service.access.keys import create_key
from app.service.context import open_context
from app.service.database.schema import migrate
from app.service.sample.seeding import ensure_sample
from app.settings import Settings
from tests.flows.deployment import ROOT, free_port
from tests.service.conftest import VAULT_KEY

START_SECONDS = 60


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
def start_product(folder: Path, database_url: str | None = None) -> Generator[StartedProduct]:
    """A service and a worker with sample data until the block ends; without an address, on SQLite."""
    settings = Settings(data_dir=folder, database_url=database_url, secret_key=SecretStr(VAULT_KEY))
    context = open_context(settings)
    try:
        migrate(context.database)
        ensure_sample(context)
        with context.database.writing() as connection:
            key = create_key(
                connection, name="test", organisation_name="Acme", read_only=False, now=context.clock()
            )[1]
    finally:
        context.close()
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PARLEY_")} | {
        "PARLEY_DATA_DIR": str(folder),
        "DATABASE_URL": settings.resolved_database_url if database_url else "",
        "PARLEY_SECRET_KEY": VAULT_KEY,
        "PARLEY_PUBLIC_URL": address,
        "PARLEY_RATE_LIMIT": "0",
        "PARLEY_WEBHOOK_ALLOW": "127.0.0.0/8",
    }
    if database_url is None:
        del environment["DATABASE_URL"]
    with ExitStack() as stack:
        stack.enter_context(_running(["serve", "--port", str(port)], environment))
        stack.enter_context(_running(["work"], environment))
        _wait_until_healthy(address)
        yield StartedProduct(address, key)


@contextmanager
def _running(arguments: list[str], environment: dict[str, str]) -> Generator[None]:
    process = subprocess.Popen(
        [sys.executable, "-m", "app.cli", *arguments],
        cwd=ROOT,
        env=environment,
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
