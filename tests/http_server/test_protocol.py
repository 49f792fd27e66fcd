"""What the server takes from the network before an application sees anything, over real sockets."""

import json
import socket
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from starlette.types import Message, Receive, Scope, Send
from websockets.sync.client import connect

from app.contract.problem import MEDIA_TYPE
from app.http_server.connections import ConnectionLimits
from tests.service.running_service import serving

PATIENCE = 20.0
LIMITS = ConnectionLimits(
    connections=20,
    connections_per_address=20,
    head_bytes=16 * 1024,
    headers=50,
    head_seconds=0.5,
    body_seconds=0.5,
    idle_seconds=0.5,
    write_seconds=0.5,
    check_seconds=0.05,
)
SLOW = replace(LIMITS, head_seconds=PATIENCE, body_seconds=PATIENCE, idle_seconds=PATIENCE)
GET = b"GET /echo HTTP/1.1\r\nhost: x\r\n\r\n"
LARGE = 8 * 1024 * 1024


class Echo:
    """Answers with what it was sent: `/echo` reads the body, `/early` does not, `/large` answers 8 MiB."""

    def __init__(self) -> None:
        self.disconnected = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _live(receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.accept"})
            await send({"type": "websocket.send", "text": (await receive())["text"]})
        elif scope["path"] == "/early":
            await _answer(send, 413, b"no", [(b"connection", b"close")])
        elif scope["path"] == "/large":
            await _answer(send, 200, b"x" * LARGE)
        else:
            await self._echo(scope, receive, send)

    async def _echo(self, scope: Scope, receive: Receive, send: Send) -> None:
        body, message = b"", {"more_body": True}
        while message.get("more_body"):
            message: Message = await receive()
            if message["type"] == "http.disconnect":
                self.disconnected += 1
                return
            body += message["body"]
        names = [name.decode() for name, _ in scope["headers"]]
        await _answer(send, 200, json.dumps({"body": len(body), "headers": names}).encode())


async def _answer(
    send: Send, status: int, body: bytes, headers: list[tuple[bytes, bytes]] | None = None
) -> None:
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": status, "headers": [length, *(headers or [])]})
    await send({"type": "http.response.body", "body": body})


async def _live(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": message["type"] + ".complete"})
        if message["type"] == "lifespan.shutdown":
            return


@pytest.fixture(scope="module")
def app() -> Echo:
    return Echo()


@pytest.fixture(scope="module")
def address(app: Echo) -> Iterator[str]:
    with serving(app, LIMITS, websockets=True) as address:
        yield address


@pytest.fixture(scope="module")
def patient_address(app: Echo) -> Iterator[str]:
    """A server that gives every caller time."""
    with serving(app, SLOW) as address:
        yield address


def dial(address: str) -> socket.socket:
    parts = urlsplit(address)
    assert parts.hostname
    assert parts.port
    return socket.create_connection((parts.hostname, parts.port), timeout=PATIENCE)


def read_to_end(connection: socket.socket) -> bytes:
    """All that comes until the server closes."""
    answer = b""
    while chunk := connection.recv(1 << 16):
        answer += chunk
    return answer


def problem(answer: bytes) -> dict[str, Any]:
    """The problem document that `answer` is, all of it."""
    head, _, body = answer.partition(b"\r\n\r\n")
    assert f"content-type: {MEDIA_TYPE}".encode() in head
    assert b"connection: close" in head
    document: dict[str, Any] = json.loads(body)
    assert head.startswith(f"HTTP/1.1 {document['status']} {document['title']}\r\n".encode())
    assert document["detail"]
    assert document["trace"]["requestId"]
    return document


@pytest.mark.parametrize(
    "head",
    [
        b"GET /echo HTTP/1.1\r\n" + b"".join(b"x-%d: %s\r\n" % (n, b"y" * 1000) for n in range(40)),
        b"GET /echo HTTP/1.1\r\nx: " + b"y" * LARGE,
        b"GET /" + b"y" * LARGE,
        b"GET /echo HTTP/1.1\r\n" + b"".join(b"x-%d: y\r\n" % n for n in range(60)),
        b"\r\n" * LARGE,
        b"POST /echo HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n1;" + b"y" * LARGE,
        b"POST /echo HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n1\r\ny\r\n0\r\nx: " + b"y" * LARGE,
    ],
    ids=["many lines", "one line", "address", "count", "empty lines", "chunk extension", "trailer"],
)
def test_a_head_over_its_limit_is_431_however_it_comes(patient_address: str, head: bytes) -> None:
    with dial(patient_address) as connection:
        connection.sendall(head)
        connection.shutdown(socket.SHUT_WR)
        assert problem(read_to_end(connection))["status"] == 431


@pytest.mark.parametrize("earlier", [b"", b"x-0: y\r\n" + b"x-1: " + b"y" * 9000 + b"\r\n"])
def test_a_head_over_its_limit_in_one_packet_is_431_before_it_ends(
    patient_address: str, earlier: bytes
) -> None:
    with dial(patient_address) as connection:
        connection.sendall(b"GET /echo HTTP/1.1\r\n" + earlier + b"x: " + b"y" * 50_000)
        assert problem(connection.recv(1 << 16))["status"] == 431


def test_a_half_sent_head_is_408_and_the_connection_ends(address: str) -> None:
    with dial(address) as connection:
        connection.sendall(b"GET /echo HTTP/1.1\r\nx: y")
        assert httpx.get(f"{address}/echo").status_code == 200
        connection.settimeout(PATIENCE)
        answer = connection.recv(1 << 16)
        assert problem(answer)["status"] == 408


@pytest.mark.campaign
@pytest.mark.parametrize("drip", [b"", b"\r\n"])
def test_a_connection_that_asks_nothing_ends(address: str, drip: bytes) -> None:
    with dial(address) as silent, dial(address) as idle:
        idle.sendall(GET)
        assert idle.recv(1 << 16).startswith(b"HTTP/1.1 200")
        for connection in (silent, idle):
            _drip_until_closed(connection, drip)


def _drip_until_closed(connection: socket.socket, drip: bytes) -> None:
    connection.settimeout(0.1)
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            connection.sendall(drip)
            if connection.recv(1) == b"":
                return
        except TimeoutError:
            continue
        except (BrokenPipeError, ConnectionResetError):
            return
    pytest.fail("the connection stayed open")


def test_a_body_that_comes_too_slowly_is_408_and_the_application_is_told(address: str, app: Echo) -> None:
    told_before = app.disconnected
    with dial(address) as connection:
        connection.sendall(b"POST /echo HTTP/1.1\r\ncontent-length: 1000\r\n\r\nab")
        assert problem(connection.recv(1 << 16))["status"] == 408
    deadline = time.monotonic() + PATIENCE
    while app.disconnected == told_before:
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.campaign
def test_a_body_may_take_long_while_it_moves(app: Echo) -> None:
    with serving(app, replace(LIMITS, body_bytes=1000)) as address, dial(address) as connection:
        connection.sendall(b"POST /echo HTTP/1.1\r\ncontent-length: 12000\r\n\r\n")
        for _ in range(12):
            connection.sendall(b"x" * 1000)
            time.sleep(0.1)
        assert b'{"body": 12000' in connection.recv(1 << 16)


def test_an_answer_before_the_end_of_the_body_arrives(patient_address: str) -> None:
    """The connection is not reset while the caller still sends, which would cost it the answer."""
    with dial(patient_address) as connection:
        connection.sendall(b"POST /early HTTP/1.1\r\ncontent-length: %d\r\n\r\n" % LARGE)
        for _ in range(LARGE >> 16):
            connection.sendall(b"x" * (1 << 16))
        connection.shutdown(socket.SHUT_WR)
        assert read_to_end(connection).startswith(b"HTTP/1.1 413")


def test_a_caller_that_waits_for_continue_gets_it_or_the_answer(patient_address: str) -> None:
    head = b"POST %s HTTP/1.1\r\ncontent-length: 3\r\nexpect: 100-continue\r\n\r\n"
    with dial(patient_address) as connection:
        connection.sendall(head % b"/early")
        assert connection.recv(1 << 16).startswith(b"HTTP/1.1 413")
    with dial(patient_address) as connection:
        connection.sendall(head % b"/echo")
        assert connection.recv(1 << 16) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(b"abc")
        assert b'{"body": 3' in connection.recv(1 << 16)


def test_what_is_no_http_is_a_400_problem(patient_address: str) -> None:
    with dial(patient_address) as connection:
        connection.sendall(b"\x16\x03\x01\x02\x00nonsense\r\n\r\n")
        assert problem(connection.recv(1 << 16))["status"] == 400


def test_pipelined_requests_are_answered_in_order_and_nonsense_after_them_spoils_none(
    patient_address: str,
) -> None:
    with dial(patient_address) as connection:
        connection.sendall(GET * 3 + b"nonsense\r\n\r\n")
        connection.shutdown(socket.SHUT_WR)
        answer = read_to_end(connection)
    assert answer.startswith(b"HTTP/1.1 200")
    assert answer.count(b"HTTP/1.1 ") == answer.count(b"HTTP/1.1 200")


def test_trailers_are_no_headers(patient_address: str) -> None:
    with dial(patient_address) as connection:
        connection.sendall(
            b"POST /echo HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n"
            b"1\r\ny\r\n0\r\nauthorization: x\r\n\r\n"
        )
        assert b"authorization" not in connection.recv(1 << 16)


@pytest.mark.campaign
def test_an_answer_that_nobody_reads_ends_the_connection(address: str) -> None:
    with dial(address) as connection:
        connection.sendall(b"GET /large HTTP/1.1\r\n\r\n")
        time.sleep(1.5)
        read = 0
        try:
            while chunk := connection.recv(1 << 16):
                read += len(chunk)
        except ConnectionResetError:
            pass
    assert read < LARGE


def test_half_open_connections_over_the_limit_give_way_to_new_ones(patient_address: str) -> None:
    half_open = [dial(patient_address) for _ in range(60)]
    try:
        for connection in half_open[::2]:
            connection.sendall(b"GET / HTTP/1.1\r\n")
        for _ in range(3):
            assert httpx.get(f"{patient_address}/echo").status_code == 200
    finally:
        for connection in half_open:
            connection.close()


def test_where_every_connection_is_busy_a_new_one_is_a_503_problem(patient_address: str) -> None:
    busy = [dial(patient_address) for _ in range(20)]
    try:
        for connection in busy:
            connection.sendall(b"POST /echo HTTP/1.1\r\ncontent-length: 3\r\n\r\n")
        time.sleep(0.3)
        with dial(patient_address) as late:
            late.sendall(GET)
            answer = late.recv(1 << 16)
        assert problem(answer)["status"] == 503
        assert b"\r\nretry-after: 5\r\n" in answer
        for connection in busy:
            connection.sendall(b"abc")
            assert connection.recv(1 << 16).startswith(b"HTTP/1.1 200")
    finally:
        for connection in busy:
            connection.close()


def test_one_address_takes_half_of_the_connections_and_its_own_give_way(app: Echo) -> None:
    limits = replace(SLOW, connections_per_address=10)
    with serving(app, limits) as address:
        first = dial(address)
        others = [dial(address) for _ in range(10)]
        first.settimeout(PATIENCE)
        assert first.recv(1) == b""
        for connection in others[1:]:
            connection.sendall(GET)
            assert connection.recv(1 << 16).startswith(b"HTTP/1.1 200")
        for connection in (first, *others):
            connection.close()


def test_a_websocket_passes(address: str) -> None:
    with connect(address.replace("http:", "ws:") + "/socket") as websocket:
        websocket.send("hello")
        assert websocket.recv() == "hello"
