"""Stops a piece of background work right before one of its writing transactions: for good, as a kill does, or
while something else runs."""

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.event import listen, remove

from app.service.context import Context

SECONDS = 60.0


class Killed(BaseException):
    """The work ended here, as its process did."""


@contextmanager
def before_write(context: Context, number: int, happen: Callable[[], None]) -> Generator[list[int]]:
    """`happen` is called when the calling thread is about to begin its writing transaction of that number.
    The list is not empty when it did."""
    engine, thread = context.database.engine, threading.get_ident()
    begun = 0
    met: list[int] = []

    def begin(connection: Connection) -> None:
        nonlocal begun
        writing = connection.get_execution_options().get("writing")
        if threading.get_ident() != thread or not writing or met:
            return
        begun += 1
        if begun == number:
            met.append(number)
            happen()

    # Before the store's own listener, which takes SQLite's lock.
    listen(engine, "begin", begin, insert=True)
    try:
        yield met
    finally:
        remove(engine, "begin", begin)


def kill_at(context: Context, number: int, work: Callable[[], Any]) -> bool:
    """Kills the work before its write of that number; whether it came to it."""

    def die() -> None:
        raise Killed

    with before_write(context, number, die) as met, suppress(Killed):
        work()
    return bool(met)


def run_in_between(context: Context, number: int, work: Callable[[], Any]) -> bool:
    """Does the same work in another thread, from its beginning to its end, before the write of that number;
    whether it came to it."""

    def do_it_elsewhere() -> None:
        other = threading.Thread(target=work)
        other.start()
        other.join(SECONDS)
        assert not other.is_alive(), "the two wait for each other"

    with before_write(context, number, do_it_elsewhere) as met:
        work()
    return bool(met)
