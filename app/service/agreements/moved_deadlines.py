"""Which deadlines other working days would move."""

from datetime import date

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.agreements import MAX_MOVED, MovedDeadline, MovedDeadlines, WorkingDaysChange
from app.service.agreements.stored_agreement import DateRow
from app.service.agreements.working_calendar import change_days_off, load_days_off, read_working_days
from app.service.database.tables.agreements import agreement
from app.service.database.visibility import owned_by


def find_moved_deadlines(
    connection: Connection, organisation_id: str, change: WorkingDaysChange, today: date
) -> MovedDeadlines:
    """Return the deadlines of today that would move, the nearest first. Those that have passed do not count:
    nobody can act on them."""
    before = load_days_off(connection, organisation_id)
    now, then = read_working_days(before), read_working_days(change_days_off(before, change))
    columns = [agreement.c[name] for name in DateRow._fields]
    rows = connection.execute(
        sa.select(*columns, agreement.c.name).where(owned_by(agreement.c, organisation_id))
    )
    moved: list[MovedDeadline] = []
    for *values, name in rows:
        row = DateRow(*values)
        current, other = (row.find_position(today, days).deadline for days in (now, then))
        if current is not None and other is not None and current != other and max(current, other) >= today:
            one = MovedDeadline(
                agreement_id=row.id, name=name, current_deadline=current, moved_deadline=other
            )
            moved.append(one)
    moved.sort(key=lambda one: (one.moved_deadline, one.agreement_id))
    return MovedDeadlines(total=len(moved), data=moved[:MAX_MOVED])
