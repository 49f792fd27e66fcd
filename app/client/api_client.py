"""The client, and views of it that call as another identity."""

import random
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from .calls import CallLog, CallRecord, OnCall
from .credentials import Credentials, EndUser
from .dispatcher import Dispatcher
from .etags import BodyCache
from .reply import read_as
from .request import Call, parse_base_url
from .resources.catalog import Catalog
from .resources.files import Files
from .resources.health import Health
from .resources.negotiations import Negotiations
from .resources.pricing import Pricing
from .resources.scopes import Scopes
from .resources.search import Search
from .resources.webhooks import Webhooks
from .retry import Retries
from .send import Connection, Timeouts, Transport

_description = read_as(dict[str, object])

MAX_BYTES = 64 * 1024 * 1024
"""The largest answer accepted, in bytes: a file of the largest size that a service stores by default, and a
margin."""


class ScopedClient:
    """The whole interface, called as one identity over connections that others may share."""

    def __init__(self, dispatcher: Dispatcher, credentials: Credentials) -> None:
        self._dispatcher = dispatcher
        self._credentials = credentials
        self.catalog = Catalog(dispatcher, credentials)
        self.search = Search(dispatcher, credentials)
        self.scopes = Scopes(dispatcher, credentials)
        self.pricing = Pricing(dispatcher, credentials)
        self.webhooks = Webhooks(dispatcher, credentials)
        self.negotiations = Negotiations(dispatcher, credentials)
        self.files = Files(dispatcher, credentials)
        self.health = Health(dispatcher, credentials)

    @property
    def base_url(self) -> str:
        """The address of the deployment, without a slash at its end."""
        return self._dispatcher.base_url

    @property
    def calls(self) -> list[CallRecord]:
        """The latest 200 calls of this identity, newest last."""
        return self._dispatcher.calls.of(self._credentials.fingerprint)

    def acting_for(self, credentials: Credentials) -> "ScopedClient":
        """A client of the same deployment over the same connections that calls as another identity. No
        identity is ever given what another one received."""
        return ScopedClient(self._dispatcher, credentials)

    def openapi(self) -> dict[str, object]:
        """The OpenAPI description of the deployment; `offered_operations` reads it."""
        call = Call("GET", "/v1/openapi", (), _description, identity="nobody", caches_body=True)
        return self._dispatcher.send(call, self._credentials)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._dispatcher.base_url}, {self._credentials!r})"


class ApiClient(ScopedClient):
    """A client with connections of its own. Close it, or use it in a `with`. Safe to share between threads.

    Args:
        base_url: where `/v1` lies, such as `https://parley.example.com`.
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
        sleep: Callable[[float], None] = time.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        credentials = Credentials(api_key, end_user)
        address = parse_base_url(base_url)
        self._connection = Connection(
            timeouts or Timeouts(),
            transport=transport,
            max_connections=max_connections,
            max_bytes=max_bytes,
            sleep=sleep,
        )
        dispatcher = Dispatcher(
            base_url=address,
            connection=self._connection,
            retries=retries or Retries(),
            bodies=BodyCache(cached_bodies),
            calls=CallLog(),
            on_call=on_call,
            jitter=jitter,
        )
        super().__init__(dispatcher, credentials)

    def close(self) -> None:
        """Close all connections, also those of the views made by `acting_for`."""
        self._connection.close()

    @property
    def is_closed(self) -> bool:
        return self._connection.is_closed

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
