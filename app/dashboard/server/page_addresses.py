"""Addresses that people type: one with a slash too many or of before leads to its page, one of no page to the
page that says so.

Streamlit would show the start page under a dialog, and stay empty for an address of two parts."""

from collections.abc import Collection, Mapping, Sequence
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from app.dashboard.server.server_address import is_page_request

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
