"""`POST /mcp`: the protocol over HTTP. Nothing of it is loaded before the first caller with a key comes, and
nothing is kept from one call to the next, so that any process may answer any of them."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Match, Route
from starlette.types import Receive, Scope, Send

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
        self._protocol: Protocol | None = None
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
                from app.agents.protocol import Protocol

                self._protocol = Protocol(self._admission, self._dashboard_url, self._challenge())
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
