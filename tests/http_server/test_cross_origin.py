"""What is an origin, and which pages may read an answer."""

import pytest

from app.http_server.cross_origin import cross_origin_headers, is_origin


@pytest.mark.parametrize(
    "origin",
    [
        "*",
        "https://app.example.com",
        "http://localhost:5173",
        "http://127.0.0.1:8501",
        "http://[::1]:3000",
        "https://xn--bcher-kva.example",
        "https://app.example.com:80",
        "chrome-extension://abcdefghijklmnop",
    ],
)
def test_an_origin_is_a_scheme_a_host_and_a_port(origin: str) -> None:
    assert is_origin(origin)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "app.example.com",
        "https://",
        "https://app.example.com/",
        "https://app.example.com/path",
        "https://app.example.com?x",
        "https://user@app.example.com",
        "https://App.example.com",
        "https://bücher.example",
        "https://*.example.com",
        "https://app.example.com:443",
        "http://app.example.com:80",
        "https://app.example.com:",
        "https://app.example.com:0",
        "https://a.example https://b.example",
        "https://app.example.com\n",
    ],
)
def test_what_no_browser_sends_as_an_origin_is_none(text: str) -> None:
    assert not is_origin(text)


def test_only_listed_pages_may_read() -> None:
    ours, other = "https://app.example.com", "https://other.example.com"
    assert cross_origin_headers((), ours) == {}
    assert cross_origin_headers((ours,), other) == {}
    assert cross_origin_headers((ours,), None) == {}
    assert cross_origin_headers((ours,), ours)["access-control-allow-origin"] == ours
    assert cross_origin_headers(("*",), None)["access-control-allow-origin"] == "*"
