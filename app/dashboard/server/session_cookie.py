"""The session cookie: given for a one-time link or a ticket, and asked for before an upload or a download."""

from urllib.parse import parse_qs, urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from app.client import ApiError
from app.dashboard.deployment import Deployment
from app.dashboard.failures import describe_api_error
from app.dashboard.server.held_uploads import MAX_FILES, HeldUploads
from app.dashboard.server.notice_page import NO_STORE, notice_page
from app.dashboard.signing_in.one_time_link import OneTimeLink
from app.dashboard.signing_in.sessions import ABSOLUTE_SECONDS, COOKIE, SessionStore

TICKET_HEADER = "x-parley-ticket"
SIGNED_IN_ONLY = ("/_stcore/upload_file/", "/_stcore/metrics", "/media/")
"""Where Streamlit takes files, hands them out, and counts them. It asks nobody who they are."""


class SessionCookies:
    """Gives browsers their cookie and takes it back. They reach the dashboard at `dashboard_url`."""

    def __init__(self, sessions: SessionStore, link: OneTimeLink | None, dashboard_url: str) -> None:
        self.sessions = sessions
        self._link = link
        self._is_secure = dashboard_url.startswith("https:")
        self.home = urlsplit(dashboard_url).path.rstrip("/") + "/"
        """The path of the start page."""

    def routes(self) -> list[Route]:
        """The routes that the script in the page calls after one signed in or out.

        Because of the header, pages of other sites cannot send these requests without our consent (CORS).
        """
        return [
            Route("/session/remember", self._remember, methods=["POST"]),
            Route("/session/forget", self._forget, methods=["POST"]),
        ]

    def exchange_link(self, token: str, request: Request) -> Response:
        """Answer a page load with a one-time link: signed in and at the start page, or why not."""
        try:
            deployment = self._link.use(token) if self._link else None
        except ApiError as error:
            return notice_page(
                "You are not signed in yet",
                f"{describe_api_error(error, 'Signing in').detail} Load this page again in a moment.",
                self.home,
                503,
            )
        if deployment is None:
            if self.sessions.find(request.cookies.get(COOKIE)):
                return RedirectResponse(self.home, 303, NO_STORE)
            return notice_page(
                "This sign-in link no longer works",
                "A sign-in link is good for one use, and only while the parley up that printed it runs. Start"
                " parley up again for a new link.",
                self.home,
                410,
            )
        return self.sign_in(request, deployment)

    def sign_in(self, request: Request, deployment: Deployment, page: str = "") -> Response:
        """Give the browser the cookie of a new session, and lead it to `page`."""
        started, _ = self.sessions.start(deployment)
        response = RedirectResponse(self.home + page, 303, NO_STORE)
        self._set_cookie(response, request, self.sessions.make_cookie(started))
        return response

    def is_secure(self, request: Request) -> bool:
        """Whether browsers send cookies over https alone."""
        return self._is_secure or request.url.scheme == "https"

    def _remember(self, request: Request) -> Response:
        token = self.sessions.exchange_ticket(request.headers.get(TICKET_HEADER, ""))
        if token is None:
            return Response(status_code=410)
        response = Response(status_code=204, headers=NO_STORE)
        self._set_cookie(response, request, token)
        return response

    def _forget(self, request: Request) -> Response:
        if TICKET_HEADER not in request.headers:
            return Response(status_code=400)
        self._end_session_of(request)
        response = Response(status_code=204, headers=NO_STORE)
        response.delete_cookie(COOKIE, path="/", httponly=True, samesite="lax")
        return response

    def _set_cookie(self, response: Response, request: Request, token: str) -> None:
        """Set the cookie, which scripts cannot read and other sites' pages cannot send. A browser has one
        session: that of its earlier cookie ends."""
        self._end_session_of(request)
        response.set_cookie(
            COOKIE,
            token,
            max_age=ABSOLUTE_SECONDS,
            path="/",
            httponly=True,
            samesite="lax",
            secure=self.is_secure(request),
        )

    def _end_session_of(self, request: Request) -> None:
        if earlier := self.sessions.find(request.cookies.get(COOKIE)):
            self.sessions.end(earlier)


class SignedInOnly:
    """Exchanges the one-time link of a page load; refuses `SIGNED_IN_ONLY` to whoever has no session, and
    more files than `HeldUploads` allows, before the body of the request is read."""

    def __init__(self, app: ASGIApp, cookies: SessionCookies, max_upload: int) -> None:
        self._app = app
        self._cookies = cookies
        self._max_upload = max_upload
        self._uploads = HeldUploads(MAX_FILES * max_upload)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if _needs_session(scope["path"]):
            await self._serve_user(scope, receive, send)
        elif token := _link_token(scope):
            response = await run_in_threadpool(self._cookies.exchange_link, token, Request(scope))
            await response(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _serve_user(self, scope: Scope, receive: Receive, send: Send) -> None:
        token = HTTPConnection(scope).cookies.get(COOKIE)
        user = await run_in_threadpool(self._cookies.sessions.find, token)
        if user is None:
            await PlainTextResponse("Sign in first.", 401, NO_STORE)(scope, receive, send)
        elif scope["method"] != "PUT":
            await self._app(scope, receive, send)
        else:
            size = Headers(scope=scope).get("content-length", "")
            bytes_to_come = int(size) if size.isdecimal() else self._max_upload
            page = scope["path"].split("/")[-2]
            with self._uploads.receive(user.holder, page, bytes_to_come) as is_accepted:
                refusal = PlainTextResponse(
                    "Too many files are open: close other pages, and try again in two minutes.", 413, NO_STORE
                )
                await (self._app if is_accepted else refusal)(scope, receive, send)


def _needs_session(path: str) -> bool:
    """Return whether the path is in `SIGNED_IN_ONLY`. The fonts of the page, in `/static/media/`, are not:
    the page that signs in is written in them."""
    return not path.startswith("/static/") and any(place in f"{path}/" for place in SIGNED_IN_ONLY)


def _link_token(scope: Scope) -> str | None:
    """The token of a one-time link, when a page is loaded with one."""
    if scope["method"] != "GET" or "text/html" not in Headers(scope=scope).get("accept", ""):
        return None
    return next(iter(parse_qs(scope["query_string"].decode("latin-1")).get("link", ())), None)
