"""A real HTTP server that takes webhook deliveries and keeps them."""

import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True)
class Delivery:
    """One request as it came in."""

    headers: dict[str, str]
    body: bytes


class Receiver:
    """What came in so far."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.deliveries: list[Delivery] = []

    def wait_for_word(self, *words: str, seconds: float = 60) -> Delivery:
        """The first delivery with all `words` in its body. AssertionError when none comes in time."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            for delivery in list(self.deliveries):
                if all(word.encode() in delivery.body for word in words):
                    return delivery
            time.sleep(0.05)
        raise AssertionError(f"no delivery of {words} within {seconds} s among {len(self.deliveries)}")


@contextmanager
def receiving() -> Generator[Receiver]:
    """A receiver on a free port of the loopback that answers 204 to everything."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            receiver.deliveries.append(Delivery(headers, body))
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    receiver = Receiver(f"http://127.0.0.1:{server.server_port}/hook")
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
