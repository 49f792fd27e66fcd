"""Agreements on which somebody must act soon."""

from datetime import UTC, date, datetime, time, timedelta

from sqlalchemy import Connection

from app.contract.overview import DEADLINE_DAYS, MAX_WAITING_ITEMS, WaitingItem
from app.contract.page import PageRequest
from app.service.agreements.action import describe_action
from app.service.agreements.listing import list_renewals
from app.service.agreements.working_calendar import load_working_days


def load_deadlines(
    connection: Connection, organisation_id: str, now: datetime
) -> tuple[int, list[WaitingItem]]:
    """Return how many agreements must be acted on within `DEADLINE_DAYS`, and the most urgent of them, each
    with what to do and what happens otherwise."""
    today, days = now.date(), load_working_days(connection, organisation_id)
    page = PageRequest(MAX_WAITING_ITEMS)
    found = list_renewals(connection, organisation_id, DEADLINE_DAYS, today, days, page)
    return found.total, [
        WaitingItem(
            name=one.agreement.agreed.name,
            detail=describe_action(one.agreement, one.position, today),
            count=1,
            due_at=None if one.position.act_by is None else _end_of(one.position.act_by),
            agreement_id=one.agreement.id,
        )
        for one in found.agreements
    ]


def _end_of(day: date) -> datetime:
    return datetime.combine(day + timedelta(days=1), time(), UTC)
