"""The protocol's side of the door: loaded with the first call of an agent."""

import logging
from collections.abc import Sequence
from typing import Any

import httpx
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Send

from app.agents.door import MAX_BODY, Admission
from app.agents.server import RequestContext, build_server
from app.agents.tool import AgentCaller, Deployment
from app.client import ApiError, AsyncApiClient, Retries, Unauthorized
from app.contract.access import END_USER_NAMES

ADDRESS = "http://parley"
PASSED_ON = ("authorization", "x-api-key", *END_USER_NAMES, "x-forwarded-for")
"""The headers that say who calls, and from where."""


class InProcess(httpx.AsyncBaseTransport):
    """Carries requests to an application, with the headers and the address of the caller's own request."""

    def __init__(
        self, app: ASGIApp, headers: Sequence[tuple[str, str]], address: tuple[str, int] | None
    ) -> None:
        self._headers = headers
        self._inner = httpx.ASGITransport(app, raise_app_exceptions=False, client=address or ("", 0))

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        for name, value in self._headers:
            request.headers[name] = value
        return await self._inner.handle_async_request(request)


def open_client(request: Request) -> AsyncApiClient:
    """A client that calls the service of this request as its caller, under the same request id. It tries
    once: whether to try again is the agent's to say."""
    headers = [(name, value) for name in PASSED_ON if (value := request.headers.get(name))]
    headers.append(("x-request-id", request.scope["request_id"]))
    transport = InProcess(request.scope["app"], headers, request.client)
    return AsyncApiClient(ADDRESS, transport=transport, retries=Retries(tries=1))


FORWARDED = ("content-type", "retry-after", "ratelimit-limit", "ratelimit-remaining", "ratelimit-reset")
"""The headers of a refusal that are its caller's."""

# Each call has a manager of sessions of its own, whose beginning and end say nothing.
logging.getLogger("mcp").setLevel(logging.WARNING)


class Protocol:
    """Answers calls of agents, one by one."""

    def __init__(self, admission: Admission, dashboard_url: str, challenge: str) -> None:
        self._admission = admission
        self._dashboard_url = dashboard_url
        self._challenge = challenge
        self._deployment: Deployment | None = None
        self._server = build_server(_caller_of)

    async def answer(self, request: Request, send: Send) -> None:
        """Answer one call, once the service has said whose key it is made with."""
        async with open_client(request) as client:
            try:
                request.state.agent_caller = await self._admit(client)
            except ApiError as refusal:
                response = self._forward(refusal)
                await response(request.scope, request.receive, send)
                return
            await self._serve(request, send)

    async def _admit(self, client: AsyncApiClient) -> AgentCaller:
        access = await client.access.read()
        if self._deployment is None:
            self._deployment = Deployment.read(await client.openapi())
        return AgentCaller(client, access, self._deployment, self._dashboard_url)

    async def _serve(self, request: Request, send: Send) -> None:
        security = TransportSecuritySettings(
            allowed_hosts=[*self._admission.hosts],
            allowed_origins=self._admission.allowed_origins(request.headers.get("origin")),
        )
        manager = StreamableHTTPSessionManager(
            self._server,
            json_response=True,
            stateless=True,
            security_settings=security,
            max_request_body_size=MAX_BODY,
        )
        async with manager.run():
            await manager.handle_request(request.scope, request.receive, send)

    def _forward(self, refusal: ApiError) -> Response:
        answer = refusal.response
        if answer is None:
            return Response(status_code=503)
        headers = {name: value for name in FORWARDED if (value := answer.headers.get(name))}
        if isinstance(refusal, Unauthorized):
            headers["www-authenticate"] = self._challenge
        return Response(answer.body, answer.status, headers)


def _caller_of(context: RequestContext) -> AgentCaller:
    request: Any = context.request
    caller: AgentCaller = request.state.agent_caller
    return caller
