"""The client itself, and views of it that speak as another identity."""

import random
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from app.client.calls import CallLog, CallRecord, OnCall
from app.client.credentials import Credentials, EndUser
from app.client.dispatcher import Line
from app.client.etags import RememberedBodies
from app.client.reply import record
from app.client.request import Call, base_address
from app.client.resources.catalog import Catalog
from app.client.resources.files import Files
from app.client.resources.health import Health
from app.client.resources.negotiations import Negotiations
from app.client.resources.pricing import Pricing
from app.client.resources.scopes import Scopes
from app.client.resources.webhooks import Webhooks
from app.client.retry import Retries
from app.client.send import Connection, Timeouts, Transport

_description = record(dict[str, object])

MOST_BYTES = 64 * 1024 * 1024
"""The largest answer taken: a file of the largest size that a service stores by default, and some more."""


class ActingClient:
    """The whole interface, spoken to as one identity over connections that others may share."""

    def __init__(self, line: Line, credentials: Credentials) -> None:
        self._line = line
        self._credentials = credentials
        self.catalog = Catalog(line, credentials)
        self.scopes = Scopes(line, credentials)
        self.pricing = Pricing(line, credentials)
        self.webhooks = Webhooks(line, credentials)
        self.negotiations = Negotiations(line, credentials)
        self.files = Files(line, credentials)
        self.health = Health(line, credentials)

    @property
    def base_url(self) -> str:
        """The address of the deployment, without a slash at its end."""
        return self._line.base_url

    @property
    def calls(self) -> list[CallRecord]:
        """The latest 200 calls of this identity, newest last."""
        return self._line.calls.of(self._credentials.fingerprint)

    def acting_for(self, credentials: Credentials) -> "ActingClient":
        """The same deployment over the same connections as another identity. Nothing that one identity
        received is ever given to another."""
        return ActingClient(self._line, credentials)

    def openapi(self) -> dict[str, object]:
        """The machine-readable description of the interface; `openapi.offered_operations` reads it."""
        call = Call("GET", "/v1/openapi", (), _description, speaker="nobody", remembers=True)
        return self._line.ask(call, self._credentials)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._line.base_url}, {self._credentials!r})"


class ApiClient(ActingClient):
    """A client with connections of its own. Close it, or use it in a `with`. Safe to share between threads.

    Args:
        base_url: where `/v1` lies, such as `https://parley.example.com`.
        api_key: sent as `Authorization: Bearer`.
        end_user: on whose behalf calls are made.
        timeouts: connect 5 s, read 30 s, upload 120 s unless told otherwise.
        retries: how often and how patiently; `app.client.retry` says when.
        transport: replaces the network.
        on_call: told of each call when it ended, in the thread that made it.
        most_bytes: an answer larger than this is refused (ReplyTooLarge).
        remembered_bodies: how many answers with an ETag are kept.
        sleep, chance: what waits between tries and what spreads the waits.

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
        most_connections: int = 100,
        most_bytes: int = MOST_BYTES,
        remembered_bodies: int = 256,
        sleep: Callable[[float], None] = time.sleep,
        chance: Callable[[], float] = random.random,
    ) -> None:
        credentials = Credentials(api_key, end_user)
        address = base_address(base_url)
        self._connection = Connection(
            timeouts or Timeouts(),
            transport=transport,
            most_connections=most_connections,
            most_bytes=most_bytes,
            sleep=sleep,
        )
        line = Line(
            base_url=address,
            connection=self._connection,
            retries=retries or Retries(),
            bodies=RememberedBodies(remembered_bodies),
            calls=CallLog(),
            on_call=on_call,
            chance=chance,
        )
        super().__init__(line, credentials)

    def close(self) -> None:
        """Ends all connections. Views made by `acting_for` end with it."""
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
