"""The changes of a transaction, collected so that many of them take few statements."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Table, bindparam

from app.service.database.tables.negotiation import negotiation
from app.service.negotiation.search_entries import INDEXED_COLUMNS, index_negotiations
from app.service.webhooks.outbox import OutboxEvent, emit_all


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
        rows, self._rows = self._rows, {}
        changes, self._changes = self._changes, {}
        events, self._events = self._events, []
        for table, added in rows.items():
            self._connection.execute(table.insert(), added)
        for changed in changes.values():
            update = negotiation.update().where(negotiation.c.id == bindparam("changed_id"))
            self._connection.execute(update, changed)
            if changed[0].keys() & INDEXED_COLUMNS:
                index_negotiations(self._connection, [each["changed_id"] for each in changed])
        emit_all(self._connection, events, now=self._now)
