"""A TCP proxy in front of a real server, which can refuse, cut and stall connections."""

import contextlib
import select
import socket
import threading
from collections.abc import Generator

CHUNK = 65536


class TcpProxy:
    """Forwards connections to one address. All its methods may be called while connections are open."""

    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self._lock = threading.Lock()
        self._flowing = threading.Event()
        self._flowing.set()
        self._discard_answers = False
        self._listener: socket.socket | None = None
        self.port = 0
        self.accept()

    def accept(self) -> None:
        """Takes connections (again), always on the same port."""
        self._listener = socket.create_server(("127.0.0.1", self.port))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._serve, args=(self._listener,), daemon=True).start()

    @property
    def is_accepting(self) -> bool:
        return self._listener is not None

    def refuse(self) -> None:
        """Ends the open connections and refuses new ones, as when the server is down."""
        listener, self._listener = self._listener, None
        if listener is not None:
            with contextlib.suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            listener.close()
        self.cut()

    def cut(self) -> None:
        """Ends the open connections."""
        with self._lock:
            pairs, self._pairs = self._pairs, []
        for pair in pairs:
            for one in pair:
                with contextlib.suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)

    def stall(self) -> None:
        """Takes bytes and connections and passes nothing on, as when the server hangs."""
        self._flowing.clear()

    def flow(self) -> None:
        """Passes bytes on again, those of the meantime too."""
        self._flowing.set()

    def cut_before_next_answer(self) -> None:
        """Passes on what the client sends next, and cuts the connection instead of passing on the answer."""
        self._discard_answers = True

    def close(self) -> None:
        self.flow()
        self.refuse()

    def _serve(self, listener: socket.socket) -> None:
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=self._forward, args=(client,), daemon=True).start()

    def _forward(self, client: socket.socket) -> None:
        self._flowing.wait()
        with client, contextlib.suppress(OSError), socket.create_connection(self._target) as server:
            with self._lock:
                self._pairs.append((client, server))
            while True:
                ready, _, _ = select.select([client, server], [], [])
                self._flowing.wait()
                for source in ready:
                    data = source.recv(CHUNK)
                    if not data:
                        return
                    if source is server and self._discard_answers:
                        self._discard_answers = False
                        return
                    (server if source is client else client).sendall(data)


@contextlib.contextmanager
def proxy_to(host: str, port: int) -> Generator[TcpProxy]:
    proxy = TcpProxy(host, port)
    try:
        yield proxy
    finally:
        proxy.close()
