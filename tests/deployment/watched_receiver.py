"""A receiver of deliveries that knows which process sent each."""

import threading
from collections import Counter
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import psutil


class WatchedReceiver:
    """What arrived: how often each event, and how many from whom."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.arrivals = Counter[str]()
        self.senders = Counter[str]()
        self._lock = threading.Lock()

    def add(self, event_id: str, sender: str) -> None:
        with self._lock:
            self.arrivals[event_id] += 1
            self.senders[sender] += 1

    def missing(self, events: set[str]) -> set[str]:
        with self._lock:
            return events - set(self.arrivals)


@contextmanager
def watched_receiver(processes: Callable[[], Mapping[int, str]]) -> Generator[WatchedReceiver]:
    """A receiver on the loopback that answers 204; `processes` are the names of possible senders by their
    process ids."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = 64 * 1024

        def setup(self) -> None:
            super().setup()
            self._sender = _sender(self.client_address[1], processes())

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("content-length", 0)))
            receiver.add(self.headers["webhook-id"], self._sender)
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    receiver = WatchedReceiver(f"http://127.0.0.1:{server.server_port}/hook")
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _sender(port: int, processes: Mapping[int, str]) -> str:
    """The process whose connection has this port on its side."""
    for pid, name in processes.items():
        with suppress(psutil.Error):
            for connection in psutil.Process(pid).net_connections("tcp4"):
                if connection.laddr and connection.laddr.port == port:
                    return name
    return "one that is gone"
