"""Which executor a worker is, and which others live.

An executor id names a worker slot, not a process: a worker that starts again on the same machine gets the
slot of the dead one, and with it what that one had begun. A lock holds each slot, so a killed process frees
its own at once.
"""

import contextlib
import os
import socket
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import psycopg
import sqlalchemy as sa
from sqlalchemy.engine import make_url

from app.service.background.engine import engine_file_path
from app.service.database.dialect import upsert
from app.service.database.engine import Database
from app.service.database.tables.workers import worker
from app.service.database.wakeup import CHANNEL

if os.name == "posix":
    import fcntl

MAX_WORKER_SLOTS = 64
"""Workers that may share a machine."""

LOCK_NAMESPACE = 0x7061
SILENT_AFTER_SECONDS = 4.0
LISTEN_SECONDS = 0.5
RECONNECT_SECONDS = 1.0


class NoWorkerSlot(Exception):
    """Other workers hold every slot that this one could have."""


@contextmanager
def sqlite_worker_slot(database_url: str) -> Generator[str]:
    """Holds the slot of the only worker of an SQLite file. Raises NoWorkerSlot when one is running
    already."""
    path = Path(f"{engine_file_path(database_url)}.lock")
    with path.open("w") as file:
        if os.name == "posix":
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise NoWorkerSlot("a worker is running on this database already") from None
        yield "worker"


class PostgresqlWorkerSlot:
    """PostgreSQL: holds this worker's slot, and passes notifications on, in a thread of its own."""

    def __init__(self, database_url: str, on_notified: Callable[[], None]) -> None:
        self._url = make_url(database_url).set(drivername="postgresql").render_as_string(hide_password=False)
        self._on_notified = on_notified
        self._stopping = threading.Event()
        self._connection = self._connect()
        self.executor_id, self._slot = self._take_slot()
        self._thread = threading.Thread(target=self._listen, name="listener", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._stopping.set()
        self._thread.join()

    def _connect(self) -> "psycopg.Connection[tuple[object, ...]]":
        connection = psycopg.connect(self._url, autocommit=True, application_name="parley-worker")
        connection.execute(f"LISTEN {CHANNEL}".encode())
        return connection

    def _take_slot(self) -> tuple[str, str]:
        host = socket.gethostname()
        for number in range(MAX_WORKER_SLOTS):
            slot = f"{host}-{number}"
            if self._lock(slot):
                return slot, slot
        raise NoWorkerSlot(f"{MAX_WORKER_SLOTS} workers are running on {host} already")

    def _lock(self, slot: str) -> bool:
        row = self._connection.execute(
            "SELECT pg_try_advisory_lock(%s, hashtext(%s))", (LOCK_NAMESPACE, slot)
        ).fetchone()
        return row is not None and bool(row[0])

    def _listen(self) -> None:
        while not self._stopping.is_set():
            try:
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
                self._lock(self._slot)
            except psycopg.Error:
                continue
            return


class WorkerRegistry:
    """Which workers are alive, by the heartbeats that they write. A heartbeat is old when it has not changed
    for a while on this process's own clock, so clocks that differ or step do no harm."""

    def __init__(self, database: Database, executor_id: str) -> None:
        self._database = database
        self._id = executor_id
        self._seen: dict[str, tuple[datetime, float]] = {}

    def record_heartbeat(self, now: datetime) -> None:
        """Records that this worker is alive."""
        with self._database.writing() as connection:
            row = {"id": self._id, "started_at": now, "seen_at": now}
            upsert(connection, worker, [row], keep=["started_at"])

    def list_live_workers(self) -> list[str]:
        """The workers whose heartbeat changed lately."""
        with self._database.reading() as connection:
            rows = connection.execute(sa.select(worker.c.id, worker.c.seen_at)).all()
        at = time.monotonic()
        for id, seen_at in rows:
            known = self._seen.get(id)
            if known is None or known[0] != seen_at:
                self._seen[id] = (seen_at, at)
        present = {row.id for row in rows}
        self._seen = {id: known for id, known in self._seen.items() if id in present}
        return [id for id, known in self._seen.items() if at - known[1] < SILENT_AFTER_SECONDS]

    def deregister_others(self, live_ids: list[str]) -> None:
        """Removes every worker that is neither in `live_ids` nor this one."""
        with self._database.writing() as connection:
            connection.execute(sa.delete(worker).where(worker.c.id.not_in([*live_ids, self._id])))

    def deregister(self) -> None:
        with self._database.writing() as connection:
            connection.execute(sa.delete(worker).where(worker.c.id == self._id))
