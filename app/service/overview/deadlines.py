"""Agreements on which somebody must act soon."""

from datetime import UTC, date, datetime, time, timedelta

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.agreements import PAST_STATUSES
from app.contract.overview import DEADLINE_DAYS, MAX_WAITING_ITEMS, WaitingItem
from app.service.agreements.stored_agreement import DateRow
from app.service.agreements.stored_positions import holds_on
from app.service.agreements.working_calendar import load_working_days
from app.service.database.sample_rule import counted
from app.service.database.tables.agreements import agreement
from app.service.database.visibility import owned_by

_DECIDED = ("will_renew", "replaced")


def load_deadlines(
    connection: Connection, organisation_id: str, now: datetime
) -> tuple[int, list[WaitingItem]]:
    """Return the agreements to act on within `DEADLINE_DAYS`, those whose deadline was missed first, without
    those of which somebody decided that they go on."""
    today = now.date()
    last = today + timedelta(days=DEADLINE_DAYS)
    columns = [agreement.c[name] for name in DateRow._fields]
    near = sa.and_(agreement.c.past.is_(sa.false()), agreement.c.order_day <= last)
    rows = connection.execute(
        sa.select(*columns, agreement.c.name, agreement.c.supplier_name).where(
            owned_by(agreement.c, organisation_id),
            counted(agreement.c, organisation_id),
            near | ~sa.func.coalesce(holds_on(today), sa.false()),
        )
    )
    days = load_working_days(connection, organisation_id)
    due: list[tuple[date, str, WaitingItem]] = []
    for stored in rows:
        row = DateRow(*stored[: len(DateRow._fields)])
        position = row.find_position(today, days)
        if position.act_by is None or position.act_by > last or position.status in PAST_STATUSES:
            continue
        if row.find_stage(position) in _DECIDED:
            continue
        ends_at = datetime.combine(position.act_by + timedelta(days=1), time(), UTC)
        item = WaitingItem(
            name=stored.name, detail=stored.supplier_name, count=1, due_at=ends_at, agreement_id=row.id
        )
        due.append((position.act_by, row.id, item))
    due.sort(key=lambda one: one[:2])
    return len(due), [item for _, _, item in due[:MAX_WAITING_ITEMS]]
