"""Compression of responses. What holds a secret is not compressed: from the length of a response that repeats
a caller's text an observer could guess the secret beside it (BREACH). Secrets are shown once, in the response
to a POST or PATCH, so only responses to GET are compressed."""

from collections.abc import Mapping
from dataclasses import dataclass

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.http_server.content_coding import Coding, choose_coding

MIN_BYTES = 1_000
"""A shorter body fits with its head into one packet of a network, so that nothing is won."""
LARGE_BODY = 256 * 1024
"""From so many bytes on, which take 0.1 to 0.3 ms, a body is compressed in a thread."""
COMPRESSIBLE_TYPES = ("application/json", "application/javascript", "text/", "image/svg+xml")
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


def encode_body(body: bytes, coding: Coding | None, *, sent_often: bool = False) -> EncodedBody:
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
    is_text = headers.get("content-type", "").startswith(COMPRESSIBLE_TYPES)
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
        encode_body(body, coding)
        if len(body) < LARGE_BODY
        else await run_in_threadpool(encode_body, body, coding)
    )
    headers = MutableHeaders(raw=start["headers"])
    headers.update({**encoded.headers, "Content-Length": str(len(encoded.content))})
    return {**message, "body": encoded.content}
