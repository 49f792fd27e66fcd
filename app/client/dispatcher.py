"""Makes calls to one deployment, for callers that wait and for callers that `await`. What a call means is in
`exchange` and `paging`; only how to send and how to wait differs."""

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from .credentials import Credentials
from .exchange import ClientState, Exchange
from .paging import Listing, Walk
from .request import Call
from .send import AsyncConnection, Connection

Result = TypeVar("Result")
Record = TypeVar("Record")


LEAST_SECONDS = 0.05
"""What a try is given though the time of all calls is over."""


@dataclass(frozen=True)
class Deadline:
    """The moment, on the clock of `time.monotonic`, after which calls are given up; None never."""

    at: float | None = None

    @staticmethod
    def after(seconds: float | None) -> "Deadline":
        return Deadline(None if seconds is None else time.monotonic() + seconds)

    def left(self) -> float | None:
        """The seconds that the next try may take; None without a limit."""
        return None if self.at is None else max(LEAST_SECONDS, self.at - time.monotonic())

    def allows(self, pause: float) -> bool:
        """Whether there is time for another try after a pause of so many seconds."""
        return self.at is None or time.monotonic() + pause < self.at


@dataclass(frozen=True)
class Dispatcher:
    """Makes a call and returns when it has ended."""

    state: ClientState
    connection: Connection
    sleep: Callable[[float], object]
    deadline: Deadline = Deadline()

    def send(self, call: Call[Result], credentials: Credentials) -> Result:
        """The result of a call made as this identity. ApiError when it fails."""
        exchange = Exchange(call, credentials, self.state)
        while True:
            outcome = self.connection.send(exchange.request, self.deadline.left())
            pause = exchange.pause_after(outcome)
            if pause is None or not self.deadline.allows(pause):
                return exchange.result(outcome)
            self.sleep(pause)

    def iterate(self, records: Listing[Record], credentials: Credentials) -> Iterator[Record]:
        """Every record, a page at a time, each when its first record is asked for."""
        walk = Walk(records)
        while call := walk.next_call():
            yield from walk.take(self.send(call, credentials))


@dataclass(frozen=True)
class AsyncDispatcher:
    """Makes a call without keeping its thread waiting."""

    state: ClientState
    connection: AsyncConnection
    sleep: Callable[[float], Awaitable[object]]
    deadline: Deadline = Deadline()

    async def send(self, call: Call[Result], credentials: Credentials) -> Result:
        """The result of a call made as this identity. ApiError when it fails."""
        exchange = Exchange(call, credentials, self.state)
        while True:
            outcome = await self.connection.send(exchange.request, self.deadline.left())
            pause = exchange.pause_after(outcome)
            if pause is None or not self.deadline.allows(pause):
                return exchange.result(outcome)
            await self.sleep(pause)

    async def iterate(self, records: Listing[Record], credentials: Credentials) -> AsyncIterator[Record]:
        """Every record, a page at a time, each when its first record is asked for."""
        walk = Walk(records)
        while call := walk.next_call():
            for record in walk.take(await self.send(call, credentials)):
                yield record
