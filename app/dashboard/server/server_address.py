"""The address of the server, stated in the page."""

from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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
