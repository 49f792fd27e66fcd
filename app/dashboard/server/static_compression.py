"""Compression of Streamlit's static files."""

import asyncio
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config, file_util
from streamlit.url_util import make_url_path

from app.http_server.content_coding import Coding, choose_coding


@dataclass(frozen=True)
class _CompressedFile:
    headers: list[tuple[bytes, bytes]]
    etag: str
    body: bytes

    async def replay(self, send: Send, if_none_match: str) -> None:
        is_current = if_none_match == self.etag
        headers = [(name, value) for name, value in self.headers if not is_current or name in _OF_UNCHANGED]
        await send({"type": "http.response.start", "status": 304 if is_current else 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"" if is_current else self.body})


_OF_UNCHANGED = {b"etag", b"vary", b"cache-control"}
"""Headers that are sent although the body is not."""


class CompressedStatic:
    """Serves Streamlit's static files compressed. Streamlit sends them uncompressed: 8.9 MiB for a page with
    a chart.

    Each file is compressed once in each coding that browsers ask for, and cached: the files do not change
    while the server runs. Streamlit answers any other path with its start page, so what is cached is what
    lies in its folder."""

    _SUFFIXES = (".js", ".css", ".svg", ".json", ".wasm", ".txt")

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        base, folder = str(config.get_option("server.baseUrlPath") or ""), Path(file_util.get_static_dir())
        self._paths = {
            make_url_path(base, file.relative_to(folder).as_posix())
            for file in folder.rglob("*")
            if file.suffix in self._SUFFIXES
        }
        self._cache: dict[tuple[str, Coding], _CompressedFile] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET" or scope["path"] not in self._paths:
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        coding = choose_coding(", ".join(headers.getlist("accept-encoding")))
        if coding is None or "range" in headers:
            await self._app(scope, receive, partial(_send_with_vary, send))
            return
        address = scope["path"], coding
        compressed = self._cache.get(address)
        if compressed is None:
            response = await _record_response(self._app, scope, receive)
            if response.status != 200 or not response.is_whole:
                await response.replay(send)
                return
            compressed = await asyncio.to_thread(_compress, response, coding)
            self._cache[address] = compressed
        await compressed.replay(send, headers.get("if-none-match", ""))


async def _send_with_vary(send: Send, message: Message) -> None:
    if message["type"] == "http.response.start":
        MutableHeaders(scope=message).add_vary_header("Accept-Encoding")
    await send(message)


@dataclass
class _RecordedResponse:
    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes

    @property
    def is_whole(self) -> bool:
        """Whether the body has the length that is stated. One that is cut off, as when its browser leaves,
        must not be cached: every other browser would be given half a script."""
        stated = dict(self.headers).get(b"content-length")
        return stated is None or int(stated) == len(self.body)

    async def replay(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status, "headers": self.headers})
        await send({"type": "http.response.body", "body": self.body})


async def _record_response(app: ASGIApp, scope: Scope, receive: Receive) -> _RecordedResponse:
    # Without the browser's cache conditions, so that there is a body to compress.
    unconditional = {
        **scope,
        "headers": [h for h in scope["headers"] if h[0] not in {b"if-none-match", b"if-modified-since"}],
    }
    response = _RecordedResponse(500, [], b"")
    parts: list[bytes] = []

    async def record(message: Message) -> None:
        if message["type"] == "http.response.start":
            response.status, response.headers = message["status"], list(message["headers"])
        elif message["type"] == "http.response.body":
            parts.append(message.get("body", b""))

    await app(unconditional, receive, record)
    response.body = b"".join(parts)
    return response


def _compress(response: _RecordedResponse, coding: Coding) -> _CompressedFile:
    headers = [(n, v) for n, v in response.headers if n not in {b"content-length", b"etag", b"accept-ranges"}]
    etag = next((v.decode("latin-1") for n, v in response.headers if n == b"etag"), '"static"')
    etag = etag if etag.startswith("W/") else f"W/{etag}"
    body = coding.compress_well(response.body)
    headers += [
        (b"content-encoding", coding.value.encode()),
        (b"vary", b"Accept-Encoding"),
        (b"etag", etag.encode("latin-1")),
        (b"content-length", str(len(body)).encode()),
    ]
    return _CompressedFile(headers, etag, body)
