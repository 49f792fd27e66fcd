"""The client, and views of it that call as another identity."""

import random
import time
from collections.abc import Callable
from dataclasses import replace
from types import TracebackType
from typing import Self

from ..contract.base_url import parse_base_url
from .calls import OnCall
from .credentials import Credentials, EndUser
from .dispatcher import Deadline, Dispatcher
from .etags import BodyCache
from .exchange import ClientState
from .interface import Interface
from .retry import Retries
from .send import MAX_BYTES, Connection, ConnectionLimits, Timeouts, Transport


class ScopedClient(Interface[Dispatcher]):
    """The whole interface, called as one identity over connections that others may share."""

    def acting_for(self, credentials: Credentials, *, seconds: float | None = None) -> "ScopedClient":
        """A client of the same deployment over the same connections that calls as another identity. No
        identity is ever given what another one received. Calls that have not ended after `seconds`, counted
        from now and with all their tries, are given up (TimedOut)."""
        dispatcher = replace(self._dispatcher, deadline=Deadline.after(seconds))
        return ScopedClient(dispatcher, credentials)


class ApiClient(ScopedClient):
    """A client with connections of its own. Close it, or use it in a `with`. Safe to share between threads.

    Args:
        base_url: where `/v1` lies, such as `https://parley.example.com`; a `/v1` at its end is left out.
        api_key: sent as `Authorization: Bearer`.
        end_user: on whose behalf calls are made.
        timeouts: by default 5 s to connect, 30 s to read, 120 s to upload.
        retries: how often a request is sent and how long the client waits.
        transport: replaces the network.
        on_call: called with the record of each call when it has ended, in the thread that made it.
        max_bytes: an answer of more bytes is refused (ReplyTooLarge).
        cached_bodies: how many answers with an ETag are kept.
        sleep, jitter: what waits between tries, and the factor (0 to 1) that spreads the waits.

    ValueError for an address or credential that cannot be used.
    """

    def __init__(
        self,
        base_url: str,
        *,
        api_key: str | None = None,
        end_user: EndUser | None = None,
        timeouts: Timeouts | None = None,
        retries: Retries | None = None,
        transport: Transport | None = None,
        on_call: OnCall | None = None,
        max_connections: int = 100,
        max_bytes: int = MAX_BYTES,
        cached_bodies: int = 256,
        sleep: Callable[[float], object] = time.sleep,
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
        connection = Connection(limits, transport)
        super().__init__(Dispatcher(state, connection, sleep), Credentials(api_key, end_user))

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
