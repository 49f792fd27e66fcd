"""The clients, for programs that wait and for programs that `await`, and views of them that call as another
identity."""

import random
import time
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Self, TypedDict, Unpack

import anyio

from ..contract.deployment import parse_base_url
from .calls import OnCall
from .credentials import Credentials, EndUser
from .dispatcher import AsyncDispatcher, Dispatcher
from .etags import BodyCache
from .exchange import ClientState
from .interface import Interface
from .retry import Retries
from .send import (
    MAX_BYTES,
    AsyncConnection,
    AsyncTransport,
    Connection,
    ConnectionLimits,
    Timeouts,
    Transport,
)


class ClientOptions(TypedDict, total=False):
    """What both clients take by name.

    api_key: sent as `Authorization: Bearer`.
    end_user: on whose behalf calls are made.
    timeouts: by default 5 s to connect, 30 s to read, 120 s to upload.
    retries: how often a request is sent and how long the client waits.
    on_call: called with the record of each call when it has ended, in the thread that made it.
    max_connections: by default 100.
    max_bytes: an answer of more bytes is refused (ReplyTooLarge).
    cached_bodies: how many answers with an ETag are kept, by default 256.
    jitter: the factor (0 to 1) that spreads the waits between tries.
    """

    api_key: str | None
    end_user: EndUser | None
    timeouts: Timeouts | None
    retries: Retries | None
    on_call: OnCall | None
    max_connections: int
    max_bytes: int
    cached_bodies: int
    jitter: Callable[[], float]


def _prepare(
    base_url: str,
    *,
    api_key: str | None = None,
    end_user: EndUser | None = None,
    timeouts: Timeouts | None = None,
    retries: Retries | None = None,
    on_call: OnCall | None = None,
    max_connections: int = 100,
    max_bytes: int = MAX_BYTES,
    cached_bodies: int = 256,
    jitter: Callable[[], float] = random.random,
) -> tuple[ClientState, ConnectionLimits, Credentials]:
    """What the dispatcher, the connections and the calls of a client are made with."""
    state = ClientState(
        parse_base_url(base_url),
        retries=retries or Retries(),
        bodies=BodyCache(cached_bodies),
        on_call=on_call,
        jitter=jitter,
    )
    limits = ConnectionLimits(timeouts or Timeouts(), max_bytes, max_connections)
    return state, limits, Credentials(api_key, end_user)


ScopedClient = Interface[Dispatcher]
AsyncScopedClient = Interface[AsyncDispatcher]


class ApiClient(ScopedClient):
    """A client with connections of its own. Close it, or use it in a `with`. Safe to share between threads.

    Args:
        base_url: where `/v1` lies, such as `https://parley.example.com`; a `/v1` at its end is left out.
        transport: replaces the network.
        sleep: what waits between tries.
        options: the others, see `ClientOptions`.

    ValueError for an address or credential that cannot be used.
    """

    def __init__(
        self,
        base_url: str,
        *,
        transport: Transport | None = None,
        sleep: Callable[[float], object] = time.sleep,
        **options: Unpack[ClientOptions],
    ) -> None:
        state, limits, credentials = _prepare(base_url, **options)
        super().__init__(Dispatcher(state, Connection(limits, transport), sleep), credentials)

    def close(self) -> None:
        """Close all connections, also those of the views made by `acting_for`."""
        self._dispatcher.connection.close()

    @property
    def is_closed(self) -> bool:
        return self._dispatcher.connection.is_closed

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


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
        transport: AsyncTransport | None = None,
        sleep: Callable[[float], Awaitable[object]] = anyio.sleep,
        **options: Unpack[ClientOptions],
    ) -> None:
        state, limits, credentials = _prepare(base_url, **options)
        super().__init__(AsyncDispatcher(state, AsyncConnection(limits, transport), sleep), credentials)

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
