"""The browser's side of a sign-in with the identity provider: two tabs at once, and nobody else's answer."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest
from pydantic import SecretStr
from starlette.applications import Starlette
from starlette.testclient import TestClient

from app.dashboard.server import configuration
from app.dashboard.server.provider_sign_in import ATTEMPT_COOKIE, MAX_ATTEMPTS, ProviderSignIn
from app.dashboard.server.session_cookie import SessionCookies
from app.dashboard.signing_in import service_sessions
from app.dashboard.signing_in.sessions import COOKIE, SessionStore
from app.service.database.schema import migrate
from app.service.http.dependencies import CONTEXT
from app.service.main import create_service
from app.settings import Settings
from tests.dashboard.conftest import SECRET
from tests.dashboard.http_server import serve_in_thread
from tests.service.openid.small_provider import CLIENT_ID, CLIENT_SECRET, SmallProvider, small_provider

HOME = "https://parley.test/prices"


@dataclass(frozen=True)
class Running:
    """A service, the provider that it sends people to, and the sessions of its dashboards."""

    provider: SmallProvider
    store: SessionStore
    app: Starlette


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with small_provider() as provider:
        settings = Settings(
            data_dir=tmp_path_factory.mktemp("service"),
            rate_limit=0,
            secret_key=SECRET,
            dashboard_url=HOME,
            oidc_issuer=provider.issuer,
            oidc_client_id=CLIENT_ID,
            oidc_client_secret=SecretStr(CLIENT_SECRET),
            oidc_roles="buyers=reader@Acme",
            oidc_contact="<it@acme.test>",
        )
        service = create_service(settings)
        migrate(CONTEXT.get(service).database)
        with serve_in_thread(service) as address:
            settings.public_url = address
            configuration.set_settings(settings)
            store = SessionStore(b"key")
            cookies = SessionCookies(store, None, HOME)
            yield Running(provider, store, Starlette(routes=ProviderSignIn(cookies).routes()))
            configuration.set_settings(Settings())
            service_sessions.close_clients()


@pytest.fixture(autouse=True)
def provider(running: Running) -> SmallProvider:
    """As it begins, but for its key, which the service knows."""
    running.provider.is_away = False
    running.provider.claims = {"sub": "u-1", "name": "Ada", "groups": ["buyers"], "sid": "p-1"}
    return running.provider


def new_browser(running: Running) -> TestClient:
    """It reaches the dashboard at a path that a proxy takes off, so cookies are of `/prices`."""
    return TestClient(running.app, base_url="https://parley.test", follow_redirects=False)


def start(browser: TestClient, page: str = "") -> str:
    """Where the browser is sent to."""
    answer = browser.get(f"/session/sign-in?{urlencode({'page': page})}")
    assert answer.status_code == 303, answer.text
    for cookie in answer.headers.get_list("set-cookie"):
        assert "HttpOnly" in cookie
        assert "Secure" in cookie
        assert "SameSite=lax" in cookie
        assert "Path=/prices/session" in cookie
        keep(browser, cookie)
    return answer.headers["location"]


def keep(browser: TestClient, cookie: str) -> None:
    """A browser would keep it for the path that it knows; this one knows the path behind the proxy."""
    name, _, value = cookie.split(";")[0].partition("=")
    browser.cookies.set(name, value.strip('"'), domain="parley.test", path="/session")


def come_back(browser: TestClient, running: Running, url: str, **change: Any) -> httpx.Response:
    return browser.get(f"/session/callback?{urlencode({**running.provider.authorize(url), **change})}")


def test_who_comes_back_is_signed_in_at_the_page_they_wanted(running: Running) -> None:
    browser = new_browser(running)
    answer = come_back(browser, running, start(browser, "scope?id=1"))
    assert (answer.status_code, answer.headers["location"]) == (303, "/prices/scope?id=1")
    cookie = next(c for c in answer.headers.get_list("set-cookie") if c.startswith(COOKIE))
    assert {"HttpOnly", "Secure", "SameSite=lax"} <= {part.strip() for part in cookie.split(";")}
    found = running.store.find(cookie.split(";")[0].partition("=")[2])
    assert found is not None
    assert (found.person, found.read_only) == ("Ada", True)
    assert service_sessions.is_kept_by_service(found)


@pytest.mark.parametrize(
    "page", ["//evil.example", "https://evil.example", "/\\evil", "a" * 600, "x\ny", "session/x"]
)
def test_nobody_is_led_to_another_host(running: Running, page: str) -> None:
    browser = new_browser(running)
    assert come_back(browser, running, start(browser, page)).headers["location"] == "/prices/"


@pytest.mark.campaign
def test_two_tabs_at_once_and_no_more_than_a_few(running: Running) -> None:
    browser = new_browser(running)
    urls = [start(browser) for _ in range(2)]
    for url in reversed(urls):
        assert come_back(browser, running, url).status_code == 303
    for _ in range(2 * MAX_ATTEMPTS):
        browser.get("/session/sign-in")
    last = browser.get("/session/sign-in").headers.get_list("set-cookie")
    assert len([name for name in last if name.startswith(ATTEMPT_COOKIE) and "Max-Age=600" in name]) == 1


def refused(answer: httpx.Response, status: int, words: str) -> None:
    assert answer.status_code == status
    assert words in answer.text
    assert "Sign in with an access key" in answer.text
    assert not [c for c in answer.headers.get_list("set-cookie") if c.startswith(f"{COOKIE}=")]


def test_an_answer_counts_once_and_in_the_browser_that_asked(running: Running) -> None:
    browser, other = new_browser(running), new_browser(running)
    url = start(browser)
    refused(come_back(other, running, url), 403, "not started in this browser")
    start(other)
    refused(come_back(other, running, url), 403, "not started in this browser")
    refused(come_back(browser, running, url, iss="https://evil.example"), 403, "The answer is not from")
    url = start(browser)
    assert come_back(browser, running, url).status_code == 303
    refused(come_back(browser, running, url), 403, "finished before")
    refused(browser.get("/session/callback"), 403, "not started in this browser")
    refused(browser.get("/session/callback?state=%00%ff"), 403, "not started in this browser")
    refused(browser.get("/session/sign-in?deployment=7"), 400, "not allowed")


def test_who_is_not_let_in_reads_why(running: Running, provider: SmallProvider) -> None:
    browser = new_browser(running)
    url = start(browser)
    provider.claims |= {"groups": ["strangers"]}
    refused(come_back(browser, running, url), 403, "Ask &lt;it@acme.test&gt; to give you access.")
    provider.claims |= {"groups": ["buyers"]}
    refused(come_back(browser, running, start(browser), error="access_denied"), 403, "access_denied")
    url = start(browser)
    provider.is_away = True
    refused(come_back(browser, running, url), 503, "The identity provider at 127.0.0.1 answered 502")
