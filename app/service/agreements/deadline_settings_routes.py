"""The routes of what an organisation sets for its deadlines: on which days it works, which deadlines other
days would move, and who gets mail."""

from datetime import date

import sqlalchemy as sa
from fastapi import APIRouter
from sqlalchemy import Connection
from starlette.responses import Response

from app.contract.agreements import (
    MAX_MOVED,
    DeadlineMail,
    DeadlineMailChange,
    MovedDeadline,
    MovedDeadlines,
    WorkingDays,
    WorkingDaysChange,
)
from app.service.access.guard import CallerDep, GuardedRoute, read_only
from app.service.access.quotas import lock_organisation
from app.service.agreements.alerts import save_wish, wants_mail
from app.service.agreements.stored_agreement import DateRow
from app.service.agreements.stored_positions import store_positions
from app.service.agreements.working_calendar import (
    change_days_off,
    load_days_off,
    read_working_days,
    save_days_off,
)
from app.service.context import Context
from app.service.database.tables import agreement
from app.service.database.visibility import counted
from app.service.http.dependencies import ContextDep
from app.service.http.operations import extension
from app.service.http.responses import json_response

router = APIRouter(prefix="/v1", tags=["Agreements"], route_class=GuardedRoute)


@router.get(
    "/working-days", **extension("workingDays.read", "Read on which days the organisation works", WorkingDays)
)
def read_days(context: ContextDep, caller: CallerDep) -> Response:
    """Return the weekend and the holidays of the organisation; Saturday and Sunday until it states others."""
    with context.database.reading() as connection:
        return json_response(load_days_off(connection, caller.organisation_id))


@router.patch(
    "/working-days",
    **extension("workingDays.update", "State on which days the organisation works", WorkingDays),
)
def update_days(body: WorkingDaysChange, context: ContextDep, caller: CallerDep) -> Response:
    """State the weekend or all holidays of the organisation, or both. Deadlines on them move back from then
    on."""
    with context.database.writing() as connection:
        lock_organisation(connection, caller.organisation_id)
        save_days_off(connection, caller.organisation_id, body)
        store_positions(connection, caller.organisation_id, context.clock().date())
        return json_response(load_days_off(connection, caller.organisation_id))


@router.post(
    "/working-days/preview",
    **extension("workingDays.preview", "Find which deadlines other working days would move", MovedDeadlines),
)
@read_only
def preview_days(body: WorkingDaysChange, context: ContextDep, caller: CallerDep) -> Response:
    """Return the deadlines that would move if the organisation stated these working days, the nearest first.
    Nothing is changed."""
    with context.database.reading() as connection:
        moved = find_moved_deadlines(connection, caller.organisation_id, body, context.clock().date())
    return json_response(moved)


@router.get(
    "/deadline-mail",
    **extension("deadlineMail.read", "Read whether owners get mail about deadlines", DeadlineMail),
)
def read_mail(context: ContextDep, caller: CallerDep) -> Response:
    """Return whether the owners of agreements get mail before their deadlines. They do until the organisation
    switches it off, where the deployment has a mail server."""
    return json_response(_read_mail(context, caller.organisation_id))


@router.patch(
    "/deadline-mail",
    **extension("deadlineMail.update", "Switch the mail about deadlines on or off", DeadlineMail),
)
def update_mail(body: DeadlineMailChange, context: ContextDep, caller: CallerDep) -> Response:
    """Switch the mail to the owners of the organisation's agreements on or off. Switched off, letters that
    wait to be sent are dropped. Webhooks and calendar feeds are not changed."""
    with context.database.writing() as connection:
        if body.enabled is not None:
            save_wish(connection, caller.organisation_id, enabled=body.enabled)
    return json_response(_read_mail(context, caller.organisation_id))


def _read_mail(context: Context, organisation_id: str) -> DeadlineMail:
    with context.database.reading() as connection:
        enabled = wants_mail(connection, organisation_id)
    return DeadlineMail(enabled=enabled, available=context.settings.smtp_url is not None)


def find_moved_deadlines(
    connection: Connection, organisation_id: str, change: WorkingDaysChange, today: date
) -> MovedDeadlines:
    """Return the deadlines of today that would move, the nearest first. Those that have passed do not count:
    nobody can act on them."""
    before = load_days_off(connection, organisation_id)
    now, then = read_working_days(before), read_working_days(change_days_off(before, change))
    columns = [agreement.c[name] for name in DateRow._fields]
    rows = connection.execute(
        sa.select(*columns, agreement.c.name).where(counted(agreement.c, organisation_id))
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
