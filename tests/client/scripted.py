"""A real HTTP server that answers as a test tells it to, over real sockets."""

import json
import socket
import struct
import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tests.client import records


@dataclass(frozen=True)
class Received:
    """A request as it came over the wire. Header names in lower case."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def path(self) -> str:
        return urlsplit(self.target).path

    @property
    def query(self) -> dict[str, str]:
        return dict(parse_qsl(urlsplit(self.target).query, keep_blank_values=True))

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Says:
    """An answer. `body` that is no bytes goes out as JSON."""

    status: int = 200
    body: Any = b""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])

    def content(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


@dataclass(frozen=True)
class Hangs:
    """Reads the request and never answers."""


@dataclass(frozen=True)
class Resets:
    """Reads the request and resets the connection."""


@dataclass(frozen=True)
class CutsShort:
    """Announces a long answer and closes in the middle of it."""


@dataclass(frozen=True)
class Drips:
    """Sends a few bytes every so many seconds, without end."""

    every: float = 0.05


Step = Says | Hangs | Resets | CutsShort | Drips


class ScriptedService:
    """Answers step by step; the last step stands from then on. Or answers as `reply` makes it."""

    def __init__(self) -> None:
        self.received: list[Received] = []
        self.connections = 0
        self.reply: Callable[[Received], Step] | None = None
        self._steps: deque[Step] = deque()
        self._ending = threading.Event()
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.service = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def script(self, *steps: Step) -> None:
        self._steps.extend(steps)

    def close(self) -> None:
        self._ending.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def wait_for_the_end(self, seconds: float) -> bool:
        return self._ending.wait(seconds)

    def next_step(self, request: Received) -> Step:
        with self._lock:
            self.received.append(request)
            if self.reply:
                return self.reply(request)
            if not self._steps:
                return Says(404, records.problem(404))
            return self._steps.popleft() if len(self._steps) > 1 else self._steps[0]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    service: ScriptedService

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that go away are what these tests are about."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server  # pyright: ignore[reportIncompatibleVariableOverride]

    def setup(self) -> None:
        super().setup()
        self.server.service.connections += 1

    def log_message(self, format: str, *args: Any) -> None:
        """Silence."""

    def answer(self) -> None:
        request = Received(
            self.command,
            self.path,
            {name.lower(): value for name, value in self.headers.items()},
            self._body(),
        )
        match self.server.service.next_step(request):
            case Says() as says:
                self._say(says)
            case Hangs():
                self.server.service.wait_for_the_end(30)
                self.close_connection = True
            case Resets():
                self._reset()
            case CutsShort():
                self.wfile.write(b'HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{"id":')
                self.close_connection = True
            case Drips(every):
                self.wfile.write(b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n")
                while not self.server.service.wait_for_the_end(every):
                    self.wfile.write(b" ")

    do_GET = do_HEAD = do_POST = do_PATCH = do_DELETE = answer

    def _body(self) -> bytes:
        if self.headers.get("transfer-encoding") == "chunked":
            body = b""
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
            return body
        return self.rfile.read(int(self.headers.get("content-length", 0)))

    def _say(self, says: Says) -> None:
        content = says.content()
        self.send_response(says.status)
        for name, value in says.headers.items():
            self.send_header(name, value)
        if says.status != 304 and "content-length" not in {name.lower() for name in says.headers}:
            self.send_header("content-length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD" and says.status != 304:
            self.wfile.write(content)

    def _reset(self) -> None:
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        self.connection.close()
