"""The changes of a transaction, collected so that many of them take few statements."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Table, bindparam, select

from app.service.database.tables import negotiation
from app.service.negotiation.search_entries import INDEXED_COLUMNS, index_negotiations
from app.service.scopes.listing import refresh_statuses
from app.service.webhooks.outbox import OutboxEvent, emit_all

SCOPE_STATUS_COLUMNS = frozenset({"status", "scope_id"})
"""The columns of a negotiation that the status of its scope follows from."""


class UnitOfWork:
    """New rows, changed columns and events of one transaction. `flush` writes them."""

    def __init__(self, connection: Connection, now: datetime) -> None:
        self._connection = connection
        self._now = now
        self._rows: dict[Table, list[dict[str, Any]]] = {}
        self._changes: dict[frozenset[str], list[dict[str, Any]]] = {}
        self._events: list[OutboxEvent] = []

    def insert(self, table: Table, **values: Any) -> None:
        """Add a row to a table."""
        self._rows.setdefault(table, []).append(values)

    def update(self, negotiation_id: str, **values: Any) -> None:
        """Set columns of a negotiation's row."""
        self._changes.setdefault(frozenset(values), []).append({"changed_id": negotiation_id, **values})

    def add_event(self, event: OutboxEvent) -> None:
        self._events.append(event)

    def flush(self) -> None:
        """Write what was collected: one statement for the rows of each table, one for all changes of the same
        columns."""
        rows, changes, events = self._rows, self._changes, self._events
        self._rows = {}
        self._changes = {}
        self._events = []
        for table, added in rows.items():
            self._connection.execute(table.insert(), added)
        for changed in changes.values():
            changed_ids = [each["changed_id"] for each in changed]
            moves_scopes = bool(changed[0].keys() & SCOPE_STATUS_COLUMNS)
            scope_ids = self._find_scope_ids(changed_ids) if moves_scopes else set[str]()
            update = negotiation.update().where(negotiation.c.id == bindparam("changed_id"))
            self._connection.execute(update, changed)
            if changed[0].keys() & INDEXED_COLUMNS:
                index_negotiations(self._connection, changed_ids)
            if moves_scopes:
                scope_ids |= self._find_scope_ids(changed_ids)
                refresh_statuses(self._connection, scope_ids)
        emit_all(self._connection, events, now=self._now)

    def _find_scope_ids(self, negotiation_ids: Collection[str]) -> set[str]:
        """Return the scopes that the negotiations are about now."""
        scopes = select(negotiation.c.scope_id).where(
            negotiation.c.id.in_(negotiation_ids), negotiation.c.scope_id.is_not(None)
        )
        return {str(scope_id) for scope_id in self._connection.scalars(scopes)}
