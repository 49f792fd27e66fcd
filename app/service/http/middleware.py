"""What every request goes through, whatever its path: its id, HEAD, the limit of its body, errors nobody
caught."""

from typing import Protocol

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.service.http.problems import ApiProblem, problem_response
from app.service.http.request_body import read_announced_length
from app.service.http.state import StateKey
from app.service.ids import new_id
from app.service.logs import REQUEST_ID

MAX_REQUEST_ID = 128
ADDED_HEADERS = StateKey[list[tuple[bytes, bytes]]]("added_headers")
"""Of a request: headers for its response, whatever that turns out to be."""
BODY_LIMIT = StateKey[int]("body_limit")
"""Of a request: how many bytes its body may have, where its route takes more or less than others."""


class BodyTurn(Protocol):
    """The turn of a body among those that arrive."""

    async def begin(self) -> None:
        """Wait for the turn."""

    async def end(self) -> None:
        """Leave the turn to others."""


BODY_TURN = StateKey[BodyTurn | None]("body_turn")
"""Of a request whose body waits for its turn before each of its pieces is worked on."""


class RequestMiddleware:
    """The outermost middleware of the service."""

    def __init__(self, app: ASGIApp, *, body_limit: int) -> None:
        self._app = app
        self._body_limit = body_limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        request_id = _request_id(headers)
        head: bool = scope["method"] == "HEAD"
        # A copy: the server still has to know that a HEAD was asked.
        method = "GET" if head else scope["method"]
        scope = {"state": {}, **scope, "method": method, "request_id": request_id}
        request = Request(scope)
        REQUEST_ID.set(request_id)
        started = False

        async def respond(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                added = ADDED_HEADERS.get_or(request, [])
                # A stored response has the id of the call that it was made for, as its body may have.
                if not any(name == b"x-request-id" for name, _ in message["headers"]):
                    added = [(b"x-request-id", request_id.encode()), *added]
                message["headers"] = [*message["headers"], *added]
            elif head and message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        try:
            _require_host(headers, scope["http_version"])
            await self._app(scope, self._limit_body(receive, request), respond)
        except ClientDisconnect:
            return
        except Exception as error:
            if started:
                raise
            response = problem_response(request, error)
            await response(scope, receive, respond)

    def _limit_body(self, receive: Receive, request: Request) -> Receive:
        """`receive` that raises ApiProblem 413 once the body is over its limit: before any of it is read
        where its length was announced."""
        announced = read_announced_length(request)
        read = 0

        async def receive_limited() -> Message:
            nonlocal read
            limit = BODY_LIMIT.get_or(request, self._body_limit)
            turn = BODY_TURN.get_or(request, None)
            if turn is not None:
                await turn.end()  # of the piece before: who waits for the network keeps nobody waiting
            message: Message = {} if announced > limit else await receive()
            if turn is not None and message.get("body"):
                await turn.begin()
            read += len(message.get("body", b""))
            if max(announced, read) > limit:
                detail = f"The body is larger than {limit:,} bytes."
                raise ApiProblem(413, detail, headers={"Connection": "close"})
            return message

        return receive_limited


def _require_host(headers: Headers, http_version: str) -> None:
    """Raises ApiProblem 400 where a request does not say once to whom it goes (RFC 9112, 3.2)."""
    hosts = len(headers.getlist("host"))
    if hosts > 1 or (not hosts and http_version == "1.1"):
        raise ApiProblem(400, "A request of HTTP/1.1 has one Host header.")


def _request_id(headers: Headers) -> str:
    """The caller's id when it is one word of visible ASCII, else a new one."""
    given = headers.get("x-request-id", "")
    if 0 < len(given) <= MAX_REQUEST_ID and all("!" <= letter <= "~" for letter in given):
        return given
    return new_id()
