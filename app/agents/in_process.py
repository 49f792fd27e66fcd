"""The typed client on the service of the same process: an agent's call goes through the same checks as any
other, its key, role, limits and audit log among them, without a network."""

from collections.abc import Sequence

import httpx
from starlette.requests import Request
from starlette.types import ASGIApp

from app.client import AsyncApiClient, Retries

ADDRESS = "http://parley"
PASSED_ON = (
    "authorization",
    "x-api-key",
    "x-svc-end-user-identifier",
    "x-svc-end-user-ip",
    "x-svc-end-user-email",
    "x-svc-end-user-organization-name",
    "x-forwarded-for",
)
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
