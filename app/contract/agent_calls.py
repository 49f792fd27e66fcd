"""The calls of agents' tools, as the door for agents records them: an extension, see `/v1/openapi`."""

from typing import Annotated, Literal

from pydantic import Field, WithJsonSchema

from .audit import Actor
from .model import Reply, Request
from .page import ListPage
from .values import WHOLE, Id, Number, ReplyInstant, open_words

MAX_AGENT_CALLS = 1_000
"""How many calls of one key or person are kept, the newest."""
AGENT_CALL_DAYS = 90
"""How long a call is kept."""
MAX_AGENT_CALL_SECONDS = 86_400
OTHER_TOOL = "other"
"""What a tool that there is not is called in the record: its name is another's words."""

AgentCallOutcome = Literal[
    "answered", "refused", "invalid_arguments", "not_offered", "service_error", "fault", "cancelled"
]
"""How a call ended: with an answer; refused by the tool, which says what to do next; with arguments that are
not valid; for a tool that the key does not have; with a refusal or failure of the service; by a fault of
Parley; or given up by the agent."""


class NewAgentCall(Request):
    """The body of `POST /v1/agents/calls`. `status` is that of the service's response, for `service_error`
    where there was a response."""

    tool: Annotated[str, Field(max_length=60, pattern=r"^[a-z][a-z0-9_]*$")] = Field(
        description="The tool by its name, or `other` for a name that no tool has."
    )
    outcome: AgentCallOutcome = Field(description="How it ended.")
    status: Annotated[int, Field(ge=400, le=599), WHOLE] | None = Field(
        default=None, description="The status with which the service refused or failed, for `service_error`."
    )
    seconds: Annotated[
        Number,
        Field(ge=0, le=MAX_AGENT_CALL_SECONDS),
        WithJsonSchema({"type": "number", "minimum": 0, "maximum": MAX_AGENT_CALL_SECONDS}),
    ] = Field(description="How long it took.")


class AgentCall(Reply):
    """A call of a tool, with what it was called with and what was answered left out."""

    id: Id
    at: ReplyInstant = Field(description="When it ended.")
    actor: Actor
    tool: str = Field(description="The tool by its name, or `other` for a name that no tool has.")
    outcome: Annotated[str, open_words(AgentCallOutcome)] = Field(
        description="How it ended: everything but `answered` is a failure."
    )
    status: int | None = Field(
        default=None, description="The status with which the service refused or failed; absent elsewhere."
    )
    seconds: Number = Field(description="How long it took.")


class AgentToolCount(Reply):
    """The calls of one tool among those that are kept. Those count as failed that were not answered."""

    tool: str = Field(description="The tool by its name, or `other` for names that no tool has.")
    calls: int = Field(description="How often it was called.")
    failed: int = Field(description="How many of these calls were not answered.")
    last_at: ReplyInstant = Field(description="When the newest of these calls ended.")


class AgentCallPage(ListPage[AgentCall]):
    """A page of the calls that are kept, the newest first. `tools` counts all of them by their tools, the one
    that is called most first."""

    tools: list[AgentToolCount] = Field(
        description="How often each tool was called, of all calls that are kept."
    )
