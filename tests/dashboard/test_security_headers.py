"""The headers of the dashboard's answers, by the host and the scheme that it was asked at."""

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from app.dashboard.server.security_headers import SecurityHeaders

HOSTS = ["parley.example.com", "parley.example.com:8443", "127.0.0.1:8501", "[::1]:8501"]


def ask(base_url: str, host: str) -> tuple[dict[str, str], str | None]:
    """The directives of the policy, and whether the host is to be asked by TLS alone."""
    answer = TestClient(SecurityHeaders(Starlette()), base_url=base_url).get("/", headers={"host": host})
    parts = answer.headers["content-security-policy"].split("; ")
    directives = {name: rest for name, _, rest in (part.partition(" ") for part in parts)}
    return directives, answer.headers.get("strict-transport-security")


@pytest.mark.parametrize("host", HOSTS)
def test_a_page_connects_to_its_own_host_alone(host: str) -> None:
    directives, strict = ask("http://x", host)
    assert directives["connect-src"] == f"'self' ws://{host} wss://{host}"
    assert directives["form-action"] == "'self'"
    assert strict is None
    assert ask("https://x", host)[1] == "max-age=31536000"


@pytest.mark.parametrize("host", ["evil.example *", "a; script-src *", "", "a,b", "a b:1"])
def test_a_host_that_is_none_adds_nothing(host: str) -> None:
    directives, _ = ask("http://x", host)
    assert directives["connect-src"] == "'self'"
    assert directives["script-src"] == "'self' 'unsafe-inline'"
