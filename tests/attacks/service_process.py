"""A service in a process of its own, as it is deployed."""

import os
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import httpx

from tests.flows.deployment import free_port

ANSWER_SECONDS = 10.0


def memory_of(process: int) -> float:
    """The memory of a process, in MiB."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def anonymous_memory_of(process: int) -> float:
    """The same without pages of files, which the system takes back when it needs them: those of a database
    that is mapped come and go by the tens of MiB."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.partition("RssAnon:")[2].split()[0]) / 1024


@contextmanager
def started(
    folder: Path, database_url: str | None = None, *, open_files: int | None = None
) -> Generator[tuple[str, int]]:
    """A service in a process of its own: its address, and the process's id."""
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "app.cli", "serve", "--port", str(port)]
    if open_files is not None:
        limit = f"import resource, os, sys; resource.setrlimit(resource.RLIMIT_NOFILE, ({open_files},) * 2); "
        command = [sys.executable, "-c", limit + f"os.execv(sys.executable, {command!r})"]
    environment = {**os.environ, "PARLEY_DATA_DIR": str(folder), "PARLEY_RATE_LIMIT": "0"}
    environment.pop("DATABASE_URL", None)
    if database_url is not None:
        # On this store the command takes no key that lies in a folder, as other processes would not have it.
        key = (folder / "secret.key").read_text().strip()
        environment |= {"DATABASE_URL": database_url, "PARLEY_SECRET_KEY": key}
    process = subprocess.Popen(command, env=environment)
    try:
        deadline = time.monotonic() + 60
        while True:
            assert process.poll() is None, "the service did not start"
            assert time.monotonic() < deadline, "the service did not start in time"
            try:
                httpx.get(f"{address}/v1/health", timeout=ANSWER_SECONDS)
                break
            except httpx.TransportError:
                time.sleep(0.1)
        yield address, process.pid
    finally:
        process.terminate()
        process.wait(30)
