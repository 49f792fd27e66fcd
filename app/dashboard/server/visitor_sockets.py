"""A bound on the websockets of visitors, who have not signed in: each is a page that runs on the server."""

from collections import Counter

from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from app.dashboard.signing_in.sessions import COOKIE, SessionStore

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
