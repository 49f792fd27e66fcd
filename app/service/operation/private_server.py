"""The private address of a process, for those who run it: `/livez`, `/readyz` and `/metrics`. It has no keys
and no limits, so it is to be reached from inside only."""

import asyncio
import json
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import TimeoutError as FutureTimeoutError
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from app.service.context import Context
from app.service.operation.readiness import check_readiness, is_ready

LOOP_SECONDS = 5.0
"""An event loop that answers nothing for so long stands still."""
READ_SECONDS = 10.0
TEXT = "text/plain; version=0.0.4; charset=utf-8"
Response = tuple[int, str, bytes]


@contextmanager
def serve_privately(
    context: Context, address: str | None, loop: asyncio.AbstractEventLoop
) -> Generator[int | None]:
    """Serve at `host:port` while the block runs, in threads of its own; the port, or None without an address.
    `loop` is the one that does the work of the process. Raises OSError when the port is taken."""
    if address is None:
        yield None
        return
    host, _, port = address.rpartition(":")
    server = _PrivateServer((host.strip("[]"), int(port)), _handler(_routes(context, loop)))
    Thread(target=server.serve_forever, name="private-server", daemon=True).start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()


class _PrivateServer(ThreadingHTTPServer):
    daemon_threads = True


def _routes(context: Context, loop: asyncio.AbstractEventLoop) -> Mapping[str, Callable[[], Response]]:
    def live() -> Response:
        try:
            asyncio.run_coroutine_threadsafe(asyncio.sleep(0), loop).result(LOOP_SECONDS)
        except (FutureTimeoutError, RuntimeError):
            return _json(503, {"status": "error"})
        return _json(200, {"status": "ok"})

    def ready() -> Response:
        parts = asyncio.run(check_readiness(context))
        return _json(200 if is_ready(parts) else 503, parts)

    return {
        "/livez": live,
        "/readyz": ready,
        "/metrics": lambda: (200, TEXT, context.metrics.render()),
    }


def _json(status: int, value: Mapping[str, str]) -> Response:
    return status, "application/json", json.dumps(value).encode()


def _handler(routes: Mapping[str, Callable[[], Response]]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        timeout = READ_SECONDS
        server_version = "Parley"
        sys_version = ""

        def do_GET(self) -> None:
            route = routes.get(self.path.partition("?")[0])
            status, kind, body = route() if route else _json(404, {"status": "not found"})
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """A probe each second is no news."""

    return Handler
