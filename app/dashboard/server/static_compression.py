"""Compression of Streamlit's static files."""

import asyncio
from functools import partial
from pathlib import Path

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config, file_util
from streamlit.url_util import make_url_path

from app.http_server.content_coding import Coding, choose_coding


class CompressedStatic:
    """Serves Streamlit's static files compressed. Streamlit sends them uncompressed: 8.9 MiB for a page with
    a chart.

    Streamlit gives the head of the response, and answers conditions and ranges; the body is the file,
    which is compressed once in each coding that browsers ask for, and cached: the files do not change while
    the server runs. Streamlit answers any other path with its start page, which stays as it is."""

    _SUFFIXES = (".js", ".css", ".svg", ".json", ".wasm", ".txt")

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        base, folder = str(config.get_option("server.baseUrlPath") or ""), Path(file_util.get_static_dir())
        self._files = {
            make_url_path(base, file.relative_to(folder).as_posix()): file
            for file in folder.rglob("*")
            if file.suffix in self._SUFFIXES
        }
        self._bodies: dict[tuple[Path, Coding], bytes] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        file = (
            self._files.get(scope["path"]) if scope["type"] == "http" and scope["method"] == "GET" else None
        )
        if file is None:
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        coding = choose_coding(", ".join(headers.getlist("accept-encoding")))
        if coding is None or "range" in headers:
            await self._app(scope, receive, partial(_send_with_vary, send))
            return

        async def respond(message: Message) -> None:
            if message["type"] == "http.response.start":
                body = await self._load(file, coding) if message["status"] == 200 else b""
                await send(_describe(message, coding, len(body)))
                await send({"type": "http.response.body", "body": body})

        await self._app({**scope, "method": "HEAD"}, receive, respond)

    async def _load(self, file: Path, coding: Coding) -> bytes:
        if (file, coding) not in self._bodies:
            content = await asyncio.to_thread(file.read_bytes)
            self._bodies[file, coding] = await asyncio.to_thread(coding.compress_well, content)
        return self._bodies[file, coding]


def _describe(start: Message, coding: Coding, length: int) -> Message:
    """The head of a response whose body is compressed. Its entity tag is weak: one stands for all codings."""
    start = {**start, "headers": list(start["headers"])}
    headers = MutableHeaders(raw=start["headers"])
    headers.add_vary_header("Accept-Encoding")
    headers["etag"] = f"W/{headers['etag'].removeprefix('W/')}"
    if start["status"] == 200:
        del headers["accept-ranges"]
        headers.update({"content-encoding": coding.value, "content-length": str(length)})
    return start


async def _send_with_vary(send: Send, message: Message) -> None:
    if message["type"] == "http.response.start":
        MutableHeaders(scope=message).add_vary_header("Accept-Encoding")
    await send(message)
