"""The tables that hold letters until they are sent, and what the queue of letters knows of each."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.service.database.tables.agreements import agreement, agreement_mail
from app.service.database.tables.comments import naming_mail
from app.service.database.tables.negotiation import mail, negotiation
from app.service.database.visibility import owned_by

_SOON = (timedelta(seconds=30), timedelta(minutes=5), timedelta(hours=1))
_FOR_A_WEEK = (*_SOON, *[timedelta(hours=1)] * (7 * 24 - 1))
"""A mail server may be away for a week."""


@dataclass(frozen=True, slots=True)
class LetterTable:
    """Letters of one kind. `owner` is the table whose row says which organisation a letter is of: that of
    what it is about, or the letters' own. After each failure the next of `retry_delays` is waited for; at
    most `batch_size` letters are taken at once."""

    table: sa.Table
    owner: sa.Table
    retry_delays: tuple[timedelta, ...] = _FOR_A_WEEK
    batch_size: int = 100

    def select_due(self, now: datetime, *columns: sa.ColumnElement[Any]) -> sa.Select[*tuple[Any, ...]]:
        """Select the letters that are due, with their `organisation_id` and further columns of their owner.
        An organisation that writes to many keeps no other one waiting: each has its turn."""
        organisation_id = self.owner.c.organisation_id
        own = [column for column in self.table.c if column.name != organisation_id.name]
        turn = sa.func.row_number().over(
            partition_by=organisation_id, order_by=(self.table.c.next_at, self.table.c.id)
        )
        return (
            sa.select(*own, organisation_id, *columns)
            .select_from(self._with_owner())
            .where(self.table.c.next_at <= now)
            .order_by(turn, self.table.c.next_at)
            .limit(self.batch_size)
        )

    def select_recipients(self, organisation_id: str, sent_after: datetime) -> sa.Select[str | None]:
        """Select to whom the letters of an organisation went that were sent since."""
        return (
            sa.select(self.table.c.recipient)
            .select_from(self._with_owner())
            .where(owned_by(self.owner.c, organisation_id), self.table.c.sent_at > sent_after)
        )

    def _with_owner(self) -> sa.FromClause:
        return self.table if self.owner is self.table else self.table.join(self.owner)

    def queue(self, connection: Connection, letters: Iterable[Mapping[str, Any]], now: datetime) -> None:
        """Write letters that are due at once. Each brings its id, its recipient and the columns that only its
        table has."""
        waiting = {"status": "queued", "attempts": 0, "next_at": now, "created_at": now}
        if rows := [{**letter, **waiting} for letter in letters]:
            connection.execute(self.table.insert(), rows)


SUPPLIER_LETTERS = LetterTable(mail, negotiation, (*_SOON, timedelta(hours=6)), batch_size=20)
DEADLINE_LETTERS = LetterTable(agreement_mail, agreement)
NAMING_LETTERS = LetterTable(naming_mail, naming_mail)
TO_COLLEAGUES = (DEADLINE_LETTERS, NAMING_LETTERS)
LETTER_TABLES = (SUPPLIER_LETTERS, *TO_COLLEAGUES)
