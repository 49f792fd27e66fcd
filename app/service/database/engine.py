"""The database: one engine for each process, reads and writes in transactions of their own."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, Engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.pool import ConnectionPoolEntry

from app.service.database.process_memory import OPTION, ProcessMemory

BUSY_TIMEOUT_SECONDS = 30


class Database:
    """Opens transactions. On SQLite a writing one takes the write lock at its begin, so that two writers wait
    for each other instead of failing at commit; readers never wait (WAL)."""

    def __init__(self, engine: Engine) -> None:
        self.memory = ProcessMemory()
        self.engine = engine = engine.execution_options(**{OPTION: self.memory})
        # Each statement of PostgreSQL sees what was committed before it, in a transaction or not: without one
        # a read spares two round trips.
        self._reader = engine if self.is_sqlite else engine.execution_options(isolation_level="AUTOCOMMIT")
        self.writes = 0
        """Writing transactions that this process has ended: what was read before is old when it moved."""

    @property
    def is_sqlite(self) -> bool:
        return self.engine.dialect.name == "sqlite"

    @property
    def takes_several_workers(self) -> bool:
        """Whether workers may share it. One file of SQLite has one worker."""
        return not self.is_sqlite

    @property
    def notifies(self) -> bool:
        """Whether listeners are told of a commit. Otherwise a process looks at `commit_counter`."""
        return not self.is_sqlite

    @contextmanager
    def reading(self) -> Generator[Connection]:
        with self._reader.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Generator[Connection]:
        try:
            with self.engine.connect().execution_options(writing=True) as connection, connection.begin():
                yield connection
        finally:
            self.writes += 1

    def close(self) -> None:
        self.engine.dispose()


def is_sqlite_url(url: str) -> bool:
    return make_url(url).get_backend_name() == "sqlite"


def open_database(url: str, *, pool_size: int = 20) -> Database:
    """The database at an SQLAlchemy address. Opens no connection yet."""
    if is_sqlite_url(url):
        engine = sa.create_engine(
            url, pool_size=pool_size, max_overflow=20, connect_args={"timeout": BUSY_TIMEOUT_SECONDS}
        )
        _tune_sqlite(engine)
    else:
        engine = sa.create_engine(url, pool_size=pool_size, max_overflow=20, pool_pre_ping=True)
    return Database(engine)


def _tune_sqlite(engine: Engine) -> None:
    @event.listens_for(engine, "connect")
    def connect(connection: Any, _record: ConnectionPoolEntry) -> None:  # pyright: ignore[reportUnusedFunction]
        # The driver's own transaction control is switched off: it begins late and never IMMEDIATE.
        connection.isolation_level = None
        for pragma in (
            "journal_mode=WAL",
            "synchronous=NORMAL",
            "foreign_keys=ON",
            "temp_store=MEMORY",
            "cache_size=-65536",
            "mmap_size=268435456",
            # 64 MiB: pages that several transactions of an import write are copied to their place once.
            "wal_autocheckpoint=16384",
        ):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:  # pyright: ignore[reportUnusedFunction]
        writing = connection.get_execution_options().get("writing", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")
