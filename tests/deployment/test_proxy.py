"""The proxy that is shipped: what it lets through, to whom, and what it does when a process is gone."""

import json
import socket
import threading
from collections.abc import Generator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from app.settings import Settings
from tests.deployment.proxy import SHIPPED, check_configuration, running_proxy, write_configuration

MEBIBYTE = 1024 * 1024


class NamedServer(ThreadingHTTPServer):
    """Answers every request with its own port and what it received."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answers)
        self._connections: list[socket.socket] = []

    def process_request(self, request: Any, client_address: Any) -> None:
        self._connections.append(request)
        super().process_request(request, client_address)

    def kill(self) -> None:
        """End as a process does that is killed: what is open is closed too."""
        self.shutdown()
        self.server_close()
        for connection in self._connections:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


class _Answers(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = 64 * 1024  # head and body in one packet

    def do_GET(self) -> None:
        size = int(self.headers.get("content-length", 0))
        received = {
            "port": self.connection.getsockname()[1],
            "path": self.path,
            "size": len(self.rfile.read(size)),
            "headers": {name.lower(): value for name, value in self.headers.items()},
        }
        body = json.dumps(received).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_PUT = do_POST = do_GET

    def log_message(self, format: str, *args: object) -> None:
        return


@contextmanager
def named_server() -> Generator[NamedServer]:
    server = NamedServer()
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.kill()
        thread.join()


@dataclass(frozen=True)
class Proxied:
    """A client of the proxy, and the ports of the services and dashboards behind it."""

    client: httpx.Client
    services: list[int]
    dashboards: list[int]

    def get(self, path: str, **headers: str) -> httpx.Response:
        """What a browser that has no cookie is answered."""
        self.client.cookies.clear()
        return self.client.get(path, headers={name.replace("_", "-"): text for name, text in headers.items()})


@contextmanager
def proxied_to(
    folder: Path, services: list[int], dashboards: list[int], *, proxies_before: str = ""
) -> Generator[Proxied]:
    with (
        running_proxy(folder, services, dashboards, proxies_before) as address,
        httpx.Client(base_url=address, verify=False) as client,
    ):
        yield Proxied(client, services, dashboards)


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Generator[Proxied]:
    """Two services and two dashboards behind the proxy."""
    with ExitStack() as stack:
        ports = [stack.enter_context(named_server()).server_address[1] for _ in range(4)]
        yield stack.enter_context(proxied_to(tmp_path_factory.mktemp("proxy"), ports[:2], ports[2:]))


def test_any_service_answers_and_a_browser_stays_with_its_dashboard(proxied: Proxied) -> None:
    assert {proxied.get("/v1/health").json()["port"] for _ in range(8)} == set(proxied.services)
    for path in ("/docs/swagger-ui.css", "/mcp", "/.well-known/oauth-protected-resource/mcp"):
        assert proxied.get(path).json()["port"] in proxied.services
    met = set[int]()
    for _ in range(8):
        ports = {proxied.get("/catalog").json()["port"]}
        ports |= {proxied.client.get("/catalog").json()["port"] for _ in range(4)}
        ports.add(proxied.client.put("/_stcore/upload_file/page/file", content=b"x").json()["port"])
        assert len(ports) == 1
        met |= ports
    assert met == set(proxied.dashboards)


def test_the_host_of_the_browser_arrives_and_what_a_caller_says_of_itself_does_not(proxied: Proxied) -> None:
    headers = proxied.get(
        "/catalog", x_forwarded_for="1.2.3.4", host="parley.example.com:8443", upgrade="websocket"
    ).json()["headers"]
    assert headers["host"] == "parley.example.com:8443"
    assert headers["x-forwarded-for"] == "127.0.0.1"
    assert headers["x-forwarded-proto"] == "http"
    assert (headers["upgrade"], headers["connection"]) == ("websocket", "upgrade")
    stated = proxied.get("/catalog", x_forwarded_proto="https").json()["headers"]
    assert stated["x-forwarded-proto"] == "http"
    assert "upgrade" not in stated


def test_a_proxy_before_this_one_is_believed_where_it_is_listed(tmp_path: Path) -> None:
    with named_server() as server:
        ports = [server.server_address[1]]
        with proxied_to(tmp_path, ports, ports, proxies_before="127.0.0.0/8 yes;") as proxied:
            stated = {"x_forwarded_proto": "https", "x_forwarded_for": "192.0.2.7"}
            headers = proxied.get("/catalog", **stated).json()["headers"]
            silent = proxied.get("/catalog").json()["headers"]
    assert (headers["x-forwarded-proto"], headers["x-forwarded-for"]) == ("https", "192.0.2.7")
    assert (silent["x-forwarded-proto"], silent["x-forwarded-for"]) == ("http", "127.0.0.1")


@pytest.mark.parametrize(
    "path", ["/_stcore/metrics", "/_stcore/agent/mcp", "/catalog/_stcore/agent/interact", "/_stcore/agent"]
)
def test_what_nobody_outside_needs_is_not_there(proxied: Proxied, path: str) -> None:
    assert proxied.get(path).status_code == 404


@pytest.mark.campaign
def test_the_largest_upload_arrives(proxied: Proxied) -> None:
    largest = bytes(Settings().max_upload + MEBIBYTE)
    assert proxied.client.post("/v1/files", content=largest).json()["size"] == len(largest)


def test_a_process_that_is_gone_is_passed_over(tmp_path: Path) -> None:
    with ExitStack() as stack:
        remaining = stack.enter_context(named_server()).server_address[1]
        with named_server() as gone:
            ports = [gone.server_address[1], remaining]
            proxied = stack.enter_context(proxied_to(tmp_path / "proxy", ports, ports))
            while proxied.get("/").json()["port"] == remaining:
                pass
        for _ in range(4):
            assert proxied.client.get("/").json()["port"] == remaining
            assert proxied.client.post("/v1/scope", content=b"{}").json()["port"] == remaining


def test_nginx_takes_the_shipped_files_as_they_are_and_with_a_certificate(tmp_path: Path) -> None:
    for name in ("nginx.conf", "upstreams.conf", "proxies-before.conf"):
        (tmp_path / name).write_text((SHIPPED / name).read_text())
    assert "warn" not in check_configuration(tmp_path)
    write_configuration(tmp_path, 18_080, [1], [2])
    _write_certificate(tmp_path / "tls")
    (tmp_path / "tls.conf").write_text((SHIPPED / "tls.conf.example").read_text())
    assert "warn" not in check_configuration(tmp_path)


def _write_certificate(folder: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "parley.example.com")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now)
        .not_valid_after(now + timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    folder.mkdir()
    (folder / "tls.crt").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    (folder / "tls.key").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
