"""The address guard: sockets that connect to permitted addresses only, and a guarded fetch on top of them."""

import asyncio
import errno
import re
import socket
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any
from urllib.parse import unquote

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from yarl import URL

from app.service.webhooks.addresses import Network, refusal_reason

SocketFactory = Callable[[tuple[Any, ...]], socket.socket]

LOOKUP_THREADS = 64
MAX_REDIRECTS = 5
CHUNK = 64 * 1024


class RefusedAddress(OSError):
    """A connection was about to be made to an address that may not be called."""

    def __init__(self, address: str, reason: str) -> None:
        # Without the address in its text, several refusals at once stay one in the connector.
        super().__init__(errno.EACCES, "the address may not be called")
        self.address = address
        self.reason = reason


class UnfetchableAddress(Exception):
    """A guarded fetch that came to nothing; its text can be shown to the caller."""


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


def guarded_connector(allow: Sequence[Network], **options: Any) -> aiohttp.TCPConnector:
    """A connector without a limit of its own that reaches permitted addresses only."""
    return aiohttp.TCPConnector(
        limit=0, socket_factory=guarded_sockets(allow), resolver=ThreadedResolver(), **options
    )


def fetch_guarded(
    url: str, *, limit_bytes: int, timeout: float, allow: Sequence[Network]
) -> tuple[bytes, str, str]:
    """Fetches a foreign file: its bytes, its content type as declared, and a file name. Blocks; redirects are
    followed, each through the guard again.

    Raises UnfetchableAddress when it cannot be had within `timeout` seconds and `limit_bytes`.
    """
    try:
        return asyncio.run(_fetch(URL(url), limit_bytes, timeout, allow))
    except TimeoutError:
        raise UnfetchableAddress(f"No answer within {timeout:g} seconds.") from None
    except aiohttp.TooManyRedirects:
        raise UnfetchableAddress(f"More than {MAX_REDIRECTS} redirects.") from None
    except aiohttp.ClientConnectorError as error:
        if isinstance(error.os_error, RefusedAddress):
            raise UnfetchableAddress(
                f"The host is at {error.os_error.reason}, which is not called."
            ) from None
        raise UnfetchableAddress("The host cannot be reached.") from None
    except (aiohttp.ClientError, OSError):
        raise UnfetchableAddress("The file cannot be fetched from this address.") from None
    except ValueError:
        raise UnfetchableAddress("The address is not a valid URL.") from None


async def _fetch(
    url: URL, limit_bytes: int, seconds: float, allow: Sequence[Network]
) -> tuple[bytes, str, str]:
    if url.scheme not in {"http", "https"} or not url.host or url.user is not None:
        raise UnfetchableAddress("Only http and https addresses without user information are fetched.")
    async with (
        aiohttp.ClientSession(
            connector=guarded_connector(allow),
            timeout=aiohttp.ClientTimeout(total=seconds),
            trust_env=False,
            cookie_jar=aiohttp.DummyCookieJar(),
        ) as session,
        session.get(url, max_redirects=MAX_REDIRECTS, headers={"Accept-Encoding": "identity"}) as answer,
    ):
        if not 200 <= answer.status < 300:
            raise UnfetchableAddress(f"The host answered {answer.status}.")
        content = bytearray()
        # Counted as it comes: a declared length may lie, and a compressed body grows.
        async for chunk in answer.content.iter_chunked(CHUNK):
            content += chunk
            if len(content) > limit_bytes:
                raise UnfetchableAddress(f"The file is larger than {limit_bytes} bytes.")
        return bytes(content), answer.content_type, _file_name(answer)


def _file_name(answer: aiohttp.ClientResponse) -> str:
    disposition = answer.content_disposition
    given = disposition.filename if disposition is not None else None
    name = given or unquote(answer.url.raw_path.rpartition("/")[2])
    return re.sub(r"[\x00-\x1f\x7f/\\]", "_", name).strip(". ")[:200] or "document"
