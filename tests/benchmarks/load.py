"""A load generator that costs little: keep-alive connections, each with one request under way at a time."""

import asyncio
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, repeat
from typing import cast

import uvloop

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)\r\n", re.IGNORECASE)
_END_OF_HEAD = b"\r\n\r\n"

LAST_ANSWER_SECONDS = 30


@dataclass(frozen=True)
class Target:
    """A GET that is sent over and over. `{n}` in the path is another number in each request, so that nothing
    made for one serves the next."""

    path: str
    headers: Mapping[str, str]

    def requests(self, host: str, port: int) -> Iterator[bytes]:
        lines = [f"GET {self.path} HTTP/1.1", f"Host: {host}:{port}"]
        lines += [f"{name}: {value}" for name, value in self.headers.items()]
        before, number, after = ("\r\n".join(lines) + "\r\n\r\n").encode().partition(b"{n}")
        if not number:
            return repeat(before)
        # Not from 0 again in the next round: what this one made may still be kept.
        start = time.monotonic_ns()
        return (b"%s%d%s" % (before, start + n, after) for n in count())


class UnexpectedAnswer(RuntimeError):
    """Something else than 200 came; its figure would mean nothing."""


class _Connection(asyncio.Protocol):
    def __init__(self, requests: Iterator[bytes], ended: Callable[[Exception | None], None]) -> None:
        self.answered = 0
        self._requests = requests
        self._ended = ended
        self._transport: asyncio.WriteTransport | None = None
        self._stopping = False
        self._head = b""
        self._missing = -1

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's transport is one in all but its class.
        self._transport = cast(asyncio.WriteTransport, transport)
        self._transport.write(next(self._requests))

    def data_received(self, data: bytes) -> None:
        if self._missing < 0:
            self._head += data
            end = self._head.find(_END_OF_HEAD)
            if end < 0:
                return
            length = _LENGTH.search(self._head, 0, end + 2)
            if not self._head.startswith(b"HTTP/1.1 200") or not length:
                self._close(UnexpectedAnswer(self._head[:300].decode("latin-1")))
                return
            self._missing = int(length[1]) - (len(self._head) - end - 4)
            self._head = b""
        else:
            self._missing -= len(data)
        if self._missing == 0:
            self._missing = -1
            self.answered += 1
            if self._stopping:
                self._close(None)
            elif self._transport:
                self._transport.write(next(self._requests))

    def connection_lost(self, exc: Exception | None) -> None:
        self._ended(exc or (None if self._stopping else UnexpectedAnswer("the server closed the connection")))

    def stop(self) -> None:
        """Takes no new request; the one under way is still counted."""
        self._stopping = True

    def _close(self, error: Exception | None) -> None:
        self._stopping = True
        self._ended(error)
        if self._transport:
            self._transport.close()


def requests_a_second(
    host: str, port: int, targets: Sequence[Target], *, rounds: int, seconds: float, connections: int = 8
) -> list[list[float]]:
    """The rates of each target, round by round: all targets take turns (A B A B …), so that what else the
    machine does falls on all of them alike. A first, short round warms up and does not count."""
    measured: list[list[float]] = [[] for _ in targets]
    for round_number in range(rounds + 1):
        for position, target in enumerate(targets):
            span = seconds if round_number else min(seconds, 0.3)
            rate = uvloop.run(_measure(host, port, target.requests(host, port), span, connections))
            if round_number:
                measured[position].append(rate)
    return measured


async def _measure(
    host: str, port: int, requests: Iterator[bytes], seconds: float, connections: int
) -> float:
    loop = asyncio.get_running_loop()
    ends = [loop.create_future() for _ in range(connections)]
    open_connections: list[_Connection] = []
    began = loop.time()
    for end in ends:

        def ended(error: Exception | None, end: asyncio.Future[None] = end) -> None:
            if end.done():
                return
            if error:
                end.set_exception(error)
            else:
                end.set_result(None)

        _, connection = await loop.create_connection(
            lambda done=ended: _Connection(requests, done), host, port
        )
        open_connections.append(connection)
    await asyncio.sleep(seconds)
    for connection in open_connections:
        connection.stop()
    # All of them: the event loop cannot be closed while one is still open.
    ended_with = await asyncio.wait_for(asyncio.gather(*ends, return_exceptions=True), LAST_ANSWER_SECONDS)
    for error in ended_with:
        if error is not None:
            raise error
    return sum(connection.answered for connection in open_connections) / (loop.time() - began)
