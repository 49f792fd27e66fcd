"""What stands between the browser and Streamlit: security headers, the session cookie, compression."""

import asyncio
import gzip
from dataclasses import dataclass
from http.cookies import SimpleCookie
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.dashboard.signing_in.sessions import ABSOLUTE_SECONDS, COOKIE, OneTimeLink, SessionSealer

POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self' 'unsafe-inline'",
        "style-src 'self' 'unsafe-inline'",
        "connect-src 'self' ws: wss:",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "worker-src 'self' blob:",
        "frame-ancestors 'none'",
        "object-src 'none'",
        "base-uri 'self'",
    )
)
"""Ran a page of 30 widgets and Plotly without a console error. It blocks foreign images on purpose."""

SECURITY_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}


class SecurityHeaders:
    """Adds `SECURITY_HEADERS` to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers[name] = value
            await send(message)

        await self._app(scope, receive, send_with_headers if scope["type"] == "http" else send)


def set_session_cookie(response: Response, value: str, *, secure: bool) -> None:
    """Give the browser the session; scripts cannot read it and foreign pages cannot send it along."""
    response.set_cookie(
        COOKIE, value, max_age=ABSOLUTE_SECONDS, path="/", httponly=True, samesite="lax", secure=secure
    )


class SessionCookie:
    """Trades the one-time link for a cookie when a page is loaded, and renews the cookie of who is around."""

    def __init__(self, app: ASGIApp, sessions: SessionSealer, link: OneTimeLink | None, secure: bool) -> None:
        self._app = app
        self._sessions = sessions
        self._link = link
        self._secure = secure

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET" or "_stcore/" in scope["path"]:
            await self._app(scope, receive, send)
            return
        if "text/html" not in Headers(scope=scope).get("accept", ""):
            await self._app(scope, receive, send)
            return
        tokens = parse_qs(scope["query_string"].decode("latin-1")).get("link")
        if tokens:
            await self._trade_link(tokens[0], Request(scope))(scope, receive, send)
            return
        await self._app(scope, receive, self._send_renewed_cookie(scope, send))

    def _trade_link(self, token: str, request: Request) -> Response:
        home = request.url.path or "/"
        deployment = self._link.redeem(token) if self._link else None
        if deployment is None:
            if self._sessions.open(request.cookies.get(COOKIE)):
                return RedirectResponse(home, 303)
            return HTMLResponse(USED_LINK_PAGE, 410, {"Cache-Control": "no-store"})
        response = RedirectResponse(home, 303, {"Cache-Control": "no-store"})
        set_session_cookie(response, self._sessions.seal(deployment), secure=self._is_secure(request.scope))
        return response

    def _send_renewed_cookie(self, scope: Scope, send: Send) -> Send:
        cookies: SimpleCookie = SimpleCookie(Headers(scope=scope).get("cookie", ""))
        session = self._sessions.open(cookies[COOKIE].value) if COOKIE in cookies else None
        value = self._sessions.renewed(session) if session else None
        if value is None:
            return send
        carrier = Response()
        set_session_cookie(carrier, value, secure=self._is_secure(scope))

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).append("set-cookie", carrier.headers["set-cookie"])
            await send(message)

        return send_with_cookie

    def _is_secure(self, scope: Scope) -> bool:
        return self._secure or scope.get("scheme") == "https"


USED_LINK_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>This link was used · Parley</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
 :root { color-scheme: light dark; }
 body { font: 16px/1.5 system-ui, sans-serif; margin: 0; min-height: 100vh;
   display: grid; place-items: center; }
 main { max-width: 34rem; padding: 2rem; }
 h1 { font-size: 1.4rem; margin: 0 0 .5rem; }
 code { font-size: .95em; }
</style></head><body><main>
<h1>This sign-in link no longer works</h1>
<p>A sign-in link is good for one use, and only while the <code>parley up</code> that printed it runs.</p>
<p>Start <code>parley up</code> again for a new link, or <a href="./">sign in with an API key</a>.</p>
</main></body></html>
"""


@dataclass(frozen=True)
class _CompressedFile:
    headers: list[tuple[bytes, bytes]]
    etag: str
    body: bytes


class CompressedStatic:
    """Serves Streamlit's static files compressed; it sends them as they are, 8.9 MiB for a page with a chart.

    Each file is compressed once, when it is first asked for, and kept: they never change while we run.
    """

    _SUFFIXES = (".js", ".css", ".svg", ".json", ".wasm", ".txt")

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._cache: dict[str, _CompressedFile] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET" or not self._is_compressible(scope):
            await self._app(scope, receive, send)
            return
        path: str = scope["path"]
        kept = self._cache.get(path)
        if kept is None:
            answer = await _record_response(self._app, scope, receive)
            if answer.status != 200:
                await answer.replay(send)
                return
            kept = await asyncio.to_thread(_compress, answer)
            self._cache[path] = kept
        if Headers(scope=scope).get("if-none-match") == kept.etag:
            await send(
                {"type": "http.response.start", "status": 304, "headers": [(b"etag", kept.etag.encode())]}
            )
            await send({"type": "http.response.body", "body": b""})
            return
        await send({"type": "http.response.start", "status": 200, "headers": list(kept.headers)})
        await send({"type": "http.response.body", "body": kept.body})

    def _is_compressible(self, scope: Scope) -> bool:
        headers = Headers(scope=scope)
        return (
            "/static/" in scope["path"]
            and scope["path"].endswith(self._SUFFIXES)
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
    # Asked for as if the browser had nothing, so that there is a body to compress.
    plain = {
        **scope,
        "headers": [h for h in scope["headers"] if h[0] not in {b"if-none-match", b"if-modified-since"}],
    }
    answer = _RecordedResponse(500, [], b"")
    parts: list[bytes] = []

    async def record(message: Message) -> None:
        if message["type"] == "http.response.start":
            answer.status, answer.headers = message["status"], list(message["headers"])
        elif message["type"] == "http.response.body":
            parts.append(message.get("body", b""))

    await app(plain, receive, record)
    answer.body = b"".join(parts)
    return answer


def _compress(answer: _RecordedResponse) -> _CompressedFile:
    headers = [(n, v) for n, v in answer.headers if n not in {b"content-length", b"etag", b"accept-ranges"}]
    etag = next((v.decode("latin-1") for n, v in answer.headers if n == b"etag"), '"static"')
    etag = etag if etag.startswith("W/") else f"W/{etag}"
    body = gzip.compress(answer.body, compresslevel=6, mtime=0)
    headers += [
        (b"content-encoding", b"gzip"),
        (b"vary", b"Accept-Encoding"),
        (b"etag", etag.encode("latin-1")),
        (b"content-length", str(len(body)).encode()),
    ]
    return _CompressedFile(headers, etag, body)
