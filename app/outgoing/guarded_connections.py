"""Connections that reach permitted addresses only: every request that the product makes to an address which
somebody else named goes through one of these.

A receiver that answered 200 has taken what was sent, whatever its other lines say. Answers that are HTTP are
read up to 1 MiB of head; of a head that is none, such as one with a negative Content-Length, the status is.
"""

import asyncio
import errno
import re
import socket
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from types import MappingProxyType
from typing import Any

import aiohttp
from aiohttp import ClientResponseError
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.client_proto import ResponseHandler
from aiohttp.http_exceptions import HttpProcessingError

from app.outgoing.addresses import Network, refusal_reason

SocketFactory = Callable[[tuple[Any, ...]], socket.socket]

LOOKUP_THREADS = 64


class RefusedAddress(OSError):
    """A connection was about to be made to an address that may not be called."""

    def __init__(self, address: str, reason: str) -> None:
        # Without the address in its text, several refusals at once stay one in the connector.
        super().__init__(errno.EACCES, "the address may not be called")
        self.address = address
        self.reason = reason


def guarded_sockets(allow: Sequence[Network]) -> SocketFactory:
    """Makes sockets for a connector, which asks with the very address that it is about to connect to."""

    def open_socket(info: tuple[Any, ...]) -> socket.socket:
        family, kind, protocol, _, address = info
        reason = refusal_reason(address[0], allow)
        if reason is not None:
            raise RefusedAddress(address[0], reason)
        return socket.socket(family, kind, protocol)

    return open_socket


class ThreadedResolver(AbstractResolver):
    """Looks names up in threads of its own: names whose servers hang must not hold up anything else that
    runs in the loop's threads."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(LOOKUP_THREADS, thread_name_prefix="lookup")

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        look_up = partial(socket.getaddrinfo, host, port, family, socket.SOCK_STREAM)
        infos = await asyncio.get_running_loop().run_in_executor(self._threads, look_up)
        return [
            ResolveResult(
                hostname=host,
                host=str(address[0]),
                port=int(address[1]),
                family=kind,
                proto=protocol,
                flags=socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
            )
            for kind, _, protocol, _, address in infos
        ]

    async def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


class _GuardedConnector(aiohttp.TCPConnector):
    """A connector without a limit of its own that reaches permitted addresses only."""

    def __init__(self, allow: Sequence[Network], **options: Any) -> None:
        super().__init__(  # pyright: ignore[reportUnknownMemberType]
            limit=0, socket_factory=guarded_sockets(allow), resolver=ThreadedResolver(), **options
        )
        self._factory = partial(_AnswerHandler, loop=asyncio.get_running_loop())


def guarded_session(
    allow: Sequence[Network],
    *,
    timeout: float | None,
    connections: Mapping[str, Any] = MappingProxyType({}),
    **options: Any,
) -> aiohttp.ClientSession:
    """A session that reaches permitted addresses only, keeps no cookies and takes no settings from its
    surroundings. `timeout` is for a whole exchange; `connections` are options of the connector."""
    return aiohttp.ClientSession(
        connector=_GuardedConnector(allow, **connections),
        timeout=aiohttp.ClientTimeout(total=timeout),
        trust_env=False,
        cookie_jar=aiohttp.DummyCookieJar(),
        **_HEAD_LIMITS,
        **options,
    )


_MAX_HEAD_BYTES = 1024 * 1024
_HEAD_LIMITS: dict[str, Any] = {
    "max_line_size": _MAX_HEAD_BYTES,
    "max_field_size": _MAX_HEAD_BYTES,
    "max_headers": _MAX_HEAD_BYTES // 4,
}
"""For a session of aiohttp, which refuses more than 8,190 bytes or 128 lines itself."""

_STATUS_LINE = re.compile(rb"HTTP/1\.[01] ([2-5][0-9]{2})[ \r\n]")
_INTERIM = (b"HTTP/1.1 1", b"HTTP/1.0 1")
_END = re.compile(rb"\r?\n\r?\n")


class _UnreadableHead(HttpProcessingError):
    """A head that could not be read, after a status line that could."""


def find_status(error: ClientResponseError) -> int | None:
    """Return the status of an answer whose head could not be read; None where it stated none."""
    return error.status if isinstance(error.__cause__, _UnreadableHead) else None


class _AnswerHandler(ResponseHandler):
    """A connection that bounds the heads of answers as a whole, and knows their status lines."""

    _head = bytearray()
    _is_whole = False

    def set_response_params(self, **params: Any) -> None:
        """Begin with the answer to another request."""
        self._head = bytearray()
        self._is_whole = False
        super().set_response_params(**params)

    def data_received(self, data: bytes) -> None:
        """Take what has arrived."""
        if not self._is_whole:
            self._head += data[: _MAX_HEAD_BYTES + 1]
            while (end := _END.search(self._head)) and self._head.startswith(_INTERIM):
                del self._head[: end.end()]
            self._is_whole = end is not None
            if end is None and len(self._head) > _MAX_HEAD_BYTES:
                if self.transport is not None:
                    self.transport.close()
                self.set_exception(HttpProcessingError(code=400, message="a head without an end"))
                return
        super().data_received(data)

    def set_exception(self, exc: BaseException, exc_cause: BaseException | None = None) -> None:
        """End the answer with an error, which carries the status where that is known."""
        line = _STATUS_LINE.match(self._head)
        if isinstance(exc, HttpProcessingError) and line is not None:
            exc = _UnreadableHead(code=int(line[1]), message=exc.message)
        super().set_exception(exc, exc if exc_cause is None else exc_cause)
