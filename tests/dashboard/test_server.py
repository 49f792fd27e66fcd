"""What stands between browser and Streamlit, tried on the real application in a process of its own."""

import gzip
import http.client
import json
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.testclient import TestClient
from streamlit import file_util
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.web.server.starlette.starlette_app_utils import generate_xsrf_token_string
from websockets.sync.client import connect

from app.dashboard.deployment import Deployment
from app.dashboard.server.held_uploads import MAX_FILES
from app.dashboard.server.middleware import SECURITY_HEADERS
from app.dashboard.server.session_cookie import SessionCookies, SignedInOnly
from app.dashboard.signing_in.one_time_link import KEY_VARIABLE, TOKEN_VARIABLE, OneTimeLink, link_address
from app.dashboard.signing_in.sessions import COOKIE, SessionStore, read_dashboard_keys
from app.settings import MEBIBYTE, Settings
from tests.browser.dashboard_process import dashboard
from tests.dashboard.conftest import RunningService

PAGE = {"Accept": "text/html"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("anywhere")


@pytest.fixture
def signed_in(server: str, folder: Path) -> str:
    """The cookie of a user who signed in at another process with the same data folder."""
    settings = Settings(data_dir=folder / "data", secret_key=None)
    store = SessionStore(*read_dashboard_keys(settings))
    _, ticket = store.start(Deployment("http://127.0.0.1:8000", "a-key"))
    return f"{COOKIE}={store.exchange_ticket(ticket)}"


@pytest.fixture(scope="module")
def server(folder: Path, service: RunningService) -> Iterator[str]:
    environment = {
        "PARLEY_PUBLIC_URL": service.address,
        TOKEN_VARIABLE: "good-once",
        KEY_VARIABLE: service.key(),
        "PARLEY_MAX_UPLOAD": str(MEBIBYTE),
    }
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


def test_a_browser_gets_the_coding_that_it_takes_best(server: str) -> None:
    path = script(server)
    asked = {"gzip, deflate, br, zstd": "zstd", "gzip;q=0.5, zstd;q=0": "gzip", "gzip;q=0": None, "": None}
    for accepted, coding in asked.items():
        status, headers, _ = ask(server, path, {"Accept-Encoding": accepted})
        assert (status, headers["Content-Encoding"], headers["Vary"]) == (200, coding, "Accept-Encoding")


def test_a_script_that_did_not_change_is_not_sent_again(server: str) -> None:
    path = script(server)
    tag = ask(server, path, {"Accept-Encoding": "gzip"})[1]["ETag"]
    status, headers, body = ask(server, path, {"Accept-Encoding": "gzip", "If-None-Match": tag})
    assert (status, body) == (304, b"")
    assert (headers["ETag"], headers["Vary"]) == (tag, "Accept-Encoding")


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
    assert upload(server, signed_in)[0] != 401
    headers = {"x-parley-ticket": "", "Cookie": signed_in["Cookie"]}
    assert ask(server, "/session/forget", headers, "POST")[0] == 204
    assert ask(server, path, signed_in)[0] == 410, "the cookie of a session that ended signs nobody in"
    assert upload(server, signed_in)[0] == 401


@pytest.mark.parametrize(
    "path", ["//evil.example/x", "//evil.example/", "/\\evil.example", "///evil.example"]
)
@pytest.mark.parametrize("query", ["", "?link=y"])
def test_no_answer_leads_to_another_host(server: str, signed_in: str, path: str, query: str) -> None:
    place = ask(server, path + query, PAGE | {"Cookie": signed_in})[1].get("Location", "/")
    assert urlsplit(urljoin(server, place)).netloc == urlsplit(server).netloc


@pytest.mark.parametrize(
    "cookie", ["a@b=1", "parley_session", "=;=", 'x="', "ä=ö", "; " * 500, "parley_session=é"]
)
@pytest.mark.parametrize("path", ["/", "/catalog", "/?link=guess", "/_stcore/host-config"])
def test_no_cookie_breaks_a_page(server: str, path: str, cookie: str) -> None:
    expected = ask(server, path, PAGE)[0]
    assert ask(server, path, PAGE | {"Cookie": cookie.encode().decode("latin-1")})[0] == expected


def test_a_broken_cookie_beside_a_good_one_does_not_hide_it(server: str, signed_in: str) -> None:
    assert upload(server, {"Cookie": f"a@b=1; {signed_in}; c@d"})[0] != 401


def upload(server: str, headers: dict[str, str]) -> tuple[int, bytes]:
    status, _, body = ask(server, "/_stcore/upload_file/session/file", headers, "PUT")
    return status, body


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("PUT", "/_stcore/upload_file/session/file"),
        ("DELETE", "/_stcore/upload_file/session/file"),
        ("GET", "/media/0000.csv"),
        ("GET", "/_stcore/metrics"),
    ],
)
def test_files_are_for_who_is_signed_in(server: str, signed_in: str, method: str, path: str) -> None:
    status, _, body = ask(server, path, {"Cookie": "parley_session=guess"}, method)
    assert (status, body) == (401, b"Sign in first.")
    assert ask(server, path, {"Cookie": signed_in}, method)[0] != 401


def test_the_fonts_of_the_page_that_signs_in_are_for_everybody(server: str) -> None:
    font = next(Path(file_util.get_static_dir()).glob("static/media/*.woff2"))
    assert ask(server, f"/static/media/{font.name}")[0] == 200


def test_an_upload_of_a_visitor_is_refused_before_its_body_is_read(server: str) -> None:
    where = urlsplit(server)
    with socket.create_connection((where.hostname or "", where.port or 0), 20) as raw:
        head = "PUT /_stcore/upload_file/session/file HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n"
        raw.sendall(head.encode())
        assert raw.recv(12) == b"HTTP/1.1 401"


@contextmanager
def open_page(server: str, cookie: str) -> Iterator[str]:
    """The path at which a page that a browser has open takes files; `{}` is for the name of one."""
    headers = {"Cookie": cookie}
    with connect(f"ws{server[4:]}/_stcore/stream", additional_headers=headers) as websocket:
        run = BackMsg()
        run.rerun_script.query_string = ""
        websocket.send(run.SerializeToString())
        message = ForwardMsg()
        while message.WhichOneof("type") != "new_session":
            message.ParseFromString(websocket.recv(20, decode=False))
        yield f"/_stcore/upload_file/{message.new_session.initialize.session_id}/{{}}"


def send_file(server: str, path: str, cookie: str, size: int, *, whole: bool = True) -> int:
    """The status that a file of `size` bytes is answered with; without `whole` only its length is sent."""
    token = generate_xsrf_token_string()
    head = b'--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n'
    body = head + b"x" * size + b"\r\n--b--\r\n"
    connection = http.client.HTTPConnection(urlsplit(server).netloc, timeout=20)
    with closing(connection):
        connection.putrequest("PUT", path)
        connection.putheader("Cookie", f"{cookie}; _streamlit_xsrf={token}")
        connection.putheader("X-Xsrftoken", token)
        connection.putheader("Content-Type", "multipart/form-data; boundary=b")
        connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body if whole else None)
        return connection.getresponse().status


def test_a_page_takes_files_up_to_a_size_and_a_number_of_each_user(server: str, signed_in: str) -> None:
    size = MEBIBYTE - 1000
    with open_page(server, signed_in) as path, open_page(server, signed_in) as other:
        assert send_file(server, path.format("a"), signed_in, 2 * MEBIBYTE, whole=False) == 413
        taken = [send_file(server, path.format(number), signed_in, size) for number in range(MAX_FILES)]
        assert taken == [204] * MAX_FILES
        assert send_file(server, other.format("b"), signed_in, size, whole=False) == 413


def test_a_head_that_is_too_large_is_refused(server: str) -> None:
    where = urlsplit(server)
    with socket.create_connection((where.hostname or "", where.port or 0), 20) as raw:
        raw.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n" + b"".join(b"X-%d: 1\r\n" % n for n in range(200)))
        assert raw.recv(12) == b"HTTP/1.1 431"


def test_what_is_compressed_and_kept_is_a_file_of_streamlit(server: str) -> None:
    for name in ("/static/js/made-up.js", "/made/up/static/x.css", "/made-up" + script(server)):
        headers = ask(server, name, {"Accept-Encoding": "gzip"})[1]
        assert not (headers["ETag"] or "").startswith("W/"), "our cache answers"


def test_a_wrong_link_is_refused(server: str) -> None:
    assert ask(server, "/?link=guess", PAGE)[0] == 410


@pytest.mark.parametrize(
    ("dashboard_url", "home", "secure"),
    [
        ("http://127.0.0.1:8501", "/", False),
        ("https://parley.example", "/", True),
        ("https://example.com/parley", "/parley/", True),
    ],
)
def test_the_cookie_is_as_secure_as_the_dashboards_address(
    service: RunningService, dashboard_url: str, home: str, secure: bool
) -> None:
    store = SessionStore(b"key")
    deployment = Deployment(service.address, service.key())
    cookies = SessionCookies(store, OneTimeLink("token", deployment), dashboard_url)
    app = Starlette(
        routes=cookies.routes(), middleware=[Middleware(SignedInOnly, cookies=cookies, max_upload=1)]
    )
    browser = TestClient(app, follow_redirects=False)
    by_link = browser.get("/anywhere?link=token", headers=PAGE)
    assert (by_link.status_code, by_link.headers["Location"]) == (303, home)
    assert f'href="{home}"' in browser.get("/?link=token", headers=PAGE | {"Cookie": ""}).text
    _, ticket = store.start(deployment)
    by_ticket = browser.post("/session/remember", headers={"x-parley-ticket": ticket})
    for answer in (by_link, by_ticket):
        assert ("Secure" in answer.headers["Set-Cookie"]) is secure


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
