"""Calls of pages in a browser (CORS), over real sockets."""

from collections.abc import Iterator

import httpx
import pytest
from fastapi import FastAPI

from app.service.context import Context
from app.settings import Settings
from tests.http_server.test_protocol import dial, problem
from tests.service.conftest import key_for
from tests.service.running_service import serving

PAGE, OTHER = "https://app.example.com", "https://evil.example.com"
CATALOG = "/v1/catalog/companies"
PREFLIGHT = {
    "Access-Control-Request-Method": "PATCH",
    "Access-Control-Request-Headers": "authorization,content-type,idempotency-key,x-svc-end-user-email",
}


@pytest.fixture
def database_url() -> None:
    """SQLite alone: nothing here depends on the store."""
    return


@pytest.fixture(params=[PAGE, "*"], ids=["listed", "any"])
def settings(settings: Settings, request: pytest.FixtureRequest) -> Settings:
    origins = ("http://localhost:5173", request.param) if request.param else ()
    return settings.model_copy(update={"cors_origins": origins})


@pytest.fixture
def allowed(settings: Settings) -> str:
    """What an allowed page is told."""
    return settings.cors_origins[1]


@pytest.fixture
def address(app: FastAPI, settings: Settings) -> Iterator[str]:
    with serving(app, origins=settings.cors_origins) as address:
        yield address


def is_readable(answer: httpx.Response, allowed: str) -> bool:
    """Whether a browser lets the page read the answer and its headers. No answer allows credentials, and all
    say that they depend on the origin."""
    assert "access-control-allow-credentials" not in answer.headers
    assert "Origin" in answer.headers["vary"]
    if "access-control-allow-origin" not in answer.headers:
        return False
    assert answer.headers["access-control-allow-origin"] == allowed
    return answer.request.method == "OPTIONS" or answer.headers["access-control-expose-headers"] == "*"


@pytest.mark.campaign
def test_a_page_calls_from_a_browser(address: str, allowed: str, context: Context) -> None:
    with httpx.Client(base_url=address, headers={"Origin": PAGE}) as page:
        for path in (CATALOG, "/v1/webhooks/018f2c5e-7b1a-7c3d-9e4f-5a6b7c8d9e0f", "/v1/nothing"):
            preflight = page.options(path, headers=PREFLIGHT)
            assert preflight.status_code == 200
            assert is_readable(preflight, allowed)
            assert "PATCH" in preflight.headers["access-control-allow-methods"]
            named = preflight.headers["access-control-allow-headers"].lower().split(",")
            assert set(PREFLIGHT["Access-Control-Request-Headers"].split(",")) <= set(named)
        # Refusals, of the framework and of middleware too, and an answer from the cache.
        key = {"Authorization": f"Bearer {key_for(context)}"}
        answers = [
            page.get(CATALOG),
            page.get("/v1/nothing", headers=key),
            page.post(CATALOG, headers=key),
            page.post("/v1/scope", headers={**key, "Content-Type": "application/json"}, content=b"{}"),
            page.post(
                "/v1/scope", headers={**key, "Content-Type": "application/json"}, content=b" " * 2_000_000
            ),
            *(page.get(CATALOG, headers=key) for _ in range(2)),
            page.get("/v1/openapi"),
        ]
        assert [one.status_code for one in answers] == [401, 404, 405, 400, 413, 200, 200, 200]
        for answer in answers:
            assert is_readable(answer, allowed), answer.url
            assert len(answer.headers.get_list("vary")) == 1
        assert answers[-1].headers["vary"] == "Accept-Encoding, Origin"
        assert answers[-2].headers["vary"] == "Accept-Encoding, Authorization, X-API-Key, Origin"


def test_a_page_that_is_not_listed_reads_nothing(address: str, allowed: str) -> None:
    with httpx.Client(base_url=address, headers={"Origin": OTHER}) as page:
        preflight, answer = page.options(CATALOG, headers=PREFLIGHT), page.get("/v1/health")
    assert is_readable(preflight, allowed) == is_readable(answer, allowed) == (allowed == "*")
    if allowed != "*":
        assert preflight.status_code == 403
        assert preflight.headers["content-type"] == "application/problem+json"
        assert f"Pages of {OTHER} may not call" in preflight.json()["detail"]


def test_a_page_reads_the_servers_own_refusals(address: str, allowed: str) -> None:
    for origin in (PAGE, OTHER):
        with dial(address) as connection:
            connection.sendall(
                b"GET /v1/health HTTP/1.1\r\nhost: x\r\norigin: %s\r\n" % origin.encode()
                + b"x: %s\r\n\r\n" % (b"y" * 100_000)
            )
            answer = connection.recv(1 << 16)
        assert problem(answer)["status"] == 431
        told = f"\r\naccess-control-allow-origin: {allowed}\r\n".encode() in answer
        assert told == (allowed in {"*", origin})


@pytest.mark.parametrize("settings", [""], indirect=True, ids=["off"])
def test_without_the_setting_no_page_may_call(address: str) -> None:
    with httpx.Client(base_url=address, headers={"Origin": PAGE}) as page:
        preflight, answer = page.options(CATALOG, headers=PREFLIGHT), page.get("/v1/openapi")
    assert preflight.status_code == 405
    for headers in (preflight.headers, answer.headers):
        assert not [name for name in headers if name.startswith("access-control-")]
    assert answer.headers["vary"] == "Accept-Encoding"
