"""The security headers of every answer of the dashboard."""

import re

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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
