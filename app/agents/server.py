"""The server of the protocol: what is listed and called, for whoever calls."""

import logging
import time
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Any, Self

import anyio
from mcp.server import Server
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    TextContent,
)
from pydantic import ValidationError

from app.agents.failures import describe_arguments, describe_cause, describe_failure
from app.agents.prompts import get_prompt, prompts_for
from app.agents.resources import read_resource, templates_for
from app.agents.tool import SUPPLIER_TEXT, AgentCaller, Refusal
from app.agents.tools import TOOLS, tools_for
from app.client import ApiError, BadRequest, NotFound
from app.contract.agent_calls import MAX_AGENT_CALL_SECONDS, OTHER_TOOL, AgentCallOutcome, NewAgentCall
from app.contract.version import VERSION

INSTRUCTIONS = (
    "Parley knows what purchases cost. Every figure comes with what it rests on: repeat that, and say so"
    f" where there is none. {SUPPLIER_TEXT} These tools decide and send nothing: people do, in the dashboard."
    " Amounts are totals before tax for the whole term unless a field says otherwise."
)
LIST_SECONDS = 300

logger = logging.getLogger("parley.agents")

RequestContext = ServerRequestContext[Any, Any]
FindCaller = Callable[[RequestContext], AgentCaller]


def build_server(find_caller: FindCaller) -> Server[Any]:
    """The server of all callers: `find_caller` says whose a request is."""

    async def list_tools(context: RequestContext, _: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=[tool.listed for tool in tools_for(find_caller(context)).values()])

    async def call_tool(context: RequestContext, asked: CallToolRequestParams) -> CallToolResult:
        caller = find_caller(context)
        tool = tools_for(caller).get(asked.name)
        async with RecordedCall(caller, asked.name) as call:
            if tool is None:
                call.outcome = "not_offered"
                raise MCPError(
                    INVALID_PARAMS,
                    "There is no such tool for this key. List the tools to see which there are.",
                )

            async def run() -> CallToolResult:
                return (await tool.call(caller, asked.arguments or {})).result()

            return await _say_failures(asked.name, run, call)

    async def list_resources(_: RequestContext, __: PaginatedRequestParams | None) -> ListResourcesResult:
        # Records are found with the tools, whose answers link to them: there are too many to list.
        return ListResourcesResult(resources=[])

    async def list_templates(
        context: RequestContext, _: PaginatedRequestParams | None
    ) -> ListResourceTemplatesResult:
        return ListResourceTemplatesResult(resource_templates=templates_for(find_caller(context)))

    async def read(context: RequestContext, asked: ReadResourceRequestParams) -> ReadResourceResult:
        return await _refuse_failures(read_resource(find_caller(context), str(asked.uri)))

    async def list_prompts(context: RequestContext, _: PaginatedRequestParams | None) -> ListPromptsResult:
        return ListPromptsResult(prompts=prompts_for(find_caller(context)))

    async def prompt(context: RequestContext, asked: GetPromptRequestParams) -> GetPromptResult:
        try:
            return get_prompt(find_caller(context), asked.name, asked.arguments or {})
        except Refusal as refusal:
            raise MCPError(INVALID_PARAMS, str(refusal)) from None

    # What is listed depends on the key and changes with the version; what is read changes at any time.
    lists = CacheHint(LIST_SECONDS * 1000, "private")
    return Server(
        "parley",
        title="Parley",
        version=VERSION,
        instructions=INSTRUCTIONS,
        cache_hints={
            "server/discover": lists,
            "tools/list": lists,
            "resources/list": lists,
            "resources/templates/list": lists,
            "prompts/list": lists,
            "resources/read": CacheHint(0, "private"),
        },
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read,
        on_list_prompts=list_prompts,
        on_get_prompt=prompt,
    )


async def _refuse_failures(reading: Awaitable[ReadResourceResult]) -> ReadResourceResult:
    """What is read, or its failure as an error of the protocol."""
    try:
        return await reading
    except Refusal as refusal:
        raise MCPError(INVALID_PARAMS, str(refusal)) from None
    except ApiError as error:
        code = INVALID_PARAMS if isinstance(error, NotFound | BadRequest) else INTERNAL_ERROR
        raise MCPError(code, describe_failure(error)) from None


async def _say_failures(
    name: str, run: Callable[[], Awaitable[CallToolResult]], call: "RecordedCall"
) -> CallToolResult:
    """The result of a tool, or its failure as a model reads it: nothing of a bug is shown. `call` learns how
    it ended."""
    try:
        result = await run()
        call.outcome = "answered"
        return result
    except ValidationError as error:
        call.outcome = "invalid_arguments"
        text = describe_arguments(error)
    except Refusal as refusal:
        call.outcome = "refused"
        text = str(refusal)
    except ApiError as error:
        call.outcome = "service_error"
        call.status = error.status
        text = describe_failure(error)
    except Exception:
        call.outcome = "fault"
        logger.exception("The tool %s failed", name)
        text = (
            "This failed by a fault of Parley. Try once more; then tell whoever runs it the time of the call."
        )
    return CallToolResult(content=[TextContent(text=text)], is_error=True)


OPERATION = "POST /v1/agents/calls"
RECORD_SECONDS = 5.0
"""How long an answer waits for its call to be recorded."""
NAMES = frozenset(tool.name for tool in TOOLS)


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
