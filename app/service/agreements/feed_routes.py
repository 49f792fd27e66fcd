"""The routes of calendar feeds, and the feed itself, which a calendar program reads without an API key."""

import secrets
import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress
from datetime import date, datetime, timedelta
from typing import Annotated, Any

import sqlalchemy as sa
from fastapi import APIRouter, Path
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from app.contract.agreements import CalendarFeed, DeletedCalendarFeed
from app.contract.page import ListPage, PageRequest
from app.contract.values import Id
from app.service.access.capacity import WorkKind
from app.service.access.guard import ACCESS_CONTROL, CallerDep, GuardedRoute
from app.service.access.keys import hash_key, is_in_use
from app.service.access.quotas import lock_organisation
from app.service.agreements.action import list_sentences
from app.service.agreements.calendar import CalendarDeadline, build_calendar
from app.service.agreements.listing import list_renewals
from app.service.agreements.working_calendar import load_working_days
from app.service.context import Context
from app.service.database.rows import count_rows
from app.service.database.tables import (
    agreement,
    agreement_decision,
    api_key,
    calendar_feed,
    company,
    membership,
    user_account,
)
from app.service.database.visibility import counted, owned_by
from app.service.http.dependencies import ContextDep
from app.service.http.operations import extension
from app.service.http.problems import ApiProblem, not_found, require
from app.service.http.query_parameters import PageDep, page_response
from app.service.http.responses import NO_STORE, created_response, json_response
from app.service.ids import new_id

PATH = "/v1/renewals.ics"
MAX_FEEDS = 100
MAX_DEADLINES = 20_000
DAYS_AHEAD = 2 * 365
USED_WITHIN = timedelta(hours=1)
"""How often it is noted that a feed is read."""
MAX_KEPT_BYTES = 32 << 20
"""Of calendars that a process keeps."""

router = APIRouter(prefix="/v1/calendar-feeds", tags=["Agreements"], route_class=GuardedRoute)
reader = APIRouter(include_in_schema=False)

FeedId = Annotated[Id, Path(alias="feedId")]


@router.get("", **extension("calendarFeeds.list", "List calendar feeds", ListPage[CalendarFeed]))
def feeds(context: ContextDep, caller: CallerDep, page: PageDep) -> Response:
    """List the organisation's feeds of deadlines, newest first, without their addresses."""
    owned = owned_by(calendar_feed.c, caller.organisation_id)
    newest_first = calendar_feed.c.created_at.desc(), calendar_feed.c.id.desc()
    with context.database.reading() as connection:
        now = context.clock()
        total = _count_feeds(connection, caller.organisation_id, now)
        rows = connection.execute(
            _select_feeds(now, calendar_feed.c.id, calendar_feed.c.created_at, calendar_feed.c.used_at)
            .where(owned)
            .order_by(*newest_first)
            .limit(page.limit)
            .offset(page.offset)
        ).all()
    return page_response(
        [
            CalendarFeed(id=row.id, created_at=row.created_at, made_by=row.made_by, used_at=row.used_at)
            for row in rows
        ],
        total,
        page,
    )


@router.post("", **extension("calendarFeeds.create", "Make a calendar feed", CalendarFeed, status_code=201))
def create(context: ContextDep, caller: CallerDep) -> Response:
    """Make the address of a feed that calendar programs subscribe to: an event on each day by which somebody
    must act in the next two years, and reminders before it. Whoever has the address reads the organisation's
    deadlines, until the feed is revoked or who made it has no access any more."""
    token, feed_id, now = secrets.token_urlsafe(32), new_id(), context.clock()
    with context.database.writing() as connection:
        lock_organisation(connection, caller.organisation_id)
        if _count_feeds(connection, caller.organisation_id, now) >= MAX_FEEDS:
            raise ApiProblem(409, f"The organisation has {MAX_FEEDS} calendar feeds; revoke one first.")
        connection.execute(
            calendar_feed.insert().values(
                id=feed_id,
                organisation_id=caller.organisation_id,
                token_hash=hash_key(token),
                created_at=now,
                maker_kind="person" if caller.user_id else "key",
                maker_id=caller.key_id,
            )
        )
    url = f"{context.settings.public_url}{PATH}?token={token}"
    made = CalendarFeed(id=feed_id, url=url, created_at=now)
    return created_response(made, f"/v1/calendar-feeds/{feed_id}", headers=NO_STORE)


@router.delete(
    "/{feedId}", **extension("calendarFeeds.revoke", "Revoke a calendar feed", DeletedCalendarFeed, 404)
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
    """Return the calendar whose token this is. 404 for a token that is not known, or was revoked, or whose
    maker has no access any more; 429 beyond the limit of requests of a key."""
    access = ACCESS_CONTROL.get(request.app)
    async with access.capacity.work(WorkKind.KEY, token[:64]):
        feed_id, organisation_id = await run_in_threadpool(_find_feed, context, token)
    allowance = access.limits.count_request(feed_id, context.clock())
    if allowance is not None and allowance.exceeded:
        wait = {"Retry-After": str(allowance.reset_seconds)}
        raise ApiProblem(429, f"More than {allowance.limit} requests in a minute.", headers=wait)
    async with access.capacity.work(WorkKind.READ, organisation_id):
        tag = await run_in_threadpool(_tag_deadlines, context, organisation_id)
        is_known = tag in (request.headers.get("if-none-match") or "")
        content = b"" if is_known else await run_in_threadpool(_read_kept, context, organisation_id, tag)
    headers = {
        "Cache-Control": "private, max-age=3600",
        "Content-Disposition": 'inline; filename="renewals.ics"',
        "ETag": tag,
    }
    if is_known:
        return Response(status_code=304, headers=headers)
    return Response(content, media_type="text/calendar; charset=utf-8", headers=headers)


def _select_feeds(now: datetime, *columns: sa.ColumnElement[Any]) -> sa.Select[*tuple[Any, ...]]:
    """Return a query of the feeds whose makers still have access, with `made_by`."""
    feed = calendar_feed.c
    is_key = sa.and_(feed.maker_kind == "key", api_key.c.id == feed.maker_id, is_in_use(now))
    is_member = sa.and_(
        feed.maker_kind == "person",
        membership.c.user_id == feed.maker_id,
        membership.c.organisation_id == feed.organisation_id,
    )
    return (
        sa.select(*columns, sa.func.coalesce(api_key.c.name, user_account.c.name).label("made_by"))
        .outerjoin(api_key, is_key)
        .outerjoin(membership, is_member)
        .outerjoin(user_account, user_account.c.id == membership.c.user_id)
        .where(sa.or_(feed.maker_id.is_(None), api_key.c.id.is_not(None), membership.c.user_id.is_not(None)))
    )


def _count_feeds(connection: Connection, organisation_id: str, now: datetime) -> int:
    feeds = (
        _select_feeds(now, calendar_feed.c.id).where(owned_by(calendar_feed.c, organisation_id)).subquery()
    )
    return count_rows(connection, feeds)


def _find_feed(context: Context, token: str) -> tuple[str, str]:
    """Return the id of the feed of a token and its organisation, and note that it is read."""
    feed, now = calendar_feed.c, context.clock()
    with context.database.reading() as connection:
        found = require(
            connection.execute(
                _select_feeds(now, feed.id, feed.organisation_id, feed.used_at).where(
                    feed.token_hash == hash_key(token)
                )
            ).first(),
            "calendar feed",
        )
    if found.used_at is None or now - found.used_at > USED_WITHIN:
        # A full disk or a locked database must not keep anybody from reading.
        with suppress(SQLAlchemyError), context.database.writing() as connection:
            connection.execute(calendar_feed.update().where(feed.id == found.id).values(used_at=now))
    return found.id, found.organisation_id


def _tag_deadlines(context: Context, organisation_id: str) -> str:
    """Return an entity tag of what the calendar is made of: another one where anything of it changes."""
    owned = counted(agreement.c, organisation_id)
    decided = sa.select(sa.func.max(agreement_decision.c.decided_at)).join(
        agreement, agreement.c.id == agreement_decision.c.agreement_id
    )
    with context.database.reading() as connection:
        # The name of a supplier in the catalog changes an agreement, and not when it was changed last.
        renamed = agreement.outerjoin(company, company.c.id == agreement.c.company_id)
        latest = sa.func.max(agreement.c.updated_at), sa.func.max(company.c.last_updated_at)
        changed = sa.select(sa.func.count(), *latest).select_from(renamed).where(owned)
        made_of = (
            organisation_id,
            *connection.execute(changed).one(),
            connection.scalar(decided.where(owned)),
            load_working_days(connection, organisation_id),
            context.clock().date(),
            context.settings.dashboard_url,
        )
    return f'"{hash_key(repr(made_of))[:32]}"'


_kept: OrderedDict[str, bytes] = OrderedDict()
"""Calendars by their tags, those that were read last at the end."""
_lock = threading.Lock()


def _read_kept(context: Context, organisation_id: str, tag: str) -> bytes:
    """Return the calendar of a tag, which is made once."""
    with _lock:
        if tag in _kept:
            _kept.move_to_end(tag)
            return _kept[tag]
    today = context.clock().date()
    with context.database.reading() as connection:
        deadlines = list(_load_deadlines(connection, organisation_id, today, context.settings.dashboard_url))
    content = build_calendar(deadlines)
    with _lock:
        _kept[tag] = content
        while sum(map(len, _kept.values())) > MAX_KEPT_BYTES:
            _kept.popitem(last=False)
    return content


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
                statement="\n".join(list_sentences(one, position, today, days)),
                address=f"{dashboard_url}/agreement?id={one.id}",
                changed_at=one.updated_at,
                is_known=position.last_day is not None,
            )
