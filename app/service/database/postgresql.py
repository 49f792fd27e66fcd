"""Connections to PostgreSQL that never wait without end: for the server, for a lock, for an answer."""

from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg.abc import PQGen


@dataclass(frozen=True)
class Timeouts:
    """Seconds to wait: for a lock that another transaction holds (on SQLite the file's one write lock), for a
    statement to end, for a connection to be made, and for one of the pool to be free."""

    lock_seconds: float
    statement_seconds: float
    connect_seconds: int = 5
    pool_seconds: float = 10


def server_timeouts(seconds: float) -> Timeouts:
    """Those of the service and the worker, whose callers wait."""
    return Timeouts(lock_seconds=seconds, statement_seconds=seconds)


COMMAND_TIMEOUTS = Timeouts(lock_seconds=60, statement_seconds=3600)
"""Of commands: an import or a report may take its time."""


READ_MARGIN_SECONDS = 2
"""How much longer than a statement may run its answer is waited for, before the server counts as hanging."""

KEEPALIVES: dict[str, Any] = {
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 25_000,
}
"""A host that vanished without a word is noticed within some 25 seconds."""


class BoundedConnection(psycopg.Connection[Any]):
    """A connection that is closed when the server says nothing for `read_seconds`, which happens when its
    process or the way to it stands still: no time limit of the server's own ends that."""

    read_seconds: float | None = None

    def wait(self, gen: PQGen[Any], interval: float = 0.1, timeout: float | None = None) -> Any:
        try:
            return super().wait(gen, interval, timeout or self.read_seconds)
        except psycopg.errors._WaitTimeout:  # pyright: ignore[reportPrivateUsage]
            # What the server will still answer belongs to no statement any more.
            self.pgconn.finish()
            raise


def connect(
    address: tuple[Any, ...], parameters: dict[str, Any], timeouts: Timeouts, *, pooled: bool
) -> BoundedConnection:
    """A connection whose every wait has an end. A `pooled` one belongs to PgBouncer, which takes no options
    of a session and hands each transaction to another one: nothing is prepared there, and the time limits of
    the server and whether it compiles statements are those of the database's role."""
    options = f"{parameters.pop('options', '')} {_server_settings(timeouts)}".strip()
    stated: dict[str, Any] = {
        "connect_timeout": timeouts.connect_seconds,
        **KEEPALIVES,
        **parameters,
        **({"prepare_threshold": None} if pooled else {"options": options}),
    }
    connection = BoundedConnection.connect(*address, **stated)
    connection.read_seconds = timeouts.statement_seconds + READ_MARGIN_SECONDS
    return connection


def is_open(connection: psycopg.Connection[Any]) -> bool:
    """Return whether the server holds a connection that nobody uses, as far as it has said: it is not asked,
    which takes a round trip. Where its host vanished, keepalives end the connection."""
    try:
        connection.pgconn.consume_input()  # its last words, where it has ended
        connection.pgconn.consume_input()  # the end itself
    except psycopg.OperationalError:
        return False
    return True


def keep_first_line(error: BaseException) -> None:
    """Cut the message of an error: the lines after the first quote the rows' values (DETAIL: Key
    (name)=(…) already exists)."""
    if error.args and isinstance(error.args[0], str):
        error.args = (error.args[0].partition("\n")[0], *error.args[1:])


def _server_settings(timeouts: Timeouts) -> str:
    statement = int(timeouts.statement_seconds * 1000)
    lock = int(timeouts.lock_seconds * 1000)
    return (
        f"-c statement_timeout={statement} -c lock_timeout={lock}"
        f" -c idle_in_transaction_session_timeout={2 * statement}"
        # Statements are many and small: to compile one takes longer than to run it.
        " -c jit=off"
    )
