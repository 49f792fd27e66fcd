"""The kinds of letters, and what the queue of letters knows of each."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.database.tables import letter

_SOON = (timedelta(seconds=30), timedelta(minutes=5), timedelta(hours=1))
_FOR_A_WEEK = (*_SOON, *[timedelta(hours=1)] * (7 * 24 - 1))
"""A mail server may be away for a week."""


@dataclass(frozen=True, slots=True)
class LetterKind:
    """Letters of one kind. After each failure the next of `retry_delays` is waited for; at most `batch_size`
    letters are taken at once."""

    name: str
    retry_delays: tuple[timedelta, ...] = _FOR_A_WEEK
    batch_size: int = 100

    def select_due(self, now: datetime) -> sa.Select[*tuple[Any, ...]]:
        """Select the letters that are due. An organisation that writes to many keeps no other one waiting:
        each has its turn."""
        columns = letter.c
        turn = sa.func.row_number().over(
            partition_by=columns.organisation_id, order_by=(columns.next_at, columns.id)
        )
        return (
            sa.select(letter)
            .where(columns.kind == self.name, columns.next_at <= now)
            .order_by(turn, columns.next_at)
            .limit(self.batch_size)
        )

    def queue(self, connection: Connection, letters: Iterable[Mapping[str, Any]], now: datetime) -> None:
        """Write letters that are due at once. Each brings its id, its recipient, its organisation, what it is
        about and the columns that only its kind has."""
        waiting = {"status": "queued", "attempts": 0, "next_at": now, "created_at": now}
        if rows := [{**one, "kind": self.name, **waiting} for one in letters]:
            connection.execute(letter.insert(), rows)


SUPPLIER_LETTERS = LetterKind("supplier", (*_SOON, timedelta(hours=6)), batch_size=20)
DEADLINE_LETTERS = LetterKind("deadline")
NAMING_LETTERS = LetterKind("naming")
TO_COLLEAGUES = letter.c.kind != SUPPLIER_LETTERS.name
"""Written when they are sent; they are only for whom they are addressed to."""
