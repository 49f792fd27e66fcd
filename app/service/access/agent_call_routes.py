"""The routes of the calls of agents' tools: whoever calls as an agent records them, admins and owners see
them."""

from fastapi import APIRouter
from starlette.responses import Response

from app.contract.agent_calls import AgentCall, AgentCallPage, NewAgentCall
from app.service.access.agent_calls import list_calls, record_call
from app.service.access.guard import CallerDep, GuardedRoute, records_only
from app.service.http.dependencies import ContextDep
from app.service.http.operations import extension
from app.service.http.pagination import PageDep
from app.service.http.responses import NO_STORE, created_response, json_response

router = APIRouter(prefix="/v1/agents", tags=["People"], route_class=GuardedRoute)


@router.get("/calls", **extension("agentCalls.list", "List the calls of agents' tools", AgentCallPage))
def calls(context: ContextDep, caller: CallerDep, page: PageDep) -> Response:
    """List the calls that agents made of their tools with the organisation's keys, the newest first: which
    tool, by whom, and how it ended. The newest 1,000 of each key or person are kept for 90 days; what a tool
    was called with and what it answered is not. Takes the role admin."""
    with context.database.reading() as connection:
        found = list_calls(connection, caller.organisation_id, page)
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
        recorded = record_call(connection, caller, body, context.clock())
    return created_response(recorded, "/v1/agents/calls")
