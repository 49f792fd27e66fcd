"""A worker in a process of its own, for tests that need documents read or events delivered."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

from app.dashboard.server import configuration
from app.settings import Settings


@contextmanager
def running_worker(settings: Settings) -> Generator[None]:
    """`parley work` on the data of `settings`, which may call receivers on the loopback."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PARLEY_")}
    environment.pop("DATABASE_URL", None)
    secret = settings.secret_key.get_secret_value() if settings.secret_key else ""
    process = subprocess.Popen(
        [sys.executable, "-m", "app.cli", "work", "--data-dir", str(settings.data_dir)],
        cwd=configuration.ROOT,
        env={**environment, "PARLEY_WEBHOOK_ALLOW": "127.0.0.0/8", "PARLEY_SECRET_KEY": secret},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield
    finally:
        process.terminate()
        process.wait(30)


def wait_until(condition: Callable[[], bool], seconds: float = 60) -> None:
    """AssertionError when it does not come to hold in time."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.1)
