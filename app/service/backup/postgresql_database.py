"""A database of PostgreSQL: dumped as it is at one moment, and replaced while nobody else uses it."""

import time
from collections.abc import Generator
from contextlib import contextmanager

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.backup.manifest import BackupFault
from app.service.backup.postgresql_tools import PostgresqlTools, find_tools
from app.service.context import Context
from app.service.database.engine import Database

ENDING_SECONDS = 1.0
_OTHER_SESSIONS = sa.text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
    " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
)


def tools_for(context: Context) -> PostgresqlTools:
    """The programs for the server of the context."""
    with _own_session(context.database) as connection:
        number = int(connection.execute(sa.text("SHOW server_version_num")).scalar_one())
    settings = context.settings
    return find_tools(settings.resolved_direct_url or settings.resolved_database_url, number // 10_000)


@contextmanager
def one_moment(database: Database) -> Generator[tuple[Connection, str]]:
    """A connection that sees the database as it is now for as long as the block lasts, and the name by which
    other sessions see the same."""
    with _own_session(database) as connection:
        connection.execution_options(isolation_level="REPEATABLE READ")
        # The dump may take longer than a session of ours may stand still.
        connection.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")
        yield connection, connection.execute(sa.text("SELECT pg_export_snapshot()")).scalar_one()


@contextmanager
def _own_session(database: Database) -> Generator[Connection]:
    """A session that ends with the block."""
    with database.connect_directly() as connection:
        try:
            yield connection
        finally:
            connection.invalidate()


def require_free(database: Database, *, replace: bool) -> None:
    """Raises BackupFault where the database has tables, without `replace`, or another session. One whose
    process has just ended, as of a restore that was killed, is waited for."""
    deadline = time.monotonic() + ENDING_SECONDS
    with _own_session(database) as connection:
        while sessions := connection.execute(_OTHER_SESSIONS).scalar_one():
            if time.monotonic() > deadline:
                break
            connection.rollback()  # what a transaction has seen of them, it sees to its end
            time.sleep(ENDING_SECONDS / 20)
        tables = sa.inspect(connection).get_table_names()
    if tables and not replace:
        raise BackupFault(
            f"the database has {len(tables)} tables: name an empty one, or replace it with --replace"
        )
    if sessions:
        raise BackupFault(
            f"the database is in use by {sessions} other sessions: stop services, workers, PgBouncer and"
            " whatever else is connected to it first"
        )
