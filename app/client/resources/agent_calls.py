"""The calls of agents' tools: `/v1/agents/calls`, an extension; see `openapi.offered_operations`."""

from ...contract.agent_calls import AgentCall, AgentCallPage, NewAgentCall
from ..request import Call, list_query
from .resource import DispatcherT, Resource, get, operation, post


class AgentCalls(Resource[DispatcherT]):
    """Which tools agents called with the organisation's keys, and how it ended."""

    @operation
    def list(self, *, limit: int | None = None, offset: int | None = None) -> Call[AgentCallPage]:
        """A page of the calls that are kept, the newest first, and how many each tool had. Takes the role
        admin."""
        return get("/v1/agents/calls", AgentCallPage, query=list_query({}, limit, offset))

    @operation
    def record(self, call: NewAgentCall) -> Call[AgentCall]:
        """Put a call that has ended on record, as one of this key or person."""
        return post("/v1/agents/calls", AgentCall, body=call)
