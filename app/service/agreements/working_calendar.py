"""The days on which an organisation works."""

from datetime import date
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.contract.agreements import WorkingDays as DaysOff
from app.contract.agreements import WorkingDaysChange
from app.service.agreements.dates.working_days import WorkingDays
from app.service.database.dialect import upsert
from app.service.database.tables import working_days
from app.service.database.visibility import owned_by

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
USUAL = DaysOff(weekend=["saturday", "sunday"], holidays=[])


def load_days_off(connection: Connection, organisation_id: str) -> DaysOff:
    """Return the days on which an organisation does not work: weekends, unless it says otherwise."""
    stored: Any = connection.scalar(
        sa.select(working_days.c.days_off).where(owned_by(working_days.c, organisation_id))
    )
    return USUAL if stored is None else DaysOff.model_validate(stored)


def load_working_days(connection: Connection, organisation_id: str) -> WorkingDays:
    return read_working_days(load_days_off(connection, organisation_id))


def read_working_days(days_off: DaysOff) -> WorkingDays:
    holidays: frozenset[date] = frozenset(one.date for one in days_off.holidays)
    return WorkingDays(frozenset(WEEKDAYS.index(day) for day in days_off.weekend), holidays)


def change_days_off(before: DaysOff, change: WorkingDaysChange) -> DaysOff:
    """Return the days off after a change; what it does not state stays."""
    return DaysOff(
        weekend=before.weekend if change.weekend is None else change.weekend,
        holidays=before.holidays if change.holidays is None else change.holidays,
    )


def save_days_off(connection: Connection, organisation_id: str, change: WorkingDaysChange) -> None:
    """Store the weekend or the holidays of an organisation, or both; what is not stated stays."""
    days_off = change_days_off(load_days_off(connection, organisation_id), change)
    row = {"organisation_id": organisation_id, "days_off": days_off.wire()}
    upsert(connection, working_days, [row])
