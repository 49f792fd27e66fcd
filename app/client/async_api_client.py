"""The client for programs that `await`, and views of it that call as another identity."""

import random
from collections.abc import Awaitable, Callable
from dataclasses import replace
from types import TracebackType
from typing import Self

import anyio

from ..contract.base_url import parse_base_url
from .calls import OnCall
from .credentials import Credentials, EndUser
from .dispatcher import AsyncDispatcher, Deadline
from .etags import BodyCache
from .exchange import ClientState
from .interface import Interface
from .retry import Retries
from .send import MAX_BYTES, AsyncConnection, AsyncTransport, ConnectionLimits, Timeouts


class AsyncScopedClient(Interface[AsyncDispatcher]):
    """The whole interface, called as one identity over connections that others may share."""

    def acting_for(self, credentials: Credentials, *, seconds: float | None = None) -> "AsyncScopedClient":
        """A client of the same deployment over the same connections that calls as another identity. No
        identity is ever given what another one received. Calls that have not ended after `seconds`, counted
        from now and with all their tries, are given up (TimedOut)."""
        dispatcher = replace(self._dispatcher, deadline=Deadline.after(seconds))
        return AsyncScopedClient(dispatcher, credentials)


class AsyncApiClient(AsyncScopedClient):
    """`ApiClient` for programs that `await`: a call returns a coroutine, a list is read in an `async for`.

    Use it in an `async with`, or close it, in the event loop of its calls, asyncio's or Trio's. The arguments
    are those of `ApiClient`, with an asynchronous `transport` and `sleep`. A file to upload is read in the
    event loop, a piece at a time.
    """

    def __init__(
        self,
        base_url: str,
        *,
        api_key: str | None = None,
        end_user: EndUser | None = None,
        timeouts: Timeouts | None = None,
        retries: Retries | None = None,
        transport: AsyncTransport | None = None,
        on_call: OnCall | None = None,
        max_connections: int = 100,
        max_bytes: int = MAX_BYTES,
        cached_bodies: int = 256,
        sleep: Callable[[float], Awaitable[object]] = anyio.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        state = ClientState(
            parse_base_url(base_url),
            retries=retries or Retries(),
            bodies=BodyCache(cached_bodies),
            on_call=on_call,
            jitter=jitter,
        )
        limits = ConnectionLimits(timeouts or Timeouts(), max_bytes, max_connections)
        connection = AsyncConnection(limits, transport)
        super().__init__(AsyncDispatcher(state, connection, sleep), Credentials(api_key, end_user))

    async def aclose(self) -> None:
        """Close all connections, also those of the views made by `acting_for`."""
        await self._dispatcher.connection.close()

    @property
    def is_closed(self) -> bool:
        return self._dispatcher.connection.is_closed

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()
