"""What every request goes through, whatever its path: its id, HEAD, the limit of its body, errors nobody
caught."""

import logging
from typing import Any

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.service.http.error_responses import problem_response
from app.service.http.problems import ApiProblem
from app.service.http.state import StateKey
from app.service.ids import new_id

logger = logging.getLogger("parley.service")

MAX_REQUEST_ID = 128
FORM_OVERHEAD = 64 * 1024
"""What boundaries and part headers may add to an upload."""
ADDED_HEADERS = StateKey[list[tuple[bytes, bytes]]]("added_headers")
"""Of a request: headers for its response, whatever that turns out to be."""
MAX_DRAIN_FACTOR = 4
"""A body over its limit is read on and thrown away up to so many times the limit, so that a caller that
sends before it listens still gets the answer."""


class RequestMiddleware:
    """The outermost middleware of the service."""

    def __init__(self, app: ASGIApp, *, max_json: int, max_upload: int) -> None:
        self._app = app
        self._max_json = max_json
        self._max_upload = max_upload

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        scope["request_id"] = request_id = _request_id(headers)
        scope.setdefault("state", {})
        request = Request(scope)
        head = scope["method"] == "HEAD"
        if head:
            scope["method"] = "GET"
        started = False

        async def respond(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                added = [(b"x-request-id", request_id.encode()), *ADDED_HEADERS.get_or(request, [])]
                message["headers"] = [*message["headers"], *added]
            elif head and message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        limit = self._limit(headers)
        try:
            await self._app(scope, _limited(receive, headers, limit), respond)
        except Exception as error:
            if started:
                raise
            response = problem_response(request, error)
            await response(scope, receive, respond)

    def _limit(self, headers: Headers) -> int:
        if headers.get("content-type", "").startswith("multipart/form-data"):
            return self._max_upload + FORM_OVERHEAD
        return self._max_json


def _request_id(headers: Headers) -> str:
    """The caller's id when it is one word of visible ASCII, else a new one."""
    given = headers.get("x-request-id", "")
    if 0 < len(given) <= MAX_REQUEST_ID and all("!" <= letter <= "~" for letter in given):
        return given
    return new_id()


def _limited(receive: Receive, headers: Headers, limit: int) -> Receive:
    """`receive` that raises ApiProblem 413 once the body is over its limit."""
    length = headers.get("content-length", "")
    announced = int(length) if length.isdecimal() else 0
    read = 0

    async def limited() -> Message:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b""))
        if max(announced, read) > limit:
            await _drain(receive, message, limit * MAX_DRAIN_FACTOR - read)
            raise ApiProblem(
                413, f"The body is larger than {limit:,} bytes.", headers={"Connection": "close"}
            )
        return message

    return limited


async def _drain(receive: Receive, message: dict[str, Any] | Message, budget: int) -> None:
    while message.get("more_body") and budget > 0:
        message = await receive()
        budget -= len(message.get("body", b""))
