"""A worker in a process of its own, with tasks that tests can follow.

A task of kind `note` writes a line to a file named by its subject; `slow` writes one when it begins and one
when it ends a while later, `long` after more time than a worker may be silent; `broken` fails each time and
writes a line when it is given up; `endless` writes one when it begins, and no worker waits for its end.
"""

import contextlib
import logging
import multiprocessing
import time
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager
from datetime import timedelta
from functools import partial
from ipaddress import ip_network
from multiprocessing.context import ForkServerProcess

import app.service.worker.worker as working
from app.service.background import db_writer, membership, task_runner
from app.service.background.task_runner import Handler
from app.service.context import Context
from app.settings import Settings

SLOW_SECONDS, LONG_SECONDS = 0.8, 5.0
SILENT_SECONDS = 3.0

_processes = multiprocessing.get_context("forkserver")
# Forked from a process that has imported everything: a worker that tests start, kill and start again is at
# work within moments.
_processes.set_forkserver_preload([__name__, "app.service.main"])


def _write(context: Context, subject_id: str, line: str) -> None:
    with (context.settings.data_dir / f"{subject_id}.txt").open("a") as file:
        file.write(line + "\n")


def lines(settings: Settings, subject_id: str) -> list[str]:
    path = settings.data_dir / f"{subject_id}.txt"
    return path.read_text().splitlines() if path.exists() else []


def note(context: Context, subject_id: str) -> None:
    _write(context, subject_id, "done")


def slow(context: Context, subject_id: str, seconds: float = SLOW_SECONDS) -> None:
    _write(context, subject_id, "begun")
    time.sleep(seconds)
    _write(context, subject_id, "done")


def broken(context: Context, subject_id: str) -> None:
    _write(context, subject_id, "tried")
    raise ZeroDivisionError("it never works")


def give_up(context: Context, subject_id: str, reason: str) -> None:
    _write(context, subject_id, reason)


def endless(context: Context, subject_id: str) -> None:
    _write(context, subject_id, "begun")
    time.sleep(600)


HANDLERS = {
    "note": Handler(note),
    "slow": Handler(slow),
    "long": Handler(partial(slow, seconds=LONG_SECONDS)),
    "broken": Handler(broken, give_up),
    "endless": Handler(endless, awaited=False),
}


def work(settings: Settings) -> None:
    """A worker in a hurry: what waits a second or more in earnest waits a fraction of it here."""
    logging.basicConfig(level=logging.WARNING)
    task_runner.BACKOFF = (timedelta(seconds=0.05),) * 4
    db_writer.POLL_SECONDS = 0.1
    membership.SILENT_AFTER_SECONDS = SILENT_SECONDS
    membership.HEARTBEAT_SECONDS = 0.2
    allowed = (ip_network("127.0.0.0/8"),)
    working.run_worker(settings.model_copy(update={"webhook_allow": allowed}), handlers=HANDLERS)


@contextlib.contextmanager
def in_a_process(run: Callable[..., None], *arguments: object) -> Generator[ForkServerProcess]:
    """`run` in a process of its own; killed at the end if it still runs."""
    process = _processes.Process(target=run, args=arguments)
    process.start()
    try:
        yield process
    finally:
        process.kill()
        process.join()


def worker(settings: Settings) -> AbstractContextManager[ForkServerProcess]:
    """A worker on the deployment of these settings."""
    return in_a_process(work, settings)


def until(condition: Callable[[], bool], seconds: float = 90.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come about in time"
        time.sleep(0.02)
