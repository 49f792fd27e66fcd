"""Calls of tools, put on record by the service that the tools call: an admin sees there what agents did. What
a tool was called with and what it answered is not in the record."""

import logging
import time
from types import TracebackType
from typing import Self

import anyio

from app.agents.failures import describe_cause
from app.agents.tool import AgentCaller
from app.agents.tools import TOOLS
from app.client import ApiError
from app.contract.agent_calls import MAX_AGENT_CALL_SECONDS, OTHER_TOOL, AgentCallOutcome, NewAgentCall

OPERATION = "POST /v1/agents/calls"
RECORD_SECONDS = 5.0
"""How long an answer waits for its call to be recorded."""
NAMES = frozenset(tool.name for tool in TOOLS)

logger = logging.getLogger("parley.agents")


class RecordedCall:
    """A call of a tool, which is put on record when its block ends, with the outcome that it has then. One
    that the agent gives up is recorded too."""

    def __init__(self, caller: AgentCaller, name: str) -> None:
        self.outcome: AgentCallOutcome = "cancelled"
        self.status: int | None = None
        self._caller = caller
        self._tool = name if name in NAMES else OTHER_TOOL
        self._began = time.monotonic()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if OPERATION not in self._caller.deployment.offered:
            return
        seconds = min(time.monotonic() - self._began, MAX_AGENT_CALL_SECONDS)
        call = NewAgentCall.model_validate(
            {"tool": self._tool, "outcome": self.outcome, "status": self.status, "seconds": round(seconds, 3)}
        )
        cause = f"no response within {RECORD_SECONDS:.0f} seconds"
        with anyio.move_on_after(RECORD_SECONDS, shield=True):
            try:
                await self._caller.client.agent_calls.record(call)
            except ApiError as refusal:
                cause = describe_cause(refusal)
            else:
                return
        logger.warning("A call of the tool %s is not on record: %s", self._tool, cause)
