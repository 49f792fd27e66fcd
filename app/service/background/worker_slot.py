"""The slot of a worker on its machine. A lock holds each slot, so a killed worker frees its own at once, and
the worker that is started in its place takes over its work without waiting for its silence."""

import contextlib
import os
import socket
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from sqlalchemy.engine import make_url

from app.service.database.dialect import WORK_CHANNEL
from app.service.database.postgresql import KEEPALIVES

if os.name == "posix":
    import fcntl

MAX_WORKER_SLOTS = 64
"""Workers that may share a machine."""

LOCK_NAMESPACE = 0x7061
LISTEN_SECONDS = 0.5
RECONNECT_SECONDS = 1.0
CONNECT_SECONDS = 5


class NoWorkerSlot(Exception):
    """Other workers hold every slot that this one could have."""


@contextmanager
def sqlite_worker_slot(database_url: str) -> Generator[str]:
    """Holds the slot of the only worker of an SQLite file. Raises NoWorkerSlot when one is running
    already."""
    file = Path(make_url(database_url).database or "parley.sqlite3")
    with file.with_name(f"{file.stem}-worker.lock").open("w") as lock:
        if os.name == "posix":
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise NoWorkerSlot("a worker is running on this database already") from None
        yield "worker"


class PostgresqlWorkerSlot:
    """PostgreSQL: holds this worker's slot, and passes notifications on, in a thread of its own.

    When its connection is lost another worker may take the slot; it then removes this worker's registration,
    which this one notices by its heartbeat. Otherwise it locks the slot again once the lost connection's lock
    is gone.
    """

    def __init__(self, database_url: str, on_notified: Callable[[], None]) -> None:
        self._url = make_url(database_url).set(drivername="postgresql").render_as_string(hide_password=False)
        self._on_notified = on_notified
        self._stopping = threading.Event()
        self._connection = self._connect()
        self.name = self._take_slot()
        self._locked = True
        self._thread = threading.Thread(target=self._listen, name="listener", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._stopping.set()
        self._thread.join()

    def _connect(self) -> "psycopg.Connection[tuple[object, ...]]":
        connection = psycopg.connect(
            self._url,
            autocommit=True,
            application_name="parley-worker",
            connect_timeout=CONNECT_SECONDS,
            **KEEPALIVES,
        )
        connection.execute(f"LISTEN {WORK_CHANNEL}".encode())
        return connection

    def _take_slot(self) -> str:
        host = socket.gethostname()
        for number in range(MAX_WORKER_SLOTS):
            slot = f"{host}-{number}"
            if self._lock(slot):
                return slot
        raise NoWorkerSlot(f"{MAX_WORKER_SLOTS} workers are running on {host} already")

    def _lock(self, slot: str) -> bool:
        row = self._connection.execute(
            "SELECT pg_try_advisory_lock(%s, hashtext(%s))", (LOCK_NAMESPACE, slot)
        ).fetchone()
        return row is not None and bool(row[0])

    def _listen(self) -> None:
        while not self._stopping.is_set():
            try:
                self._locked = self._locked or self._lock(self.name)
                for _ in self._connection.notifies(timeout=LISTEN_SECONDS, stop_after=1):
                    self._on_notified()
            except psycopg.Error:
                self._reconnect()
        with contextlib.suppress(psycopg.Error):
            self._connection.close()

    def _reconnect(self) -> None:
        # Meanwhile the sweep finds what is due.
        while not self._stopping.wait(RECONNECT_SECONDS):
            try:
                self._connection = self._connect()
                self._locked = False
            except psycopg.Error:
                continue
            return
