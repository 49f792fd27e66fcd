"""The routes of calendar feeds, and the feed itself, which a calendar program reads without an API key."""

import secrets
from collections.abc import Iterator
from datetime import date
from typing import Annotated

import sqlalchemy as sa
from fastapi import APIRouter, Path
from sqlalchemy import Connection
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from app.contract.agreements import CalendarFeed, DeletedCalendarFeed
from app.contract.page import ListPage, PageRequest
from app.contract.values import Id
from app.service.access.capacity import WorkKind
from app.service.access.guard import ACCESS_CONTROL, CallerDep, GuardedRoute
from app.service.access.keys import hash_key
from app.service.access.quotas import lock_organisation
from app.service.agreements.calendar import CalendarDeadline, build_calendar
from app.service.agreements.dates.statement import describe_dates
from app.service.agreements.listing import list_renewals
from app.service.agreements.working_calendar import load_working_days
from app.service.context import Context
from app.service.database.tables.agreements import calendar_feed
from app.service.database.visibility import owned_by
from app.service.http.dependencies import ContextDep
from app.service.http.openapi import EXTENSION
from app.service.http.pagination import PageDep, page_response
from app.service.http.problems import ApiProblem, not_found
from app.service.http.response_descriptions import problem_responses
from app.service.http.responses import NO_STORE, created_response, json_response
from app.service.ids import new_id

PATH = "/v1/renewals.ics"
MAX_FEEDS = 100
MAX_DEADLINES = 20_000
DAYS_AHEAD = 2 * 365

router = APIRouter(prefix="/v1/calendar-feeds", tags=["Agreements"], route_class=GuardedRoute)
reader = APIRouter(include_in_schema=False)

FeedId = Annotated[Id, Path(alias="feedId")]


@router.get(
    "",
    operation_id="calendarFeeds.list",
    summary="List calendar feeds",
    response_model=ListPage[CalendarFeed],
    openapi_extra=EXTENSION,
)
def feeds(context: ContextDep, caller: CallerDep, page: PageDep) -> Response:
    """List the organisation's feeds of deadlines, newest first, without their addresses."""
    owned = owned_by(calendar_feed.c, caller.organisation_id)
    newest_first = calendar_feed.c.created_at.desc(), calendar_feed.c.id.desc()
    with context.database.reading() as connection:
        total = connection.scalar(sa.select(sa.func.count()).select_from(calendar_feed).where(owned)) or 0
        rows = connection.execute(
            sa.select(calendar_feed.c.id, calendar_feed.c.created_at)
            .where(owned)
            .order_by(*newest_first)
            .limit(page.limit)
            .offset(page.offset)
        ).all()
    return page_response([CalendarFeed(id=row.id, created_at=row.created_at) for row in rows], total, page)


@router.post(
    "",
    operation_id="calendarFeeds.create",
    summary="Make a calendar feed",
    status_code=201,
    response_model=CalendarFeed,
    openapi_extra=EXTENSION,
)
def create(context: ContextDep, caller: CallerDep) -> Response:
    """Make the address of a feed that calendar programs subscribe to: an event on each day by which somebody
    must act in the next two years, and reminders before it. Whoever has the address reads the organisation's
    deadlines, until the feed is revoked."""
    token, feed_id, now = secrets.token_urlsafe(32), new_id(), context.clock()
    with context.database.writing() as connection:
        lock_organisation(connection, caller.organisation_id)
        owned = owned_by(calendar_feed.c, caller.organisation_id)
        if (connection.scalar(sa.select(sa.func.count()).where(owned)) or 0) >= MAX_FEEDS:
            raise ApiProblem(409, f"The organisation has {MAX_FEEDS} calendar feeds; revoke one first.")
        connection.execute(
            calendar_feed.insert().values(
                id=feed_id,
                organisation_id=caller.organisation_id,
                token_hash=hash_key(token),
                created_at=now,
            )
        )
    url = f"{context.settings.public_url}{PATH}?token={token}"
    made = CalendarFeed(id=feed_id, url=url, created_at=now)
    return created_response(made, f"/v1/calendar-feeds/{feed_id}", headers=NO_STORE)


@router.delete(
    "/{feedId}",
    operation_id="calendarFeeds.revoke",
    summary="Revoke a calendar feed",
    response_model=DeletedCalendarFeed,
    responses=problem_responses(404),
    openapi_extra=EXTENSION,
)
def revoke(feed_id: FeedId, context: ContextDep, caller: CallerDep) -> Response:
    """Revoke a feed: its address answers 404 from then on."""
    with context.database.writing() as connection:
        gone = connection.execute(
            calendar_feed.delete().where(
                calendar_feed.c.id == feed_id, owned_by(calendar_feed.c, caller.organisation_id)
            )
        )
        if not gone.rowcount:
            raise not_found("calendar feed")
    return json_response(DeletedCalendarFeed(id=feed_id))


@reader.get(PATH)
async def read_feed(request: Request, context: ContextDep, token: str = "") -> Response:
    """Return the calendar whose token this is. 404 for a token that is not known, or was revoked."""
    async with ACCESS_CONTROL.get(request.app).capacity.work(WorkKind.KEY, token[:64]):
        organisation_id = await run_in_threadpool(_find_organisation, context, token)
    async with ACCESS_CONTROL.get(request.app).capacity.work(WorkKind.READ, organisation_id):
        content = await run_in_threadpool(_build_feed, context, organisation_id)
    headers = {
        "Cache-Control": "private, max-age=3600",
        "Content-Disposition": 'inline; filename="renewals.ics"',
    }
    return Response(content, media_type="text/calendar; charset=utf-8", headers=headers)


def _find_organisation(context: Context, token: str) -> str:
    with context.database.reading() as connection:
        found = connection.scalar(
            sa.select(calendar_feed.c.organisation_id).where(calendar_feed.c.token_hash == hash_key(token))
        )
    if found is None:
        raise not_found("calendar feed")
    return found


def _build_feed(context: Context, organisation_id: str) -> bytes:
    today = context.clock().date()
    with context.database.reading() as connection:
        deadlines = list(_load_deadlines(connection, organisation_id, today, context.settings.dashboard_url))
    return build_calendar(deadlines)


def _load_deadlines(
    connection: Connection, organisation_id: str, today: date, dashboard_url: str
) -> Iterator[CalendarDeadline]:
    days = load_working_days(connection, organisation_id)
    found = list_renewals(connection, organisation_id, DAYS_AHEAD, today, days, PageRequest(MAX_DEADLINES))
    for listed in found.agreements:
        one, position = listed.agreement, listed.position
        if position.act_by is not None:
            yield CalendarDeadline(
                agreement_id=one.id,
                name=one.agreed.name,
                supplier_name=one.agreed.supplier_name,
                day=position.act_by,
                statement=describe_dates(one.dates.terms, position, today, days),
                address=f"{dashboard_url}/agreement?id={one.id}",
                changed_at=one.updated_at,
            )
