"""The server of the protocol: what is listed and called, for whoever calls."""

import logging
from collections.abc import Awaitable, Callable
from typing import Any

from mcp.server import Server
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
)
from pydantic import ValidationError

from app.agents.failures import describe_arguments, describe_failure
from app.agents.results import SUPPLIER_TEXT
from app.agents.tool import AgentCaller, Refusal
from app.agents.tools import tools_for
from app.client import ApiError
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
        return ListToolsResult(tools=[tool.listed() for tool in tools_for(find_caller(context)).values()])

    async def call_tool(context: RequestContext, asked: CallToolRequestParams) -> CallToolResult:
        caller = find_caller(context)
        tool = tools_for(caller).get(asked.name)
        if tool is None:
            raise MCPError(
                INVALID_PARAMS, "There is no such tool for this key. List the tools to see which there are."
            )

        async def run() -> CallToolResult:
            return (await tool.call(caller, asked.arguments or {})).result()

        return await _say_failures(asked.name, run)

    return Server(
        "parley",
        title="Parley",
        version=VERSION,
        instructions=INSTRUCTIONS,
        # What is listed depends on the key and changes with the version.
        cache_hints={"tools/list": CacheHint(LIST_SECONDS * 1000, "private")},
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


async def _say_failures(name: str, run: Callable[[], Awaitable[CallToolResult]]) -> CallToolResult:
    """The result of a tool, or its failure as a model reads it: nothing of a bug is shown."""
    try:
        return await run()
    except ValidationError as error:
        text = describe_arguments(error)
    except Refusal as refusal:
        text = str(refusal)
    except ApiError as error:
        text = describe_failure(error)
    except Exception:
        logger.exception("The tool %s failed", name)
        text = (
            "This failed by a fault of Parley. Try once more; then tell whoever runs it the time of the call."
        )
    return CallToolResult(content=[TextContent(text=text)], is_error=True)
