"""Callers without a key: connections by the thousand, heads without an end, requests that stop halfway. A
service of its own process, as it is deployed, goes on answering."""

import os
import socket
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from tests.attacks.service_process import ANSWER_SECONDS, memory_of, started
from tests.http_server.test_protocol import dial, problem, read_to_end

pytestmark = [
    pytest.mark.campaign,
    pytest.mark.timeout(600),
    pytest.mark.skipif(sys.platform != "linux", reason="the memory of a process is read from /proc"),
]

HALF_OPEN = 1_100
OPEN_FILES = 1_024
LINE = b"x: " + b"y" * 1_000_000 + b"\r\n"
MOST_MEBIBYTES = 40


def test_more_half_open_connections_than_files_stop_nobody(folder: Path, key: str) -> None:
    with ExitStack() as stack:
        address, process = stack.enter_context(started(folder, open_files=OPEN_FILES))
        half_open: list[socket.socket] = []
        for number in range(HALF_OPEN):
            half_open.append(stack.enter_context(dial(address)))
            if number % 2:
                half_open[-1].sendall(b"GET /v1/catalog/companies HTTP/1.1\r\nx: ")
        for _ in range(20):
            answer = httpx.get(
                f"{address}/v1/catalog/companies", headers={"X-API-Key": key}, timeout=ANSWER_SECONDS
            )
            assert answer.status_code == 200
        assert len(os.listdir(f"/proc/{process}/fd")) < OPEN_FILES * 9 / 10


def test_heads_without_end_are_refused_and_cost_no_memory(folder: Path, key: str) -> None:
    with started(folder) as (address, process):
        before = memory_of(process)
        for _ in range(5):
            with dial(address) as connection:
                try:
                    connection.sendall(b"GET /v1/health HTTP/1.1\r\nhost: x\r\n" + LINE * 60 + b"\r\n")
                    connection.shutdown(socket.SHUT_WR)
                except (BrokenPipeError, ConnectionResetError):
                    pytest.fail("the connection was reset before the answer")
                assert problem(read_to_end(connection))["status"] == 431
        assert memory_of(process) - before < MOST_MEBIBYTES
        assert httpx.get(f"{address}/v1/catalog/companies", headers={"X-API-Key": key}).status_code == 200


def test_half_sent_requests_end_by_themselves(folder: Path, key: str) -> None:
    with ExitStack() as stack:
        address, _ = stack.enter_context(started(folder))
        heads = [stack.enter_context(dial(address)) for _ in range(200)]
        bodies = [stack.enter_context(dial(address)) for _ in range(200)]
        for connection in heads:
            connection.sendall(b"POST /v1/files/upload HTTP/1.1\r\ncontent-type: multipart/form-")
        for connection in bodies:
            connection.sendall(
                b"POST /v1/scope HTTP/1.1\r\nhost: x\r\nx-api-key: %s\r\ncontent-length: 90\r\n\r\n{"
                % key.encode()
            )
        time.sleep(25)
        # Those beyond the calls in flight of the key were told so; all others ran into the time of a body.
        statuses = {connection.recv(1 << 16)[9:12] for connection in heads + bodies}
        assert statuses == {b"408", b"429"}
        assert httpx.get(f"{address}/v1/scope", headers={"X-API-Key": key}).status_code == 200


def test_bodies_that_nobody_reads_are_not_waited_for(folder: Path, key: str) -> None:
    """Fifty megabytes for an inbox that is not there, and for an upload without a key."""
    with started(folder) as (address, process):
        before = memory_of(process)
        for path in ("/inbox/018f2c5e-7b1a-7c3d-9e4f-5a6b7c8d9e0f", "/v1/files/upload"):
            for _ in range(10):
                with dial(address) as connection:
                    connection.sendall(
                        b"POST %s HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=x\r\n"
                        b"content-length: 50000000\r\n\r\n" % path.encode()
                    )
                    connection.sendall(b"z" * 1_000_000)
                    assert connection.recv(12) in {b"HTTP/1.1 404", b"HTTP/1.1 401"}
        assert memory_of(process) - before < MOST_MEBIBYTES
