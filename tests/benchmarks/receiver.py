"""An endpoint that answers as fast as a socket can (`python -m tests.benchmarks.receiver`); prints its port.

`GET /arrivals` answers with the id and the moment of each delivery so far, as JSON, and forgets them. What is
posted to `/hang` is taken and never answered.
"""

import asyncio
import contextlib
import json
import subprocess
import sys
import time
import urllib.request
from collections.abc import Generator
from typing import cast

import uvloop

OK = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-type: text/plain\r\n\r\nok"


class Answering(asyncio.Protocol):
    arrivals: list[tuple[str, float]] = []  # noqa: RUF012 - shared by all connections on purpose

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's own class is none of asyncio's
        self._buffer = b""

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while (end := self._buffer.find(b"\r\n\r\n")) >= 0:
            head = self._buffer[:end].lower()
            size = int(_header(head, b"content-length") or 0)
            if len(self._buffer) < end + 4 + size:
                return
            self._buffer = self._buffer[end + 4 + size :]
            if head.startswith(b"get "):
                body = json.dumps(self.arrivals).encode()
                self.arrivals.clear()
                self._transport.write(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n%b" % (len(body), body))
            elif not head.startswith(b"post /hang"):
                self.arrivals.append((_header(head, b"webhook-id").decode(), time.time()))
                self._transport.write(OK)


def _header(head: bytes, name: bytes) -> bytes:
    start = head.find(b"\r\n" + name + b":")
    if start < 0:
        return b""
    start += len(name) + 3
    end = head.find(b"\r\n", start)
    return head[start : end if end >= 0 else None].strip()


@contextlib.contextmanager
def receiving() -> Generator[str]:
    """The receiver in a process of its own; its address."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.benchmarks.receiver"], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}"
        finally:
            process.kill()


def arrivals(url: str) -> list[tuple[str, float]]:
    """What came since the last time it was asked."""
    with urllib.request.urlopen(f"{url}/arrivals", timeout=60) as answer:
        return [(id, at) for id, at in json.load(answer)]


async def main() -> None:
    server = await asyncio.get_running_loop().create_server(Answering, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(main())
