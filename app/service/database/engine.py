"""The database: one engine for each process, reads and writes in transactions of their own, and what the
process keeps in memory of it."""

import sqlite3
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from types import NoneType
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy import Connection, Engine, event
from sqlalchemy.engine import ExceptionContext, make_url
from sqlalchemy.exc import InvalidatePoolError
from sqlalchemy.pool import ConnectionPoolEntry

from app.service.database.postgresql import COMMAND_TIMEOUTS, Timeouts, connect, is_open, keep_first_line
from app.service.database.transaction import SharedTransaction, Undo

Value = TypeVar("Value")

_MEMORY_OPTION = "process_memory"
"""The execution option by which a connection knows the memory of its engine."""


class ProcessMemory:
    """One value of each type, made when it is first asked for. It is owned by the `Database` and ends with
    it."""

    def __init__(self) -> None:
        self._values: dict[Callable[[], object], object] = {}

    def get(self, kind: Callable[[], Value]) -> Value:
        """The value of this class, made by calling it where there is none yet."""
        value: Value = self._values.setdefault(kind, kind())  # type: ignore[assignment]
        return value

    def forget(self, kind: Callable[[], object]) -> None:
        """Drop the value of this class."""
        self._values.pop(kind, None)


def memory_of(connection: Connection) -> ProcessMemory:
    """The memory of the database that this connection belongs to."""
    memory: ProcessMemory = connection.get_execution_options()[_MEMORY_OPTION]
    return memory


class Database:
    """Opens transactions. On SQLite a writing one takes the write lock at its begin, so that two writers wait
    for each other instead of failing at commit; readers never wait (WAL)."""

    def __init__(self, engine: Engine, direct: Engine | None = None) -> None:
        self.memory = ProcessMemory()
        self.engine = engine = engine.execution_options(**{_MEMORY_OPTION: self.memory})
        # Each statement of PostgreSQL sees what was committed before it, in a transaction or not: without one
        # a read spares two round trips.
        self._reader = engine if self.is_sqlite else engine.execution_options(isolation_level="AUTOCOMMIT")
        self._direct = direct or self.engine
        self._transaction: ContextVar[SharedTransaction | None] = ContextVar("transaction", default=None)
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
        """A connection to read with. Inside `one_transaction` it sees what was written there."""
        transaction = self._transaction.get()
        if transaction is not None and transaction.connection is not None:
            yield transaction.connection
            return
        with self._reader.connect() as connection:
            yield connection

    @contextmanager
    def writing(self, undo: Undo | None = None) -> Generator[Connection]:
        """A transaction, or a part of the one that is open (`one_transaction`). `undo` runs when what was
        written here is rolled back."""
        transaction = self._transaction.get()
        if transaction is not None:
            with transaction.join(undo) as connection:
                yield connection
            return
        transaction = self._new_transaction()
        with transaction.join(undo) as connection:
            yield connection
        transaction.commit()

    @contextmanager
    def one_transaction(self, on_begin: Callable[[Connection], None] = lambda _: None) -> Generator[None]:
        """Every `writing` inside, in the same thread, is part of one transaction, which is committed at the
        end and rolled back by an error. It begins with the first `writing`, and `on_begin` runs before it."""
        transaction = self._new_transaction(on_begin)
        token = self._transaction.set(transaction)
        try:
            yield
            transaction.commit()
        except BaseException:
            transaction.roll_back()
            raise
        finally:
            self._transaction.reset(token)

    def connect_directly(self) -> Connection:
        """A connection that is one session of the server, whatever pools connections in between. Settings of
        the session end with it when it is invalidated before it is closed."""
        return self._direct.connect()

    @contextmanager
    def own_session(self) -> Generator[Connection]:
        """Such a connection, whose locks and settings end with the block: it does not return to the pool."""
        with self.connect_directly() as connection:
            try:
                yield connection
            finally:
                connection.invalidate()

    def _new_transaction(self, on_begin: Callable[[Connection], None] = lambda _: None) -> SharedTransaction:
        return SharedTransaction(self._connect_to_write, on_begin=on_begin, on_end=self._count_write)

    def _connect_to_write(self) -> Connection:
        return self.engine.connect().execution_options(writing=True)

    def _count_write(self) -> None:
        self.writes += 1

    def close(self) -> None:
        self.engine.dispose()
        self._direct.dispose()


def is_sqlite_url(url: str) -> bool:
    return make_url(url).get_backend_name() == "sqlite"


POOL_SIZE = 48
"""For every place of work of a service at once (access.capacity), and for its own checks beside them."""
KEPT_CONNECTIONS = 20
"""How many of them stay open while nobody uses them."""


def open_database(
    url: str,
    timeouts: Timeouts = COMMAND_TIMEOUTS,
    *,
    pool_size: int = POOL_SIZE,
    direct_url: str | None = None,
) -> Database:
    """The database at an SQLAlchemy address. Opens no connection yet, and at most `pool_size` at a time. No
    message of an error has the values of a statement's parameters. With a `direct_url` the other one is taken
    for that of a pool of connections (PgBouncer), which keeps nothing of a session between transactions."""
    kept = min(pool_size, KEPT_CONNECTIONS)
    options: dict[str, Any] = {
        "pool_size": kept,
        "max_overflow": pool_size - kept,
        "pool_timeout": timeouts.pool_seconds,
        "hide_parameters": True,
    }
    if is_sqlite_url(url):
        engine = sa.create_engine(url, connect_args={"timeout": timeouts.lock_seconds}, **options)
        _tune_sqlite(engine)
        return Database(engine)
    engine = sa.create_engine(url, **options)
    _tune_postgresql(engine, timeouts, pooled=direct_url is not None)
    if direct_url is None:
        return Database(engine)
    direct = sa.create_engine(direct_url, poolclass=sa.NullPool, hide_parameters=True)
    _tune_postgresql(direct, timeouts, pooled=False)
    return Database(engine, direct)


def _tune_postgresql(engine: Engine, timeouts: Timeouts, *, pooled: bool) -> None:
    @event.listens_for(engine, "do_connect")
    def open_connection(_dialect: Any, _record: Any, arguments: Any, parameters: Any) -> Any:  # pyright: ignore[reportUnusedFunction]
        return connect(tuple(arguments), parameters, timeouts, pooled=pooled)

    @event.listens_for(engine, "checkout")
    def require_open(connection: Any, _record: ConnectionPoolEntry, _proxy: Any) -> None:  # pyright: ignore[reportUnusedFunction]
        # A pool that asks the server (pre-ping) does so before every transaction.
        if not is_open(connection):
            raise InvalidatePoolError

    @event.listens_for(engine, "handle_error")
    def cut_message(context: ExceptionContext) -> None:  # pyright: ignore[reportUnusedFunction]
        for error in (context.original_exception, context.sqlalchemy_exception):
            if error is not None:
                keep_first_line(error)


def _tune_sqlite(engine: Engine) -> None:
    # The driver looks for an adapter of each such value; to find none takes it longer than to call one.
    sqlite3.register_adapter(bytes, bytes)
    sqlite3.register_adapter(NoneType, lambda _: None)

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
        if connection.get_execution_options().get("writing", False):
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        else:
            # It takes no lock, so that it cannot fail. SQLAlchemy takes as long for it as for a read.
            connection.connection.cursor().execute("BEGIN")
