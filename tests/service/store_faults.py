"""Real faults of both stores, in the middle of a transaction."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import psycopg
import sqlalchemy as sa
from sqlalchemy import event

from app.service.context import Context
from app.service.database.columns import metadata

NOT_COUNTED = {"idempotent_call", "request_count"}
ROWS = sa.union_all(
    *(
        sa.select(sa.literal(table.name), sa.func.count()).select_from(table)
        for table in metadata.sorted_tables
        if table.name not in NOT_COUNTED
    )
)
BALLAST = "INSERT INTO alembic_version SELECT zeroblob(10000000)"


def count_rows(context: Context) -> dict[str, int]:
    """The rows of every table, and the files of the storage."""
    with context.database.reading() as connection:
        rows = {str(name): int(count) for name, count in connection.execute(ROWS)}
    files = sum(1 for path in context.settings.files_dir.rglob("*") if path.is_file())
    return {**rows, "files": files}


@contextmanager
def fault_at(context: Context, number: int) -> Generator[list[str]]:
    """The statement of that number in a writing transaction meets a full disk (SQLite), or finds its
    connection ended by the server (PostgreSQL). Number 0 is the commit, on PostgreSQL alone. The list has the
    statement that was met."""
    engine = context.database.engine
    seen = 0
    met: list[str] = []

    def before(_conn: Any, _cursor: Any, statement: str, parameters: Any, run: Any, many: bool) -> Any:
        nonlocal seen
        writing = run.root_connection.get_execution_options().get("writing")
        # Each second the service shares its counts of requests, in a transaction of their own.
        if not writing or statement.startswith("BEGIN") or "request_count" in statement or met:
            return statement, parameters
        seen += 1
        if seen != number:
            return statement, parameters
        met.append(statement)
        driver = run.root_connection.connection.driver_connection
        if context.database.is_sqlite:
            [pages] = driver.execute("PRAGMA page_count").fetchone()
            driver.execute(f"PRAGMA max_page_count={pages}")
            return BALLAST, [()] if many else ()
        _end(context, driver)
        return statement, parameters

    def commit(connection: sa.Connection) -> None:
        if number == 0 and not met and connection.get_execution_options().get("writing"):
            met.append("COMMIT")
            _end(context, connection.connection.driver_connection)

    event.listen(engine, "before_cursor_execute", before, retval=True)
    event.listen(engine, "commit", commit)
    try:
        yield met
    finally:
        event.remove(engine, "before_cursor_execute", before)
        event.remove(engine, "commit", commit)
        if context.database.is_sqlite:
            engine.dispose()  # the limit is the connection's


def _end(context: Context, driver: Any) -> None:
    address = context.settings.database_url
    assert address
    with psycopg.connect(address, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [driver.info.backend_pid])
