"""The session cookie: given for a one-time link, and renewed while pages are loaded."""

from http.cookies import SimpleCookie
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.dashboard.signing_in.sessions import ABSOLUTE_SECONDS, COOKIE, OneTimeLink, SessionSealer


def set_session_cookie(response: Response, value: str, *, secure: bool) -> None:
    """Set the session cookie, which scripts cannot read and other sites' pages cannot send."""
    response.set_cookie(
        COOKIE, value, max_age=ABSOLUTE_SECONDS, path="/", httponly=True, samesite="lax", secure=secure
    )


class SessionCookie:
    """Exchanges the one-time link for a cookie when a page is loaded, and renews the cookies of active
    users."""

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
            await self._exchange_link(tokens[0], Request(scope))(scope, receive, send)
            return
        await self._app(scope, receive, self._send_renewed_cookie(scope, send))

    def _exchange_link(self, token: str, request: Request) -> Response:
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
        value = self._sessions.renew(session) if session else None
        if value is None:
            return send
        cookie_response = Response()
        set_session_cookie(cookie_response, value, secure=self._is_secure(scope))

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).append("set-cookie", cookie_response.headers["set-cookie"])
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
