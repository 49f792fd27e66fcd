"""The routes of a sign-in with the identity provider.

The service does what needs the provider: it has the client's secret, the keys and the database. The dashboard
has the browser's side: a cookie for each attempt, so that two tabs at once work, and the session's cookie in
the end."""

import secrets
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from app.client import ApiError, Refused
from app.contract.sign_in import SignInAnswer
from app.dashboard.failures import describe_api_error
from app.dashboard.server import configuration
from app.dashboard.server.notice_page import NO_STORE, notice_page
from app.dashboard.server.session_cookie import SessionCookies
from app.dashboard.signing_in import service_sessions
from app.dashboard_keys import read_dashboard_keys, seal_address

ATTEMPT_COOKIE = "parley_attempt_"
ATTEMPT_SECONDS = 600
MAX_ATTEMPTS = 5
"""Attempts of one browser at once; a browser sends all of their cookies with the answer."""
MAX_PAGE = 500
_LONGEST = {"code": 4000, "iss": 500, "error": 200}


class ProviderSignIn:
    """Leads a browser to the identity provider and takes it back."""

    def __init__(self, cookies: SessionCookies) -> None:
        self._cookies = cookies

    def routes(self) -> list[Route]:
        return [
            Route("/session/sign-in", self._lead_to_provider, methods=["GET"]),
            Route("/session/callback", self._take_back, methods=["GET"]),
        ]

    def _lead_to_provider(self, request: Request) -> Response:
        """Lead to the provider of the deployment with the number `deployment`."""
        number = request.query_params.get("deployment", "0")
        base_url = _find_address(number)
        if base_url is None:
            return self._refuse("This dashboard is not allowed to connect to this address.", 400)
        page = request.query_params.get("page", "")
        try:
            started = service_sessions.start_sign_in(
                base_url, page if _is_page(page) else "", _seal_browser(request)
            )
        except ApiError as error:
            return self._refuse_error(error, again=_again(number, page))
        response = RedirectResponse(started.authorization_url, 303, NO_STORE)
        earlier = [name for name in request.cookies if name.startswith(ATTEMPT_COOKIE)]
        for name in earlier[: max(0, len(earlier) - MAX_ATTEMPTS + 1)]:
            self._forget_attempt(response, name)
        response.set_cookie(
            _cookie_name(started.state),
            f"{number}.{started.attempt}",
            max_age=ATTEMPT_SECONDS,
            path=self._path,
            httponly=True,
            samesite="lax",
            secure=self._cookies.is_secure(request),
        )
        return response

    def _take_back(self, request: Request) -> Response:
        """Sign in whoever comes back from the provider, or say why they are not let in."""
        given = request.query_params
        state = given.get("state", "")
        number, _, attempt = request.cookies.get(_cookie_name(state), "").partition(".")
        base_url = _find_address(number) if attempt else None
        if base_url is None:
            return self._refuse("This sign-in was not started in this browser in the past ten minutes.", 403)
        optional = {name: value[:most] for name, most in _LONGEST.items() if (value := given.get(name))}
        answer = SignInAnswer(attempt=attempt[:3000], state=state[:200], **optional)
        try:
            deployment, page = service_sessions.finish_sign_in(base_url, answer, _seal_browser(request))
        except ApiError as error:
            response = self._refuse_error(error, again=_again(number, ""))
        else:
            response = self._cookies.sign_in(request, deployment, page if _is_page(page) else "")
        self._forget_attempt(response, _cookie_name(state))
        return response

    @property
    def _path(self) -> str:
        return f"{self._cookies.home}session"

    def _forget_attempt(self, response: Response, name: str) -> None:
        response.delete_cookie(name, path=self._path, httponly=True, samesite="lax")

    def _refuse(self, detail: str, status: int) -> Response:
        return notice_page("You are not signed in", detail, self._cookies.home, status, again=_again("0", ""))

    def _refuse_error(self, error: ApiError, again: str) -> Response:
        failure = describe_api_error(error, "Signing in")
        detail = error.problem.detail if isinstance(error, Refused) and error.problem else failure.detail
        return notice_page(
            "You are not signed in",
            detail or failure.detail,
            self._cookies.home,
            403 if error.status == 403 else 503,
            request_id=failure.request_id,
            again=again,
        )


def _find_address(number: str) -> str | None:
    addresses = configuration.allowed_addresses()
    is_listed = number.isascii() and number.isdecimal() and int(number[:4]) < len(addresses)
    return addresses[int(number[:4])] if is_listed else None


def _seal_browser(request: Request) -> str:
    """The address of the browser, for the service: behind a proxy the one that `FORWARDED_ALLOW_IPS` lets it
    state."""
    keys = read_dashboard_keys(configuration.get_settings())
    return seal_address(keys, request.client.host if request.client else "")


def _is_page(page: str) -> bool:
    """Whether it is the address of a page of ours, relative to the start page: of no other host."""
    name = page.partition("?")[0]
    return len(page) <= MAX_PAGE and page.isprintable() and page.isascii() and name.replace("_", "").isalpha()


def _again(number: str, page: str) -> str:
    return f"sign-in?{urlencode({'deployment': number, 'page': page})}"


def _cookie_name(state: str) -> str:
    """A part of the state names the attempt; a state that no cookie can be named by names none."""
    part = state[:16]
    is_name = part.isascii() and part.replace("-", "").replace("_", "").isalnum()
    return ATTEMPT_COOKIE + (part if is_name else secrets.token_hex(8))
