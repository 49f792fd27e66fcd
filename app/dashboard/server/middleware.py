"""What every request of the dashboard goes through: security headers; a bound on the websockets of visitors,
who have not signed in, each a page that runs on the server; compression of Streamlit's static files; and the
addresses of pages. One that was typed with a slash too many, or is of before, leads to its page; one of no
page leads to the page that says so, where Streamlit would show the start page under a dialog, and stay empty
for an address of two parts."""

import asyncio
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config, file_util
from streamlit.url_util import make_url_path

from app.dashboard.signing_in.sessions import COOKIE, SessionStore
from app.http_server.content_coding import Coding, choose_coding

_PARTS = (
    "default-src 'self'",
    # Streamlit's first page has a script of its own in it, and components write styles into elements.
    "script-src 'self' 'unsafe-inline'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "worker-src 'self' blob:",
    "frame-ancestors 'none'",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
)
"""A page of 30 widgets and Plotly ran under it without a console error. It blocks foreign images on
purpose."""
_HOST = re.compile(r"[A-Za-z0-9.-]+(:\d{1,5})?|\[[0-9A-Fa-f:.]+\](:\d{1,5})?")

SECURITY_HEADERS = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin"}


def write_policy(host: str) -> str:
    """Return what a page that was asked for at `host` may load. It connects to this host alone; browsers that
    do not count its websocket as `'self'` find it by its name."""
    sockets = f" ws://{host} wss://{host}" if _HOST.fullmatch(host) else ""
    return "; ".join((*_PARTS, f"connect-src 'self'{sockets}"))


class SecurityHeaders:
    """Adds `SECURITY_HEADERS` and the policy of its host to every answer, and to one over TLS that the host
    is to be asked by TLS alone."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        added = SECURITY_HEADERS
        if scope["type"] == "http":
            policy = write_policy(Headers(scope=scope).get("host", ""))
            added = {**SECURITY_HEADERS, "Content-Security-Policy": policy}
            if scope.get("scheme") == "https":
                added["Strict-Transport-Security"] = "max-age=31536000"

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in added.items():
                    headers[name] = value
            await send(message)

        await self._app(scope, receive, send_with_headers if scope["type"] == "http" else send)


MAX_VISITORS = 500
"""Of one process. One address has half of them at the most; a proxy is one address."""
TRY_AGAIN_LATER = 1013


class VisitorSockets:
    """Refuses a websocket without a session when visitors have `most` of them open. Whoever is signed in gets
    one. A tab in which somebody has signed in counts as a visitor's until its page is loaded again."""

    def __init__(self, app: ASGIApp, sessions: SessionStore, most: int = MAX_VISITORS) -> None:
        self._app = app
        self._sessions = sessions
        self._most = most
        self._open: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket" or await self._has_session(scope):
            await self._app(scope, receive, send)
            return
        address: str = (scope.get("client") or ("",))[0]
        if self._open.total() >= self._most or self._open[address] >= self._most // 2:
            await send({"type": "websocket.close", "code": TRY_AGAIN_LATER})
            return
        self._open[address] += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]

    async def _has_session(self, scope: Scope) -> bool:
        token = HTTPConnection(scope).cookies.get(COOKIE)
        return token is not None and await run_in_threadpool(self._sessions.find, token) is not None


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


NOT_FOUND = "not_found"
_LONGEST = 200


class PageAddresses:
    """Redirects a request of a page whose address is not that of one of `names`: one that `moved` to its
    address today, with what `moved_tabs` has for the tabs of its query.

    Browsers reach the dashboard at `dashboard_url`, whose path a proxy may take off."""

    def __init__(
        self,
        app: ASGIApp,
        dashboard_url: str,
        names: Collection[str],
        moved: Mapping[str, str],
        moved_tabs: Mapping[tuple[str, str], Sequence[tuple[str, str]]],
    ) -> None:
        self._app = app
        self._base = urlsplit(dashboard_url).path.rstrip("/")
        self._names = frozenset(names)
        self._moved, self._moved_tabs = moved, moved_tabs

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path: str = scope["path"].removeprefix(self._base) if is_page_request(scope) else ""
        name = path.strip("/")
        if path in ("", "/", f"/{name}") and (not name or name in self._names):
            await self._app(scope, receive, send)
            return
        query: str = scope["query_string"].decode("latin-1")
        if name in self._moved:
            stated = parse_qsl(query, keep_blank_values=True)
            query = urlencode([pair for one in stated for pair in self._moved_tabs.get(one, (one,))])
            name = self._moved[name]
        if not name or name in self._names:
            target = f"{self._base}/{name}" + (f"?{query}" if query else "")
        else:
            target = f"{self._base}/{NOT_FOUND}?address={quote(path[:_LONGEST], safe='')}"
        await RedirectResponse(target, 302)(scope, receive, send)


_NOT_PAGES = ("/_stcore/", "/media/", "/static/", "/component/", "/session/")
_LEFT_OUT = {b"if-none-match", b"if-modified-since", b"accept-encoding", b"range"}
"""Headers without which a request is answered with the whole page as text."""
_HEAD = b"<head>"


class ServerAddress:
    """States in Streamlit's start page where its server is. Otherwise a page that is loaded at `/catalog`
    looks for it at `/catalog/_stcore/health` first: two requests that end in 404 before the first of use.

    Browsers reach the dashboard at `dashboard_url`, whose path a proxy may take off."""

    def __init__(self, app: ASGIApp, dashboard_url: str) -> None:
        self._app = app
        path = urlsplit(dashboard_url).path.rstrip("/") + "/"
        script = f"<script>window.__streamlit = {{BACKEND_BASE_URL: location.origin + {path!r}}}</script>"
        self._script = script.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not is_page_request(scope):
            await self._app(scope, receive, send)
            return
        start: Message = {}
        parts: list[bytes] = []

        async def send_with_address(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                start = message
                return
            parts.append(message.get("body", b""))
            if message.get("more_body"):
                return
            body = b"".join(parts).replace(_HEAD, _HEAD + self._script, 1)
            headers = MutableHeaders(raw=list(start["headers"]))
            headers["content-length"] = str(len(body))
            for name in ("etag", "last-modified"):  # those of the file, which is not what is sent
                del headers[name]
            await send({**start, "headers": headers.raw})
            await send({"type": "http.response.body", "body": body})

        headers = [(name, value) for name, value in scope["headers"] if name not in _LEFT_OUT]
        await self._app({**scope, "headers": headers}, receive, send_with_address)


def is_page_request(scope: Scope) -> bool:
    return (
        scope["type"] == "http"
        and scope["method"] == "GET"
        and "text/html" in Headers(scope=scope).get("accept", "")
        and not any(place in scope["path"] for place in _NOT_PAGES)
    )
