"""The routes of the calls of agents' tools: whoever calls as an agent records them, admins and owners see
them."""

from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from fastapi import APIRouter
from sqlalchemy import Connection
from starlette.responses import Response

from app.contract.agent_calls import (
    AGENT_CALL_DAYS,
    MAX_AGENT_CALLS,
    AgentCall,
    AgentCallPage,
    AgentToolCount,
    NewAgentCall,
)
from app.contract.audit import Actor
from app.contract.page import PageRequest, Pagination
from app.service.access.audit import name_actor, read_actor
from app.service.access.caller import Caller
from app.service.access.guard import CallerDep, GuardedRoute, records_only
from app.service.database.tables import agent_call
from app.service.database.visibility import owned_by
from app.service.http.dependencies import ContextDep
from app.service.http.operations import extension
from app.service.http.query_parameters import PageDep
from app.service.http.responses import NO_STORE, created_response, json_response
from app.service.ids import new_id

router = APIRouter(prefix="/v1/agents", tags=["People"], route_class=GuardedRoute)


@router.get("/calls", **extension("agentCalls.list", "List the calls of agents' tools", AgentCallPage))
def calls(context: ContextDep, caller: CallerDep, page: PageDep) -> Response:
    """List the calls that agents made of their tools with the organisation's keys, the newest first: which
    tool, by whom, and how it ended. The newest 1,000 of each key or person are kept for 90 days; what a tool
    was called with and what it answered is not. Takes the role admin."""
    with context.database.reading() as connection:
        found = _list_calls(connection, caller.organisation_id, page)
    return json_response(found, headers=NO_STORE)


@router.post(
    "/calls", **extension("agentCalls.record", "Record a call of an agent's tool", AgentCall, status_code=201)
)
@records_only
def record(body: NewAgentCall, context: ContextDep, caller: CallerDep) -> Response:
    """Put a call of a tool that has just ended on record, as one of this key or person. The doors for agents
    do it by themselves, with keys that only read as well. It is taken up to twice the limit of requests, so
    that a call which the limit refused is on record too."""
    with context.database.writing() as connection:
        recorded = _record_call(connection, caller, body, context.clock())
    return created_response(recorded, "/v1/agents/calls")


_COLUMNS = agent_call.c


def _record_call(connection: Connection, caller: Caller, call: NewAgentCall, now: datetime) -> AgentCall:
    """Store a call that has just ended, and return it. The caller's own oldest goes where they have as many
    as are kept, and those of the organisation that are too old: nobody makes room by recording many."""
    actor, call_id = read_actor(caller), new_id()
    connection.execute(
        agent_call.insert().values(
            id=call_id,
            organisation_id=caller.organisation_id,
            at=now,
            actor_kind=actor.kind,
            actor_id=actor.id,
            actor_name=name_actor(actor),
            tool=call.tool,
            outcome=call.outcome,
            status=call.status,
            seconds=float(call.seconds),
        )
    )
    of_organisation = owned_by(_COLUMNS, caller.organisation_id)
    own = sa.and_(of_organisation, _COLUMNS.actor_kind == actor.kind, _COLUMNS.actor_id == actor.id)
    too_many = sa.select(_COLUMNS.id).where(own).order_by(_COLUMNS.id.desc()).offset(MAX_AGENT_CALLS).limit(1)
    connection.execute(agent_call.delete().where(own, _COLUMNS.id <= too_many.scalar_subquery()))
    too_old = _COLUMNS.at < now - timedelta(days=AGENT_CALL_DAYS)
    connection.execute(agent_call.delete().where(of_organisation, too_old))
    return _build_call(connection.execute(sa.select(agent_call).where(_COLUMNS.id == call_id)).one())


def _list_calls(connection: Connection, organisation_id: str, page: PageRequest) -> AgentCallPage:
    """Return a page of an organisation's calls, the newest first, and how many each tool had."""
    own = owned_by(_COLUMNS, organisation_id)
    rows = connection.execute(
        sa.select(agent_call).where(own).order_by(_COLUMNS.id.desc()).limit(page.limit).offset(page.offset)
    )
    calls = sa.func.count().label("calls")
    counted = connection.execute(
        sa.select(
            _COLUMNS.tool,
            calls,
            sa.func.count().filter(_COLUMNS.outcome != "answered").label("failed"),
            sa.func.max(_COLUMNS.at).label("last_at"),
        )
        .where(own)
        .group_by(_COLUMNS.tool)
        .order_by(calls.desc(), _COLUMNS.tool)
    )
    tools = [AgentToolCount.build_from(row) for row in counted]
    total = sum(one.calls for one in tools)
    return AgentCallPage(
        data=[_build_call(row) for row in rows],
        pagination=Pagination(total=total, limit=page.limit, offset=page.offset),
        tools=tools,
    )


def _build_call(row: sa.Row[Any]) -> AgentCall:
    actor = Actor(kind=row.actor_kind, id=row.actor_id or None, name=row.actor_name)
    return AgentCall.build_from(row, actor=actor, seconds=round(row.seconds, 3))
