"""Whether a statement failed for want of room on the database's disk."""

import sqlite3

from sqlalchemy.exc import DBAPIError

_SQLITE_CODES = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE}
_POSTGRESQL_STATE = "53100"  # disk_full


def is_disk_full(error: BaseException) -> bool:
    """True on either store when the disk was full. Nothing of the transaction was kept then."""
    if not isinstance(error, DBAPIError):
        return False
    cause = error.orig
    return (
        getattr(cause, "sqlite_errorcode", None) in _SQLITE_CODES
        or getattr(cause, "sqlstate", None) == _POSTGRESQL_STATE
    )
