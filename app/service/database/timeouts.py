"""How long a process waits for the database before it gives up."""

from dataclasses import dataclass


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
