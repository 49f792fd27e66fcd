"""The calls of agents' tools: `/v1/agents/calls`, an extension; see `openapi.offered_operations`."""

from ...contract.agent_calls import AgentCall, AgentCallPage, NewAgentCall
from ..reply import read_as
from ..request import Call, list_query
from .resource import DispatcherT, Resource, operation

_call = read_as(AgentCall)
_page = read_as(AgentCallPage)


class AgentCalls(Resource[DispatcherT]):
    """Which tools agents called with the organisation's keys, and how it ended."""

    @operation
    def list(self, *, limit: int | None = None, offset: int | None = None) -> Call[AgentCallPage]:
        """A page of the calls that are kept, the newest first, and how many each tool had. Takes the role
        admin."""
        return Call("GET", "/v1/agents/calls", (), _page, query=list_query({}, limit, offset))

    @operation
    def record(self, call: NewAgentCall) -> Call[AgentCall]:
        """Put a call that has ended on record, as one of this key or person."""
        return Call("POST", "/v1/agents/calls", (), _call, json=call.wire())
