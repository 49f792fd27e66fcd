"""Connections that reach permitted addresses only: every request that the product makes to an address which
somebody else named goes through one of these."""

import asyncio
import errno
import socket
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from types import MappingProxyType
from typing import Any

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult

from app.outgoing.addresses import Network, refusal_reason
from app.outgoing.answer_heads import HEAD_LIMITS, AnswerHandler

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
        self._factory = partial(AnswerHandler, loop=asyncio.get_running_loop())


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
        **HEAD_LIMITS,
        **options,
    )
