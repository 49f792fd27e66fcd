"""The calls of agents' tools in the database: the newest of each key and person."""

from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

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
from app.service.database.tables.people import agent_call
from app.service.database.visibility import owned_by
from app.service.ids import new_id

COLUMNS = agent_call.c


def record_call(connection: Connection, caller: Caller, call: NewAgentCall, now: datetime) -> AgentCall:
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
    of_organisation = owned_by(COLUMNS, caller.organisation_id)
    own = sa.and_(of_organisation, COLUMNS.actor_kind == actor.kind, COLUMNS.actor_id == actor.id)
    too_many = sa.select(COLUMNS.id).where(own).order_by(COLUMNS.id.desc()).offset(MAX_AGENT_CALLS).limit(1)
    connection.execute(agent_call.delete().where(own, COLUMNS.id <= too_many.scalar_subquery()))
    too_old = COLUMNS.at < now - timedelta(days=AGENT_CALL_DAYS)
    connection.execute(agent_call.delete().where(of_organisation, too_old))
    return _build_call(connection.execute(sa.select(agent_call).where(COLUMNS.id == call_id)).one())


def list_calls(connection: Connection, organisation_id: str, page: PageRequest) -> AgentCallPage:
    """Return a page of an organisation's calls, the newest first, and how many each tool had."""
    own = owned_by(COLUMNS, organisation_id)
    rows = connection.execute(
        sa.select(agent_call).where(own).order_by(COLUMNS.id.desc()).limit(page.limit).offset(page.offset)
    )
    calls = sa.func.count().label("calls")
    counted = connection.execute(
        sa.select(
            COLUMNS.tool,
            calls,
            sa.func.count().filter(COLUMNS.outcome != "answered").label("failed"),
            sa.func.max(COLUMNS.at).label("last_at"),
        )
        .where(own)
        .group_by(COLUMNS.tool)
        .order_by(calls.desc(), COLUMNS.tool)
    )
    tools = [
        AgentToolCount(tool=row.tool, calls=row.calls, failed=row.failed, last_at=row.last_at)
        for row in counted
    ]
    total = sum(one.calls for one in tools)
    return AgentCallPage(
        data=[_build_call(row) for row in rows],
        pagination=Pagination(total=total, limit=page.limit, offset=page.offset),
        tools=tools,
    )


def _build_call(row: sa.Row[Any]) -> AgentCall:
    return AgentCall.model_validate(
        {
            "id": row.id,
            "at": row.at,
            "actor": Actor(kind=row.actor_kind, id=row.actor_id or None, name=row.actor_name),
            "tool": row.tool,
            "outcome": row.outcome,
            "status": row.status,
            "seconds": round(row.seconds, 3),
        }
    )
