"""The one connection through which a worker reads and writes its queues."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection

from app.service.database.engine import Database

CACHE_KIBIBYTES = 4096

POSTGRESQL_SETTINGS = (
    # Statistics of a queue that fills and empties are always old, and would have the whole of a table read
    # for sixty rows. Whatever is asked here has its index.
    "SET enable_seqscan = off",
    "SET enable_bitmapscan = off",
    "SET enable_hashjoin = off",
    "SET enable_mergejoin = off",
    # As on SQLite: what a power failure takes back is done again.
    "SET synchronous_commit = off",
)


def open_queue_connection(database: Database) -> Connection:
    """A connection tuned for queues. It must not return to the pool: invalidate it before closing."""
    connection = database.connect_directly()
    if database.is_sqlite:
        # It reads each row once: the large cache of a connection that answers requests is of no use here.
        driver: Any = connection.connection.driver_connection
        driver.execute(f"PRAGMA cache_size=-{CACHE_KIBIBYTES}")
        driver.execute("PRAGMA mmap_size=0")
        return connection
    for setting in POSTGRESQL_SETTINGS:
        connection.exec_driver_sql(setting)
    connection.commit()
    return connection


@contextmanager
def begin_writing(connection: Connection) -> Generator[None]:
    connection.execution_options(writing=True)
    try:
        with connection.begin():
            yield
    finally:
        connection.execution_options(writing=False)


def commit_counter(connection: Connection) -> int:
    """SQLite: a number that changes when another connection commits. PostgreSQL: always 0, since it notifies
    its listeners instead."""
    if connection.dialect.name != "sqlite":
        return 0
    driver: Any = connection.connection.driver_connection
    return driver.execute("PRAGMA data_version").fetchone()[0]
