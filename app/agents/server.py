"""The server of the protocol: what is listed and called, for whoever calls."""

import json
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self, cast

import anyio
from mcp.server import Server
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.stdio import stdio_server
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
    ResourceTemplate,
    TextContent,
    TextResourceContents,
)
from pydantic import ValidationError

from app.agents.failures import describe_arguments, describe_cause, describe_failure
from app.agents.lookup import is_id
from app.agents.prompts import get_prompt, prompts_for
from app.agents.tool import SUPPLIER_TEXT, AgentCaller, Deployment, Refusal, clean
from app.agents.tools import TOOLS, tools_for
from app.client import ApiError, AsyncApiClient, BadRequest, NotFound
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
        return ListResourceTemplatesResult(resource_templates=_templates_for(find_caller(context)))

    async def read(context: RequestContext, asked: ReadResourceRequestParams) -> ReadResourceResult:
        return await _refuse_failures(_read_resource(find_caller(context), str(asked.uri)))

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


_SCHEME = "parley://"
_MIME_TYPE = "application/json"
_MAX_CHARACTERS = 200_000

_Record = Mapping[str, Any]


@dataclass(frozen=True)
class _ResourceKind:
    """One kind of record. `operations` are those of the interface that it is read with."""

    name: str
    description: str
    read: Callable[[AgentCaller, str], Awaitable[_Record]]
    operations: frozenset[str]

    def is_for(self, caller: AgentCaller) -> bool:
        return self.operations <= caller.deployment.offered

    def template(self) -> ResourceTemplate:
        return ResourceTemplate(
            name=self.name,
            title=self.name.capitalize(),
            uri_template=f"{_SCHEME}{self.name}/{{id}}",
            description=self.description,
            mime_type=_MIME_TYPE,
        )


async def _read_product(caller: AgentCaller, record_id: str) -> _Record:
    return {"product": (await caller.client.catalog.product(record_id)).wire()}


async def _read_scope(caller: AgentCaller, record_id: str) -> _Record:
    scope = await caller.client.scopes.get(record_id)
    if scope.document_processing is None or scope.document_processing.status != "completed":
        return {"scope": scope.wire()}
    return {"scope": scope.wire(), "document": (await caller.client.scopes.document(record_id)).wire()}


async def _read_estimate(caller: AgentCaller, record_id: str) -> _Record:
    estimate = await caller.client.pricing.advanced(record_id)
    explanation = await caller.client.pricing.explanation(record_id)
    return {"estimate": estimate.wire(), "explanation": explanation.wire()}


async def _read_agreement(caller: AgentCaller, record_id: str) -> _Record:
    return {"agreement": (await caller.client.agreements.get(record_id)).wire()}


async def _read_requirement(caller: AgentCaller, record_id: str) -> _Record:
    return {"table": (await caller.client.requirements.matrix(record_id)).wire()}


_KINDS: Sequence[_ResourceKind] = (
    _ResourceKind(
        "product",
        "A product with its pricing dimensions, options and features.",
        _read_product,
        frozenset({"GET /v1/catalog/products/{}"}),
    ),
    _ResourceKind(
        "scope",
        "A scope, and all that was read from its document with pages.",
        _read_scope,
        frozenset({"GET /v1/scope/{}", "GET /v1/scope/{}/document"}),
    ),
    _ResourceKind(
        "estimate",
        "The price estimate of a scope, by the scope's id, with the purchases behind it.",
        _read_estimate,
        frozenset({"GET /v1/pricing/advanced/{}", "GET /v1/pricing/explanation/{}"}),
    ),
    _ResourceKind(
        "agreement",
        "An agreement with its dates, lines, evidence and decisions.",
        _read_agreement,
        frozenset({"GET /v1/agreements/{}"}),
    ),
    _ResourceKind(
        "requirement",
        "A requirement with the whole table of its quotes.",
        _read_requirement,
        frozenset({"GET /v1/requirements/{}/matrix"}),
    ),
)


def _templates_for(caller: AgentCaller) -> list[ResourceTemplate]:
    """The kinds of records that the caller's deployment has."""
    return [kind.template() for kind in _KINDS if kind.is_for(caller)]


async def _read_resource(caller: AgentCaller, uri: str) -> ReadResourceResult:
    """Read a record. Raises Refusal for an address of another form, and ApiError."""
    name, _, record_id = uri.removeprefix(_SCHEME).partition("/")
    kind = next((one for one in _KINDS if one.name == name and one.is_for(caller)), None)
    if kind is None or not uri.startswith(_SCHEME) or not is_id(record_id):
        known = ", ".join(f"{_SCHEME}{one.name}/{{id}}" for one in _KINDS if one.is_for(caller))
        raise Refusal(f"There is no such resource. The addresses are: {known}.")
    record = _cleaned({"note": _SUPPLIER_TEXT_IN_RECORD, **await kind.read(caller, record_id.lower())})
    text = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    if len(text) > _MAX_CHARACTERS:
        raise Refusal("This record is too large to read whole. Ask the tools about it, or a person.")
    return ReadResourceResult(contents=[TextResourceContents(uri=uri, mime_type=_MIME_TYPE, text=text)])


_SUPPLIER_TEXT_IN_RECORD = (
    f"{SUPPLIER_TEXT} In this record the same holds for names, descriptions, texts and all that was read."
)


def _cleaned(value: object) -> object:
    match value:
        case str():
            return clean(value)
        case dict():
            return {name: _cleaned(one) for name, one in cast(dict[str, object], value).items()}
        case list():
            return [_cleaned(one) for one in cast(list[object], value)]
        case _:
            return value


async def serve_stdio(client: AsyncApiClient, folder: Path | None) -> None:
    """Serve until standard input ends. Raises ApiError where the deployment refuses the key or is away."""
    async with client:
        access = await client.access.read()
        deployment = Deployment.read(await client.openapi())
        caller = AgentCaller(client, access, deployment, folder=folder)
        server = build_server(lambda _: caller)
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())
