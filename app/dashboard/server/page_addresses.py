"""The addresses of pages and of the server. One that was typed with a slash too many, or is of before, leads
to its page; one of no page leads to the page that says so, where Streamlit would show the start page under a
dialog, and stay empty for an address of two parts."""

from collections.abc import Collection, Mapping, Sequence
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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
