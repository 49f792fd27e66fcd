"""The server of the protocol: what is listed and called, for whoever calls."""

import logging
from collections.abc import Awaitable, Callable
from typing import Any

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

from app.agents.call_record import RecordedCall
from app.agents.failures import describe_arguments, describe_failure
from app.agents.prompts import get_prompt, prompts_for
from app.agents.resources import read_resource, templates_for
from app.agents.results import SUPPLIER_TEXT
from app.agents.tool import AgentCaller, Refusal
from app.agents.tools import tools_for
from app.client import ApiError, BadRequest, NotFound
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
    name: str, run: Callable[[], Awaitable[CallToolResult]], call: RecordedCall
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
