"""Every transaction takes its locks in one order, so that no two of them wait for each other on PostgreSQL:
that of imports, the organisation's, those of rows (`quotas.lock_organisation`). The order of statements is
the same on both stores, and is watched in all tests of the service."""

import sys
import traceback
from collections.abc import Iterator
from typing import Any, cast

import pytest
import sqlalchemy as sa
from sqlalchemy import Connection, event
from sqlalchemy.engine import Engine

from app.service.database import dialect
from app.service.database.tables import idempotent_call, organisation

IMPORTS, ORGANISATION, ROWS = range(3)
ORDER = "locks of a transaction"
OWN_ROW = idempotent_call.name
"""Of a call and its repeats, which hold nothing yet: it is taken before all others."""


@pytest.fixture(scope="session")
def watched_locks() -> Iterator[list[str]]:
    """What took a lock behind one that comes later in the order, from then on."""
    found: list[str] = []

    def take(connection: Connection, lock: int, what: str) -> None:
        taken: dict[int, str] = connection.info.setdefault(ORDER, {})
        later = [table for held, table in taken.items() if held > lock]
        if later and lock not in taken:
            frames = [one for one in traceback.extract_stack() if "/app/service/" in one.filename]
            if any("/database/" not in one.filename for one in frames):  # no test that empties tables
                found.append(f"{what} after {later}: {[f'{one.filename}:{one.lineno}' for one in frames]}")
        taken.setdefault(lock, what)

    def watch(connection: Connection, statement: Any, *_: object) -> None:
        for table in _find_locked(statement) - {OWN_ROW}:
            take(connection, ORGANISATION if table == organisation.name else ROWS, table)

    lock_imports = dialect.lock_imports

    def watch_imports(connection: Connection) -> None:
        take(connection, IMPORTS, "imports")
        lock_imports(connection)

    with pytest.MonkeyPatch.context() as patch:
        for name, module in [*sys.modules.items()]:
            if name.startswith("app.service") and getattr(module, "lock_imports", None) is lock_imports:
                patch.setattr(module, "lock_imports", watch_imports)
        event.listen(Engine, "before_execute", watch)
        for name in ("begin", "commit", "rollback"):
            event.listen(Engine, name, _forget)
        yield found
        event.remove(Engine, "before_execute", watch)
        for name in ("begin", "commit", "rollback"):
            event.remove(Engine, name, _forget)


@pytest.fixture(autouse=True)
def one_order_of_locks(watched_locks: list[str]) -> Iterator[None]:
    """Fail a test in which a transaction took its locks in another order."""
    watched_locks.clear()
    yield
    assert watched_locks == [], watched_locks


def _forget(connection: Connection) -> None:
    if not connection.invalidated:  # with its locks
        connection.info.pop(ORDER, None)


def _find_locked(statement: Any) -> set[str]:
    """The tables of which a statement locks rows that others may lock too."""
    if isinstance(statement, sa.Update | sa.Delete):
        return {cast(sa.Table, statement.table).name}
    if isinstance(statement, sa.Select) and statement._for_update_arg is not None:
        return {table.name for table in statement.get_final_froms() if isinstance(table, sa.Table)}
    return set()
