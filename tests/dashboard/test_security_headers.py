"""What a page may load, where it may connect and send forms, and that TLS stays TLS."""

import pytest
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient

from app.dashboard.server.middleware import SecurityHeaders


def read_policy(host: str, scheme: str = "http") -> tuple[dict[str, list[str]], str | None]:
    """The sources of each part of the policy of a page that was asked for at `host`, and its HSTS."""
    client = TestClient(SecurityHeaders(PlainTextResponse("page")), base_url=f"{scheme}://localhost")
    headers = client.get("/", headers={"Host": host}).headers
    parts = (one.split() for one in headers["Content-Security-Policy"].split(";"))
    return {part[0]: part[1:] for part in parts}, headers.get("Strict-Transport-Security")


def test_a_page_loads_from_its_own_host_and_sends_forms_nowhere_else() -> None:
    policy, _ = read_policy("parley.example:8501")
    own = {"'self'", "'unsafe-inline'", "data:", "blob:"}
    connects = policy.pop("connect-src")
    assert connects == ["'self'", "ws://parley.example:8501", "wss://parley.example:8501"]
    assert (policy.pop("frame-ancestors"), policy.pop("object-src")) == (["'none'"], ["'none'"])
    assert {"default-src", "script-src", "form-action", "base-uri"} <= policy.keys()
    assert {source for sources in policy.values() for source in sources} <= own
    assert [name for name, sources in policy.items() if "'unsafe-inline'" in sources] == [
        "script-src",
        "style-src",
    ], "where Streamlit needs it, and nowhere else"


@pytest.mark.parametrize("host", ["a.example; script-src *", "a.example *", "", "[::1", "a.example/x"])
def test_a_host_that_is_none_opens_nothing(host: str) -> None:
    policy, _ = read_policy(host)
    assert policy["connect-src"] == ["'self'"]
    assert policy["script-src"] == ["'self'", "'unsafe-inline'"]


@pytest.mark.parametrize(("scheme", "asks"), [("http", False), ("https", True)])
def test_over_tls_a_host_is_asked_by_tls_alone(scheme: str, asks: bool) -> None:
    assert (read_policy("a.example", scheme)[1] is not None) == asks
