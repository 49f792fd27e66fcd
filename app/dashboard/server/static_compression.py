"""Compression of Streamlit's static files."""

import asyncio
import gzip
from dataclasses import dataclass
from pathlib import Path

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config, file_util
from streamlit.url_util import make_url_path


@dataclass(frozen=True)
class _CompressedFile:
    headers: list[tuple[bytes, bytes]]
    etag: str
    body: bytes


class CompressedStatic:
    """Serves Streamlit's static files compressed. Streamlit sends them uncompressed: 8.9 MiB for a page with
    a chart.

    Each file is compressed at its first request and cached: the files do not change while the server runs.
    Streamlit answers any other path with its start page, so what is cached is what lies in its folder."""

    _SUFFIXES = (".js", ".css", ".svg", ".json", ".wasm", ".txt")

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        base, folder = str(config.get_option("server.baseUrlPath") or ""), Path(file_util.get_static_dir())
        self._paths = {
            make_url_path(base, file.relative_to(folder).as_posix())
            for file in folder.rglob("*")
            if file.suffix in self._SUFFIXES
        }
        self._cache: dict[str, _CompressedFile] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET" or not self._is_compressible(scope):
            await self._app(scope, receive, send)
            return
        path: str = scope["path"]
        compressed = self._cache.get(path)
        if compressed is None:
            response = await _record_response(self._app, scope, receive)
            if response.status != 200:
                await response.replay(send)
                return
            compressed = await asyncio.to_thread(_compress, response)
            self._cache[path] = compressed
        if Headers(scope=scope).get("if-none-match") == compressed.etag:
            await send(
                {
                    "type": "http.response.start",
                    "status": 304,
                    "headers": [(b"etag", compressed.etag.encode())],
                }
            )
            await send({"type": "http.response.body", "body": b""})
            return
        await send({"type": "http.response.start", "status": 200, "headers": list(compressed.headers)})
        await send({"type": "http.response.body", "body": compressed.body})

    def _is_compressible(self, scope: Scope) -> bool:
        headers = Headers(scope=scope)
        return (
            scope["path"] in self._paths
            and "gzip" in headers.get("accept-encoding", "")
            and "range" not in headers
        )


@dataclass
class _RecordedResponse:
    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes

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


def _compress(response: _RecordedResponse) -> _CompressedFile:
    headers = [(n, v) for n, v in response.headers if n not in {b"content-length", b"etag", b"accept-ranges"}]
    etag = next((v.decode("latin-1") for n, v in response.headers if n == b"etag"), '"static"')
    etag = etag if etag.startswith("W/") else f"W/{etag}"
    body = gzip.compress(response.body, compresslevel=6, mtime=0)
    headers += [
        (b"content-encoding", b"gzip"),
        (b"vary", b"Accept-Encoding"),
        (b"etag", etag.encode("latin-1")),
        (b"content-length", str(len(body)).encode()),
    ]
    return _CompressedFile(headers, etag, body)
