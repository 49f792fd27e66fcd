"""What every request goes through, whatever its path: its id, HEAD, the limit of its body, errors nobody
caught; bodies that may come as JSON or as a form with a `file` part, of which the framework reads one kind
only; and calls from pages of other origins, as browsers let them (CORS, in the Fetch standard).
"""

import json
from collections.abc import Callable, Collection, Coroutine
from typing import Any, Protocol, TypeVar

from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.datastructures import Headers, UploadFile
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.contract.model import Request as RequestModel
from app.service.http.dependencies import StateKey
from app.service.http.error_responses import problem_response
from app.service.http.problems import ApiProblem, bad_request
from app.service.ids import new_id
from app.service.process import REQUEST_ID
from app.storable_text import find_text_fault

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


FORM_TYPE = "multipart/form-data"
_Body = TypeVar("_Body", bound=RequestModel)


def json_or_form(
    model: type[_Body],
) -> Callable[[Request], Coroutine[Any, Any, tuple[_Body | None, UploadFile | None]]]:
    """A dependency that reads the body as `_read_json_or_form` does."""

    async def read(request: Request) -> tuple[_Body | None, UploadFile | None]:
        return await _read_json_or_form(request, model)

    return read


async def _read_json_or_form(request: Request, model: type[_Body]) -> tuple[_Body | None, UploadFile | None]:
    """The body as `model`, and the uploaded file if it was a form that has one; fields of a form are those of
    the model. (None, file) when the form has none of them. Raises 400 for anything else."""
    if not is_form(request):
        raw = await request.body()
        if not raw:
            raise bad_request("", "A body is required.")
        return _validated(model, json.loads(raw)), None
    fields, upload = await _read_form(request)
    names = {field.alias or name for name, field in model.model_fields.items()}
    known = {name: value for name, value in fields.items() if name in names}
    if upload is None and not known:
        raise bad_request("file", "A `file` part is required.")
    return (_validated(model, known) if known else None), upload


async def read_file_part(request: Request) -> UploadFile:
    """The `file` part of a form. Raises 400 where there is none."""
    _, upload = await _read_form(request)
    if upload is None:
        raise bad_request("file", "A `file` part is required.")
    return upload


def read_media_type(request: Request) -> str:
    """The media type of the body in lower case, since it has none (RFC 9110, 8.3.1), and without parameters;
    empty where none is stated."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def read_announced_length(request: Request) -> int:
    """The length that the body is announced with; 0 where none is stated."""
    length = request.headers.get("content-length", "")
    return int(length[:18]) if length.isdecimal() else 0


def is_form(request: Request) -> bool:
    return read_media_type(request) == FORM_TYPE


async def _read_form(request: Request) -> tuple[dict[str, str], UploadFile | None]:
    """The filled-in fields of a form and its `file` part. Raises 400 for a second file."""
    form = await request.form()
    uploads = [(name, value) for name, value in form.multi_items() if isinstance(value, UploadFile)]
    for name, _ in uploads:
        if name != "file":
            raise bad_request(name, "is not a file of this call; the file's part is named `file`")
    if len(uploads) > 1:
        raise bad_request("file", "is there more than once; send one file with each call")
    fields = {name: value for name, value in form.multi_items() if isinstance(value, str) and value}
    for name, value in fields.items():
        if fault := find_text_fault(value):
            raise bad_request(name, fault)
    return fields, uploads[0][1] if uploads else None


def _validated(model: type[_Body], value: object) -> _Body:
    try:
        return model.model_validate(value)
    except ValidationError as error:
        places = [{**place, "loc": ("body", *place["loc"])} for place in error.errors()]
        raise RequestValidationError(places) from None


SHOWN_LENGTH = 200
"""Of an origin that is refused, in characters."""


class CrossOriginMiddleware(CORSMiddleware):
    """Middleware that answers preflights, and lets pages of `origins` read every response with its headers.
    It never allows the credentials that a browser adds by itself: a page sends its key in a header."""

    def __init__(self, app: ASGIApp, origins: Collection[str]) -> None:
        super().__init__(app, origins, allow_methods=["*"], allow_headers=["*"], expose_headers=["*"])

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "OPTIONS":
            headers = Headers(scope=scope)
            origin = headers.get("origin", "")
            is_preflight = "origin" in headers and "access-control-request-method" in headers
            if is_preflight and not self.is_allowed_origin(origin):
                response = problem_response(Request({**scope, "request_id": new_id()}), _refuse(origin))
                await response(scope, receive, send)
                return
        await super().__call__(scope, receive, send)


def _refuse(origin: str) -> ApiProblem:
    detail = (
        f"Pages of {origin[:SHOWN_LENGTH]} may not call this service: it is not among the origins that its "
        "operator has listed in PARLEY_CORS_ORIGINS."
    )
    return ApiProblem(403, detail, headers={"Vary": "Origin"})
