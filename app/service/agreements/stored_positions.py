"""Where each agreement stands, stored beside it with the days that this holds for, so that a list of many is
sorted and counted by the database. It is written with every change of an agreement or of the working days,
and once an hour for those whose day has come; who reads a row on another day computes it."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

import sqlalchemy as sa
from sqlalchemy import ColumnElement, Connection

from app.contract.agreements import PAST_STATUSES
from app.service.agreements.dates.position import find_validity
from app.service.agreements.dates.working_days import WorkingDays
from app.service.agreements.stored_agreement import DateRow
from app.service.agreements.working_calendar import load_working_days
from app.service.context import Context
from app.service.database.rows import batched
from app.service.database.tables import agreement
from app.service.database.visibility import owned_by

_STORED = ("status", "stage", "past", "order_day", "position_from", "position_until")
_AT_ONCE = 500


def build_position_columns(row: DateRow, as_of: date, days: WorkingDays) -> Mapping[str, Any]:
    """Return the columns that say where an agreement stands. `order_day` is the day that what must be done is
    sorted by, and the last of all days where nobody must act, or not yet."""
    position = row.find_position(as_of, days)
    validity = find_validity(position, as_of, row.find_put_off_day(position))
    return {
        "status": position.status,
        "stage": row.find_stage(position),
        "past": position.status in PAST_STATUSES,
        "order_day": row.find_order_day(position, as_of) or date.max,
        "position_from": validity.first,
        "position_until": validity.last,
    }


def holds_on(as_of: date) -> ColumnElement[bool]:
    """The condition that the stored position of an agreement is that of a day."""
    return sa.and_(agreement.c.position_from <= as_of, agreement.c.position_until >= as_of)


def store_positions(
    connection: Connection, organisation_id: str, today: date, *conditions: ColumnElement[bool]
) -> int:
    """Compute and store where the organisation's agreements stand, or those that meet the conditions. Return
    how many have moved. Call it in the transaction that has changed what their dates follow from."""
    owned = owned_by(agreement.c, organisation_id)
    ids = connection.scalars(sa.select(agreement.c.id).where(owned, *conditions).order_by(agreement.c.id))
    return sum(_store(connection, organisation_id, some, today) for some in batched(ids.all(), _AT_ONCE))


def _store(connection: Connection, organisation_id: str, ids: Sequence[str], today: date) -> int:
    # Locked first: the working days are then those that count after every change so far.
    columns = [agreement.c[name] for name in (*DateRow._fields, *_STORED)]
    rows = connection.execute(
        sa.select(*columns).where(agreement.c.id.in_(ids)).order_by(agreement.c.id).with_for_update()
    ).all()
    days = load_working_days(connection, organisation_id)
    moved: list[Mapping[str, Any]] = []
    for row in rows:
        computed = build_position_columns(DateRow(*row[: len(DateRow._fields)]), today, days)
        if tuple(computed.values()) != tuple(row[len(DateRow._fields) :]):
            moved.append({"row_id": row.id, **computed})
    if moved:
        connection.execute(agreement.update().where(agreement.c.id == sa.bindparam("row_id")), moved)
    return len(moved)


def refresh_positions(context: Context) -> None:
    """Store anew where those agreements stand whose day has come, of every organisation."""
    today = context.clock().date()
    outdated = sa.not_(holds_on(today))
    with context.database.reading() as connection:
        organisations = connection.scalars(
            sa.select(agreement.c.organisation_id).where(outdated).distinct()
        ).all()
    for organisation_id in organisations:
        with context.database.writing() as connection:
            store_positions(connection, organisation_id, today, outdated)
