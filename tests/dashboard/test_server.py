"""What stands between browser and Streamlit, tried on the real application in a process of its own."""

import gzip
import http.client
import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from app.dashboard.server.security_headers import SECURITY_HEADERS
from app.dashboard.signing_in.one_time_link import KEY_VARIABLE, TOKEN_VARIABLE, link_address
from tests.browser.dashboard_process import dashboard

PAGE = {"Accept": "text/html"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("anywhere")
    environment = {TOKEN_VARIABLE: "good-once", KEY_VARIABLE: "a-key"}
    with dashboard(folder, **environment) as (where, _):
        yield where


def ask(
    server: str, path: str, headers: dict[str, str] | None = None, method: str = "GET"
) -> tuple[int, http.client.HTTPMessage, bytes]:
    connection = http.client.HTTPConnection(urlsplit(server).netloc, timeout=20)
    try:
        connection.request(method, path, headers=headers or {})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


def script(server: str) -> str:
    body = ask(server, "/", PAGE)[2].decode()
    return "/static/js/" + body.split("/static/js/", 1)[1].split('"', 1)[0]


@pytest.mark.parametrize("path", ["/", "/catalog", "/_stcore/health", "/static/nothing.js"])
def test_every_answer_carries_the_security_headers(server: str, path: str) -> None:
    headers = ask(server, path)[1]
    for name, value in SECURITY_HEADERS.items():
        assert headers[name] == value


def test_scripts_go_out_compressed_and_whole(server: str) -> None:
    path = script(server)
    plain = ask(server, path)
    packed = ask(server, path, {"Accept-Encoding": "gzip"})
    assert packed[1]["Content-Encoding"] == "gzip"
    assert packed[1]["Vary"] == "Accept-Encoding"
    assert len(packed[2]) < len(plain[2]) / 2
    assert gzip.decompress(packed[2]) == plain[2]
    assert int(packed[1]["Content-Length"]) == len(packed[2])


def test_a_script_that_did_not_change_is_not_sent_again(server: str) -> None:
    path = script(server)
    tag = ask(server, path, {"Accept-Encoding": "gzip"})[1]["ETag"]
    status, _, body = ask(server, path, {"Accept-Encoding": "gzip", "If-None-Match": tag})
    assert (status, body) == (304, b"")


def test_a_part_of_a_file_is_still_a_part(server: str) -> None:
    status, headers, body = ask(server, script(server), {"Accept-Encoding": "gzip", "Range": "bytes=0-9"})
    assert status == 206
    assert len(body) == 10
    assert "Content-Encoding" not in headers


def test_a_browser_that_takes_no_gzip_gets_none(server: str) -> None:
    assert "Content-Encoding" not in ask(server, script(server))[1]


def test_the_link_signs_in_once_and_is_then_refused_in_words(server: str) -> None:
    path = link_address(server, "good-once").removeprefix(server)
    status, headers, _ = ask(server, path, PAGE | {"Accept": "text/css"})
    assert "Set-Cookie" not in headers, "only a page load trades the link"
    status, headers, _ = ask(server, path, PAGE)
    assert (status, headers["Location"]) == (303, "/")
    cookie = headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "a-key" not in cookie
    status, _, body = ask(server, path, PAGE)
    assert status == 410
    assert b"no longer works" in body
    signed_in = PAGE | {"Cookie": cookie.split(";", 1)[0]}
    assert ask(server, path, signed_in)[0] == 303, "who is signed in already just goes on"


def test_a_wrong_link_is_refused(server: str) -> None:
    assert ask(server, "/?link=guess", PAGE)[0] == 410


def test_a_guessed_ticket_gets_no_cookie(server: str) -> None:
    status, headers, _ = ask(server, "/session/remember", {"x-parley-ticket": "guess"}, "POST")
    assert status == 410
    assert "Set-Cookie" not in headers


def test_a_foreign_page_cannot_sign_anybody_out(server: str) -> None:
    assert ask(server, "/session/forget", method="POST")[0] == 400
    status, headers, _ = ask(server, "/session/forget", {"x-parley-ticket": ""}, "POST")
    assert status == 204
    assert "Max-Age=0" in headers["Set-Cookie"]


def test_the_server_is_configured_wherever_it_was_started(server: str) -> None:
    config = json.loads(ask(server, "/_stcore/host-config")[2])
    assert config
    assert ask(server, "/_stcore/health")[2] == b"ok"
