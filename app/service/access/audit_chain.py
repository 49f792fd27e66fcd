"""The audit log in one order that never changes, each entry with a hash of itself and of all before it.

A worker gives an entry its number once the transaction that wrote it has ended: what a transaction in flight
still adds comes after what has a number, so who reads on from a number misses nothing. Whoever changes or
removes an entry breaks the hashes of all that follow; whoever keeps a hash elsewhere notices also where all
of them were made anew."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.database.dialect import lock_chain
from app.service.database.engine import Database
from app.service.database.tables import audit_entry, audit_link

WINDOW = timedelta(hours=1)
"""Entries without a number are looked for among those of this time, and among all when a worker begins."""
LINKED_AT_ONCE = 1_000
ENTRY, LINK = audit_entry.c, audit_link.c
_HASHED = [column.name for column in audit_entry.columns]


class Chaining:
    """What a worker remembers of it: whether it has looked through the whole log."""

    def __init__(self) -> None:
        self._has_seen_all = False

    def link_new_entries(self, database: Database, now: datetime) -> int:
        """Give every entry its number and hash; return how many had none."""
        since = _first_id_at(now - WINDOW) if self._has_seen_all else ""
        linked = 0
        while added := _link_some(database, since):
            linked += added
        self._has_seen_all = True
        return linked


def find_unlinked(since: str = "") -> sa.Select[Any]:
    """Select the entries without a number, of those with an id from `since` on, the oldest first."""
    return (
        sa.select(audit_entry)
        .outerjoin(audit_link, LINK.entry_id == ENTRY.id)
        .where(LINK.entry_id.is_(None), ENTRY.id >= since)
        .order_by(ENTRY.id)
    )


def find_broken_link(connection: Connection, organisation_id: str, newest: int | None = None) -> int | None:
    """Return the number of the first entry that is not what it was when it got its number, or is gone; None
    where all are. Of the `newest` alone, where that is given."""
    last = connection.scalar(
        sa.select(sa.func.max(LINK.number)).where(LINK.organisation_id == organisation_id)
    )
    first = 1 if newest is None else max(1, (last or 0) - newest + 1)
    before = _read_hash(connection, organisation_id, first - 1)
    result = connection.execute(
        sa.select(LINK.number, LINK.hash, audit_entry)
        .outerjoin(audit_entry, ENTRY.id == LINK.entry_id)
        .where(LINK.organisation_id == organisation_id, LINK.number >= first)
        .order_by(LINK.number),
        execution_options={"yield_per": LINKED_AT_ONCE},
    )
    expected = first
    with result as rows:
        for row in rows:
            if row.number != expected or row.id is None or row.hash != hash_entry(before, row):
                return expected
            before, expected = row.hash, expected + 1
    return None


def hash_entry(before: str, entry: Any) -> str:
    """Return the hash of an entry after the hash `before`: SHA-256 of both, the entry as JSON."""
    values = {name: getattr(entry, name) for name in _HASHED}
    text = json.dumps(values, sort_keys=True, default=datetime.isoformat, ensure_ascii=False)
    return hashlib.sha256(f"{before}\n{text}".encode()).hexdigest()


def _link_some(database: Database, since: str) -> int:
    unlinked = find_unlinked(since).limit(LINKED_AT_ONCE)
    with database.reading() as connection:
        if connection.execute(unlinked.limit(1)).first() is None:
            return 0
    with database.writing() as connection:
        lock_chain(connection)
        links = list(_number(connection, connection.execute(unlinked).all()))
        if links:
            connection.execute(audit_link.insert(), links)
    return len(links)


def _number(connection: Connection, entries: Sequence[Any]) -> Iterator[dict[str, Any]]:
    ends: dict[str, tuple[int, str]] = {}
    for entry in entries:
        organisation_id = entry.organisation_id
        if organisation_id not in ends:
            query = sa.select(sa.func.max(LINK.number)).where(LINK.organisation_id == organisation_id)
            last = connection.scalar(query) or 0
            ends[organisation_id] = last, _read_hash(connection, organisation_id, last)
        last, before = ends[organisation_id]
        ends[organisation_id] = last + 1, hash_entry(before, entry)
        number, value = ends[organisation_id]
        yield {"organisation_id": organisation_id, "number": number, "entry_id": entry.id, "hash": value}


def _read_hash(connection: Connection, organisation_id: str, number: int) -> str:
    query = sa.select(LINK.hash).where(LINK.organisation_id == organisation_id, LINK.number == number)
    return connection.scalar(query) or ""


def _first_id_at(moment: datetime) -> str:
    """The beginning of the ids that are made at a moment (UUID version 7)."""
    milliseconds = f"{int(moment.timestamp() * 1000):012x}"
    return f"{milliseconds[:8]}-{milliseconds[8:]}"
