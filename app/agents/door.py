"""`POST /mcp`: the protocol over HTTP. Nothing of it is loaded before the first caller with a key comes, and
nothing is kept from one call to the next, so that any process may answer any of them."""

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import httpx
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Match, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from app.agents.server import RequestContext, build_server
from app.agents.tool import AgentCaller, Deployment
from app.client import ApiError, AsyncApiClient, Retries, Unauthorized
from app.contract.access import END_USER_NAMES
from app.settings import Settings

if TYPE_CHECKING:
    from app.agents.protocol import Protocol

PATH = "/mcp"
METADATA = "/.well-known/oauth-protected-resource"
MAX_BODY = 4 * 1024 * 1024
"""Of a call: three megabytes of a file, as base64."""
LOCAL_HOSTS = ("127.0.0.1", "localhost", "[::1]")

SetBodyLimit = Callable[[Request, int], None]


@dataclass(frozen=True)
class Admission:
    """Which names the service has here, and which pages may call it: what a browser was made to send under
    another name is refused (DNS rebinding)."""

    hosts: Sequence[str]
    origins: Sequence[str]

    @staticmethod
    def read(settings: Settings) -> "Admission":
        hosts: list[str] = []
        origins: list[str] = [*settings.cors_origins]
        for local in LOCAL_HOSTS:
            hosts += [local, f"{local}:*"]
            origins += [f"http://{local}", f"http://{local}:*"]
        hosts += [urlsplit(address).netloc for address in (settings.public_url, *settings.public_aliases)]
        return Admission(hosts, origins)

    def allowed_origins(self, origin: str | None) -> list[str]:
        """The origins that a call may come from, that of this call among them where any may."""
        return [*self.origins, *([origin] if origin and "*" in self.origins else [])]


class AgentDoor:
    """Answers `POST /mcp`."""

    def __init__(self, settings: Settings, set_body_limit: SetBodyLimit) -> None:
        self._admission = Admission.read(settings)
        self._dashboard_url = settings.dashboard_url
        self._metadata = _metadata_url(settings)
        self._set_body_limit = set_body_limit
        self._protocol: _Protocol | None = None
        self._lock = threading.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        self._set_body_limit(request, MAX_BODY)
        if not (request.headers.get("authorization") or request.headers.get("x-api-key")):
            # Not worth loading anything for.
            raise HTTPException(
                401,
                "An API key is required: Authorization: Bearer <key>.",
                {"WWW-Authenticate": self._challenge()},
            )
        protocol = self._protocol or await run_in_threadpool(self._load)
        await protocol.answer(request, send)

    def _load(self) -> "Protocol":
        with self._lock:
            if self._protocol is None:
                self._protocol = _Protocol(self._admission, self._dashboard_url, self._challenge())
            return self._protocol

    def _challenge(self) -> str:
        return "Bearer" if self._metadata is None else f'Bearer resource_metadata="{self._metadata}"'


class MeasuredRoute(Route):
    """A route that the metrics of requests know by its path, as they know those of the interface."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        match, found = super().matches(scope)
        return match, {**found, "route": self} if found else found


def agent_routes(settings: Settings, set_body_limit: SetBodyLimit) -> Sequence[BaseRoute]:
    """The routes of the door. Where access tokens of an identity provider are taken, one says so (RFC
    9728)."""
    routes: list[BaseRoute] = [MeasuredRoute(PATH, AgentDoor(settings, set_body_limit), methods=["POST"])]
    if _metadata_url(settings) is not None:
        answer = partial(_describe_resource, settings)
        routes += [MeasuredRoute(path, answer, methods=["GET"]) for path in (METADATA, METADATA + PATH)]
    return routes


def _metadata_url(settings: Settings) -> str | None:
    takes_tokens = settings.oidc_issuer is not None and settings.oidc_audience is not None
    return f"{settings.public_url}{METADATA}{PATH}" if takes_tokens else None


async def _describe_resource(settings: Settings, _: Request) -> Response:
    return JSONResponse(
        {
            "resource": f"{settings.public_url}{PATH}",
            "resource_name": "Parley",
            "authorization_servers": [settings.oidc_issuer],
            "scopes_supported": settings.oidc_scopes.split(),
            "bearer_methods_supported": ["header"],
        }
    )


_ADDRESS = "http://parley"
_PASSED_ON = ("authorization", "x-api-key", *END_USER_NAMES, "x-forwarded-for")
"""The headers that say who calls, and from where."""


class _InProcess(httpx.AsyncBaseTransport):
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


def _open_client(request: Request) -> AsyncApiClient:
    """A client that calls the service of this request as its caller, under the same request id. It tries
    once: whether to try again is the agent's to say."""
    headers = [(name, value) for name in _PASSED_ON if (value := request.headers.get(name))]
    headers.append(("x-request-id", request.scope["request_id"]))
    transport = _InProcess(request.scope["app"], headers, request.client)
    return AsyncApiClient(_ADDRESS, transport=transport, retries=Retries(tries=1))


_FORWARDED = ("content-type", "retry-after", "ratelimit-limit", "ratelimit-remaining", "ratelimit-reset")
"""The headers of a refusal that are its caller's."""

# Each call has a manager of sessions of its own, whose beginning and end say nothing.
logging.getLogger("mcp").setLevel(logging.WARNING)


class _Protocol:
    """Answers calls of agents, one by one."""

    def __init__(self, admission: Admission, dashboard_url: str, challenge: str) -> None:
        self._admission = admission
        self._dashboard_url = dashboard_url
        self._challenge = challenge
        self._deployment: Deployment | None = None
        self._server = build_server(_caller_of)

    async def answer(self, request: Request, send: Send) -> None:
        """Answer one call, once the service has said whose key it is made with."""
        async with _open_client(request) as client:
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
        headers = {name: value for name in _FORWARDED if (value := answer.headers.get(name))}
        if isinstance(refusal, Unauthorized):
            headers["www-authenticate"] = self._challenge
        return Response(answer.body, answer.status, headers)


def _caller_of(context: RequestContext) -> AgentCaller:
    request: Any = context.request
    caller: AgentCaller = request.state.agent_caller
    return caller
