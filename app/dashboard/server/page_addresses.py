"""Addresses that people type: one with a slash too many leads to its page, one of no page to the page that
says so.

Streamlit would show the start page under a dialog, and stay empty for an address of two parts."""

from collections.abc import Collection
from urllib.parse import quote, urlsplit

from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from app.dashboard.server.server_address import is_page_request

NOT_FOUND = "not_found"
_LONGEST = 200


class PageAddresses:
    """Redirects a request of a page whose address is not that of one of `names`.

    Browsers reach the dashboard at `dashboard_url`, whose path a proxy may take off."""

    def __init__(self, app: ASGIApp, dashboard_url: str, names: Collection[str]) -> None:
        self._app = app
        self._base = urlsplit(dashboard_url).path.rstrip("/")
        self._names = frozenset(names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path: str = scope["path"].removeprefix(self._base) if is_page_request(scope) else ""
        name = path.strip("/")
        if path in ("", "/", f"/{name}") and (not name or name in self._names):
            await self._app(scope, receive, send)
            return
        query: bytes = scope["query_string"]
        if not name or name in self._names:
            target = f"{self._base}/{name}" + (f"?{query.decode('latin-1')}" if query else "")
        else:
            target = f"{self._base}/{NOT_FOUND}?address={quote(path[:_LONGEST], safe='')}"
        await RedirectResponse(target, 302)(scope, receive, send)
