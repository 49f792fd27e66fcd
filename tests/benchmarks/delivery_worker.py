"""A deployment that delivers: its data, its worker in a process of its own, and what that takes."""

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Generator
from ipaddress import ip_network
from pathlib import Path

import sqlalchemy as sa

from app.service.context import Context, open_context
from app.service.database.schema import migrate
from app.service.database.tables import delivery
from app.settings import Settings

DRAIN_SECONDS = 300.0
WORK = (
    "from app.settings import Settings; from app.service.worker.worker import run_worker; "
    "run_worker(Settings())"
)


@contextlib.contextmanager
def deployment(folder: Path, database_url: str | None) -> Generator[Context]:
    settings = Settings(
        data_dir=folder, database_url=database_url, webhook_allow=(ip_network("127.0.0.0/8"),), rate_limit=0
    )
    context = open_context(settings)
    try:
        migrate(context.database)
        yield context
    finally:
        context.database.close()


@contextlib.contextmanager
def run_worker(context: Context) -> Generator["subprocess.Popen[bytes]"]:
    environment = {
        **os.environ,
        "PARLEY_DATA_DIR": str(context.settings.data_dir),
        "PARLEY_WEBHOOK_ALLOW": "127.0.0.0/8",
    }
    environment.pop("DATABASE_URL", None)
    if context.settings.database_url:
        environment["DATABASE_URL"] = context.settings.database_url
    with subprocess.Popen([sys.executable, "-c", WORK], env=environment) as process:
        try:
            yield process
        finally:
            process.terminate()


def wait_until_drained(context: Context, webhook_id: str) -> None:
    """Raises TimeoutError when the worker does not get there."""
    end = time.monotonic() + DRAIN_SECONDS
    while has_due_deliveries(context, webhook_id):
        if time.monotonic() > end:
            raise TimeoutError("the worker did not deliver")
        time.sleep(0.1)


def has_due_deliveries(context: Context, webhook_id: str) -> bool:
    """Whether something is still to be sent."""
    query = (
        sa.select(sa.literal(1))
        .where(delivery.c.webhook_id == webhook_id, delivery.c.next_at.is_not(None))
        .limit(1)
    )
    with context.database.reading() as connection:
        return connection.scalar(query) is not None


def resident_megabytes(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


def processor_seconds(pid: int) -> float:
    """What a process has used so far, of all cores."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
