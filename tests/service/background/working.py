"""A worker in a process of its own, with tasks that tests can follow.

`python -m tests.service.background.working`

A task of kind `note` writes a line to a file named by its subject; `slow` writes one when it begins and one
when it ends two seconds later; `broken` fails each time and writes a line when it is given up.
"""

import contextlib
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from datetime import timedelta
from ipaddress import ip_network
from pathlib import Path

from pydantic import SecretStr

from app.service.background import running
from app.service.background.running import Handler
from app.service.context import Context
from app.service.worker import run_worker
from app.settings import Settings

SLOW_SECONDS = 2.0


def _write(context: Context, subject_id: str, line: str) -> None:
    with (context.settings.data_dir / f"{subject_id}.txt").open("a") as file:
        file.write(line + "\n")


def lines(settings: Settings, subject_id: str) -> list[str]:
    path = settings.data_dir / f"{subject_id}.txt"
    return path.read_text().splitlines() if path.exists() else []


def note(context: Context, subject_id: str) -> None:
    _write(context, subject_id, "done")


def slow(context: Context, subject_id: str) -> None:
    _write(context, subject_id, "begun")
    time.sleep(SLOW_SECONDS)
    _write(context, subject_id, "done")


def broken(context: Context, subject_id: str) -> None:
    _write(context, subject_id, "tried")
    raise ZeroDivisionError("it never works")


def give_up(context: Context, subject_id: str, reason: str) -> None:
    _write(context, subject_id, reason)


HANDLERS = {"note": Handler(note), "slow": Handler(slow), "broken": Handler(broken, give_up)}


@contextlib.contextmanager
def worker(settings: Settings) -> Generator["subprocess.Popen[bytes]"]:
    """A worker on the deployment of these settings; killed at the end if it still runs."""
    environment = {
        **os.environ,
        "PARLEY_DATA_DIR": str(settings.data_dir),
        "PARLEY_SECRET_KEY": settings.secret_key.get_secret_value() if settings.secret_key else "",
    }
    environment.pop("DATABASE_URL", None)
    if settings.database_url is not None:
        environment["DATABASE_URL"] = settings.database_url
    process = subprocess.Popen([sys.executable, "-m", "tests.service.background.working"], env=environment)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
        process.wait()


def until(condition: Callable[[], bool], seconds: float = 90.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come about in time"
        time.sleep(0.05)


def main() -> None:
    logging.basicConfig(level=logging.WARNING)
    running.BACKOFF = (timedelta(seconds=0.1),) * 4
    key = os.environ["PARLEY_SECRET_KEY"]
    settings = Settings(
        data_dir=Path(os.environ["PARLEY_DATA_DIR"]),
        secret_key=SecretStr(key) if key else None,
        webhook_allow=(ip_network("127.0.0.0/8"),),
    )
    run_worker(settings, handlers=HANDLERS)


if __name__ == "__main__":
    main()
