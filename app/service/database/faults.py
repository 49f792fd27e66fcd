"""Why the database refused or lost a statement, as far as it is no bug and no fault of the caller."""

import errno
import sqlite3
from enum import StrEnum

import psycopg
from sqlalchemy.exc import DBAPIError, SQLAlchemyError, StatementError
from sqlalchemy.exc import TimeoutError as PoolTimeout


class UnknownOutcome(SQLAlchemyError):
    """The connection was lost while a transaction was being committed: it is stored, or it is not."""


class StoreFault(StrEnum):
    """What keeps the store from working now. Of all but UNKNOWN nothing of the transaction was kept."""

    FULL = "full"
    AWAY = "away"
    BUSY = "busy"
    UNKNOWN = "unknown"


_SQLITE_FAULTS = {
    sqlite3.SQLITE_FULL: StoreFault.FULL,
    sqlite3.SQLITE_IOERR_SHMSIZE: StoreFault.FULL,
    sqlite3.SQLITE_CANTOPEN: StoreFault.AWAY,
    sqlite3.SQLITE_IOERR: StoreFault.AWAY,
    sqlite3.SQLITE_BUSY: StoreFault.BUSY,
    sqlite3.SQLITE_LOCKED: StoreFault.BUSY,
}
_NO_ROOM = {errno.ENOSPC, getattr(errno, "EDQUOT", None)}
_PRIMARY_CODE = 0xFF
"""SQLite's extended codes hold the primary one in their last byte."""

_POSTGRESQL_FAULTS = {
    "53100": StoreFault.FULL,  # disk_full
    "53200": StoreFault.BUSY,  # out_of_memory
    "53300": StoreFault.BUSY,  # too_many_connections
    "40001": StoreFault.BUSY,  # serialization_failure
    "40P01": StoreFault.BUSY,  # deadlock_detected
    "55P03": StoreFault.BUSY,  # lock_not_available
    "57014": StoreFault.BUSY,  # query_canceled: the statement's time is up
    "57P01": StoreFault.AWAY,  # admin_shutdown
    "57P02": StoreFault.AWAY,  # crash_shutdown
    "57P03": StoreFault.AWAY,  # cannot_connect_now
    "25006": StoreFault.AWAY,  # read_only_sql_transaction: a standby
}
_CONNECTION_EXCEPTION = "08"
"""The class of PostgreSQL's states that say that a connection failed."""


def find_store_fault(error: BaseException) -> StoreFault | None:
    """What is wrong with the store on either database; None when the error says nothing of that kind."""
    if isinstance(error, UnknownOutcome):
        return StoreFault.UNKNOWN
    if isinstance(error, PoolTimeout):
        return StoreFault.BUSY
    if isinstance(error, OSError):  # of what is written beside the database
        return StoreFault.FULL if error.errno in _NO_ROOM else None
    if not isinstance(error, DBAPIError):
        return None
    code = getattr(error.orig, "sqlite_errorcode", None)
    if code is not None:
        return _SQLITE_FAULTS.get(code) or _SQLITE_FAULTS.get(code & _PRIMARY_CODE)
    state = getattr(error.orig, "sqlstate", None)
    if state is not None:
        return StoreFault.AWAY if state.startswith(_CONNECTION_EXCEPTION) else _POSTGRESQL_FAULTS.get(state)
    # A server that cannot be reached, or that closed the connection, gives no state.
    lost = error.connection_invalidated or isinstance(error.orig, psycopg.OperationalError)
    return StoreFault.AWAY if lost else None


def is_lock_timeout(error: DBAPIError) -> bool:
    """Whether PostgreSQL gave up waiting for a lock of another transaction."""
    return getattr(error.orig, "sqlstate", None) == "55P03"


_SQLITE_REFUSALS = {
    sqlite3.SQLITE_ERROR,
    sqlite3.SQLITE_CONSTRAINT,
    sqlite3.SQLITE_TOOBIG,
    sqlite3.SQLITE_MISMATCH,
    sqlite3.SQLITE_RANGE,
}
_POSTGRESQL_REFUSALS = ("0A", "21", "22", "23", "42", "44", "54", "P0")
"""The classes of states about a statement or its values: constraints, types, limits, triggers."""


def is_refusal(error: BaseException) -> bool:
    """Whether an error is about what was to be written, so that trying it again would fail again. Any other
    one is the store's, and may be over in a moment."""
    if isinstance(error, DBAPIError):
        code = getattr(error.orig, "sqlite_errorcode", None)
        if code is not None:
            return code & _PRIMARY_CODE in _SQLITE_REFUSALS
        return (getattr(error.orig, "sqlstate", None) or "").startswith(_POSTGRESQL_REFUSALS)
    if isinstance(error, SQLAlchemyError):
        return isinstance(error, StatementError)  # a value that cannot be made a parameter
    return not isinstance(error, OSError | MemoryError)
