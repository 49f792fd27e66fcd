"""Responses that a caller may cache: an entity tag of the content, and 304 while it is valid (RFC 9110).

Tags are weak: one tag stands for a body in every coding, so a caller who has it in one may ask in another.

Responses are compressed. What holds a secret is not compressed: from the length of a response that repeats a
caller's text an observer could guess the secret beside it (BREACH). Secrets are shown once, in the response
to a POST or PATCH, so only responses to GET are compressed.
"""

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.http_server.content_coding import Coding, choose_coding

MIN_BYTES = 1_000
"""A shorter body fits with its head into one packet of a network, so that nothing is won."""
_LARGE_BODY = 256 * 1024
"""From so many bytes on, which take 0.1 to 0.3 ms, a body is compressed in a thread."""
_COMPRESSIBLE_TYPES = ("application/json", "application/javascript", "text/", "image/svg+xml")
"""Files are sent as they were uploaded, and pictures of pages are compressed already."""


@dataclass(frozen=True, slots=True)
class EncodedBody:
    """A body as it is sent, and the coding that its bytes are in, None for none."""

    content: bytes
    coding: Coding | None

    @property
    def headers(self) -> Mapping[str, str]:
        return {"Content-Encoding": self.coding.value} if self.coding else {}


def read_coding(headers: Headers) -> Coding | None:
    """The coding that a response to these request headers may have."""
    return choose_coding(", ".join(headers.getlist("accept-encoding")))


def _encode_body(body: bytes, coding: Coding | None, *, sent_often: bool = False) -> EncodedBody:
    """Compress a body, with more patience where it is sent often. One that is short, or would not be shorter,
    stays as it is."""
    if coding is None or len(body) < MIN_BYTES:
        return EncodedBody(body, None)
    compressed = coding.compress_well(body) if sent_often else coding.compress(body)
    return EncodedBody(compressed, coding) if len(compressed) < len(body) else EncodedBody(body, None)


class CompressionMiddleware:
    """Middleware that compresses what routes leave as it is: whole texts with status 200, to a GET."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET":
            await self._app(scope, receive, send)
            return
        coding = read_coding(Headers(scope=scope))
        start: Message | None = None

        async def respond(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start" and _is_compressible(message):
                # The head is sent with the body, on whose length it depends.
                _add_vary(message)
                start = message
                return
            if start is not None:
                head, start = start, None
                if coding is not None and not message.get("more_body", False):
                    message = await _compress(head, message, coding)
                await send(head)
            await send(message)

        await self._app(scope, receive, respond)


def _is_compressible(start: Message) -> bool:
    headers = Headers(raw=start["headers"])
    is_text = headers.get("content-type", "").startswith(_COMPRESSIBLE_TYPES)
    return start["status"] == 200 and is_text and "content-encoding" not in headers


def _add_vary(start: Message) -> None:
    """Say that the response depends on what the caller accepts, unless the route said so."""
    headers = MutableHeaders(raw=start["headers"])
    if "accept-encoding" not in headers.get("vary", "").lower():
        headers.add_vary_header("Accept-Encoding")


async def _compress(start: Message, message: Message, coding: Coding) -> Message:
    """The message with its body compressed, and `start` with the headers of that."""
    body: bytes = message.get("body", b"")
    encoded = (
        _encode_body(body, coding)
        if len(body) < _LARGE_BODY
        else await run_in_threadpool(_encode_body, body, coding)
    )
    headers = MutableHeaders(raw=start["headers"])
    headers.update({**encoded.headers, "Content-Length": str(len(encoded.content))})
    return {**message, "body": encoded.content}


FRESH_SECONDS = 60
"""How long a caller may use what it has without asking again."""
OF_CALLER: Mapping[str, str] = MappingProxyType(
    {
        "Cache-Control": f"private, max-age={FRESH_SECONDS}",
        "Vary": "Accept-Encoding, Authorization, X-API-Key",
    }
)
"""Headers of a response that depends on who calls."""
OF_ALL: Mapping[str, str] = MappingProxyType(
    {"Cache-Control": f"public, max-age={FRESH_SECONDS}", "Vary": "Accept-Encoding"}
)
"""Headers of a response that is the same for all."""

_TAG = re.compile(r'(?:W/)?("[^"]*")')


def cacheable_response(request: Request, body: bytes) -> Response:
    """Return `body` as JSON, or 304 when the caller has it already."""
    return conditional_response(
        request, _make_tag(body), lambda: _encode_body(body, read_coding(request.headers))
    )


def conditional_response(
    request: Request,
    tag: str,
    encode: Callable[[], EncodedBody],
    shared_headers: Mapping[str, str] = OF_CALLER,
    media_type: str = "application/json",
) -> Response:
    """The same for a body whose entity tag is known; `encode` returns it as this caller takes it."""
    headers = {"ETag": tag, **shared_headers}
    if_none_match = request.headers.getlist("if-none-match")
    if if_none_match and matches_tag(", ".join(if_none_match), tag):
        return Response(status_code=304, headers=headers)
    body = encode()
    return Response(body.content, headers={**headers, **body.headers}, media_type=media_type)


class PublishedDocument:
    """A text that is the same for all callers while the process runs, in each coding."""

    def __init__(
        self, body: bytes, media_type: str = "application/json", headers: Mapping[str, str] = OF_ALL
    ) -> None:
        self._tag = _make_tag(body)
        self._media_type = media_type
        self._headers = headers
        codings: tuple[Coding | None, ...] = (None, *Coding)
        self._encoded = {coding: _encode_body(body, coding, sent_often=True) for coding in codings}

    def respond(self, request: Request) -> Response:
        """The document, or 304 when the caller has it already."""
        return conditional_response(
            request,
            self._tag,
            lambda: self._encoded[read_coding(request.headers)],
            self._headers,
            self._media_type,
        )


def _make_tag(body: bytes) -> str:
    return f'W/"{hashlib.sha256(body).hexdigest()[:32]}"'


def matches_tag(if_none_match: str, tag: str) -> bool:
    """Return whether an `If-None-Match` value (tags, compared weakly, or `*`) matches the tag."""
    return if_none_match.strip() == "*" or tag.removeprefix("W/") in _TAG.findall(if_none_match)
