"""The product as it runs in earnest: `parley serve` and `parley work`."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import ip_network
from pathlib import Path

import httpx
from pydantic import SecretStr

from app.service.access.keys import create_key
from app.service.context import Context, open_context
from app.service.database.schema import migrate
from app.service.sample.seeding import ensure_sample
from app.settings import Settings
from app.supervisor import environment_of
from tests.flows.deployment import ROOT, free_port
from tests.service.conftest import VAULT_KEY

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
