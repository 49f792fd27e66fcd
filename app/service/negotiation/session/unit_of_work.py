"""What a transaction changes in negotiations, held back so that many changes take few statements."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Table, bindparam

from app.service.database.tables.negotiation import negotiation
from app.service.webhooks.outbox import OutboxEvent, emit_all


class UnitOfWork:
    """Rows, changed columns and events of one transaction. They are there once `flush` was called."""

    def __init__(self, connection: Connection, now: datetime) -> None:
        self._connection = connection
        self._now = now
        self._rows: dict[Table, list[dict[str, Any]]] = {}
        self._changes: dict[frozenset[str], list[dict[str, Any]]] = {}
        self._events: list[OutboxEvent] = []

    def insert(self, table: Table, **values: Any) -> None:
        """A new row."""
        self._rows.setdefault(table, []).append(values)

    def update(self, negotiation_id: str, **values: Any) -> None:
        """New values of a negotiation's row."""
        self._changes.setdefault(frozenset(values), []).append({"changed_id": negotiation_id, **values})

    def add_event(self, event: OutboxEvent) -> None:
        self._events.append(event)

    def flush(self) -> None:
        """Writes what is held back: one statement for the rows of a table, one for changes of the same
        columns."""
        rows, self._rows = self._rows, {}
        changes, self._changes = self._changes, {}
        events, self._events = self._events, []
        for table, added in rows.items():
            self._connection.execute(table.insert(), added)
        for changed in changes.values():
            update = negotiation.update().where(negotiation.c.id == bindparam("changed_id"))
            self._connection.execute(update, changed)
        emit_all(self._connection, events, now=self._now)
