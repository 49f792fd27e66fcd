"""Sends requests: the only file that uses the network, and the only one that imports httpx."""

import os
import ssl
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, fields, replace
from functools import cache
from http.cookiejar import CookieJar, DefaultCookiePolicy
from types import MappingProxyType
from typing import Any

import httpx

from ..contract.version import VERSION
from .errors import Answer
from .redaction import Headers
from .request import OutgoingRequest, Upload
from .retry import Outcome, TransportFailure

Transport = httpx.BaseTransport
"""What carries requests: pass one to replace the network in a test, or for other TLS settings."""
AsyncTransport = httpx.AsyncBaseTransport
"""The same for an asynchronous client."""

MAX_BYTES = 64 * 1024 * 1024
"""The largest answer accepted, in bytes: a file of the largest size that a service stores by default, and a
margin."""

USER_AGENT = f"parley-client/{VERSION}"


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Limits in seconds. `read` is the longest silence and `whole` the longest time for an answer to arrive
    after its first bytes. When a file is sent, `upload` replaces `read` and is also the limit for each piece
    written."""

    connect: float = 5.0
    read: float = 30.0
    upload: float = 120.0
    whole: float = 300.0


# Every exception of httpx that sending can raise, by whether the service may have seen the request.
FAILURES: Mapping[type[Exception], TransportFailure] = MappingProxyType(
    {
        httpx.ConnectTimeout: TransportFailure("timed out", "No connection was made in time.", sent=False),
        httpx.PoolTimeout: TransportFailure(
            "timed out", "All connections of this client are in use.", sent=False
        ),
        httpx.ReadTimeout: TransportFailure("timed out", "The service did not answer in time."),
        httpx.WriteTimeout: TransportFailure("timed out", "The service did not take the request in time."),
        httpx.TimeoutException: TransportFailure("timed out", "The service did not answer in time."),
        httpx.ConnectError: TransportFailure("unreachable", "The service cannot be reached.", sent=False),
        httpx.ProxyError: TransportFailure("unreachable", "The proxy refused the connection.", sent=False),
        httpx.ReadError: TransportFailure(
            "unreachable", "The connection was lost before the answer was complete."
        ),
        httpx.WriteError: TransportFailure(
            "unreachable", "The connection was lost while the request was sent."
        ),
        httpx.CloseError: TransportFailure("unreachable", "The connection was lost."),
        httpx.NetworkError: TransportFailure("unreachable", "The connection was lost."),
        httpx.RemoteProtocolError: TransportFailure(
            "unreachable", "The connection ended without a whole answer."
        ),
        httpx.ProtocolError: TransportFailure("unreachable", "The connection ended without a whole answer."),
        httpx.LocalProtocolError: TransportFailure("unsendable", "The request breaks HTTP.", sent=False),
        httpx.UnsupportedProtocol: TransportFailure(
            "unsendable", "Only http and https are supported.", sent=False
        ),
        httpx.TransportError: TransportFailure("unreachable", "The service cannot be reached."),
        httpx.DecodingError: TransportFailure("unreadable", "The answer's content encoding is broken."),
        httpx.TooManyRedirects: TransportFailure("unreadable", "The service redirects without end."),
        httpx.RequestError: TransportFailure("unreachable", "The service cannot be reached."),
        httpx.InvalidURL: TransportFailure("unsendable", "The address is not valid.", sent=False),
    }
)


def describe_failure(error: httpx.RequestError | httpx.InvalidURL) -> TransportFailure:
    """The failure that an error of httpx means."""
    failure = next(FAILURES[kind] for kind in type(error).__mro__ if kind in FAILURES)
    # Only here is the text useful (no such host, a bad certificate), and it holds no header values.
    if type(error) is httpx.ConnectError:
        return replace(failure, reason=f"{failure.reason} {_first_cause(error)}")
    return failure


def _first_cause(error: BaseException) -> str:
    """What the system says: libraries on top of it say no more than that the attempt failed."""
    while cause := error.__cause__ or error.__context__:
        several: Sequence[BaseException] = getattr(cause, "exceptions", ())
        error = several[0] if several else cause
    number = error.errno if isinstance(error, OSError) and not isinstance(error, ssl.SSLError) else None
    return os.strerror(number) if number and number > 0 else str(error)


@cache
def _trusted_authorities() -> ssl.SSLContext:
    """The system's certificates, read once in a process because reading them takes longer than a call."""
    return httpx.create_ssl_context()


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """How long a try may take, how large its answer may be, and how many connections there are."""

    timeouts: Timeouts = field(default_factory=Timeouts)
    max_bytes: int = MAX_BYTES
    max_connections: int = 100

    def within(self, seconds: float | None) -> "ConnectionLimits":
        """The limits of a try that may take so long."""
        if seconds is None:
            return self
        longest = (min(seconds, getattr(self.timeouts, one.name)) for one in fields(Timeouts))
        return replace(self, timeouts=Timeouts(*longest))


class Connection:
    """A pool of connections to one deployment, safe to share between threads and identities.

    It holds no credential and no cookie: each request carries its own.
    """

    def __init__(self, limits: ConnectionLimits, transport: Transport | None) -> None:
        self._limits = limits
        self._http = httpx.Client(transport=transport, **_options(limits))

    def send(self, request: OutgoingRequest, seconds: float | None = None) -> Outcome:
        """Send the request once, and wait no longer than `seconds` for its answer."""
        limits = self._limits.within(seconds)
        try:
            with (
                ExitStack() as files,
                self._http.stream(**_arguments(request, limits.timeouts, files)) as response,
            ):
                body = _Body(response, limits)
                pieces = response.iter_bytes()
                while body.is_wanted and (piece := next(pieces, None)) is not None:
                    body.add(piece)
                return body.outcome()
        except (httpx.RequestError, httpx.InvalidURL) as error:
            return describe_failure(error)

    def close(self) -> None:
        self._http.close()

    @property
    def is_closed(self) -> bool:
        return self._http.is_closed


class AsyncConnection:
    """A pool like `Connection`, for the tasks of one event loop."""

    def __init__(self, limits: ConnectionLimits, transport: AsyncTransport | None) -> None:
        self._limits = limits
        self._http = httpx.AsyncClient(transport=transport, **_options(limits))

    async def send(self, request: OutgoingRequest, seconds: float | None = None) -> Outcome:
        """Send the request once, and wait no longer than `seconds` for its answer."""
        limits = self._limits.within(seconds)
        try:
            with ExitStack() as files:
                async with self._http.stream(**_arguments(request, limits.timeouts, files)) as response:
                    body = _Body(response, limits)
                    pieces = response.aiter_bytes()
                    while body.is_wanted and (piece := await anext(pieces, None)) is not None:
                        body.add(piece)
                    return body.outcome()
        except (httpx.RequestError, httpx.InvalidURL) as error:
            return describe_failure(error)

    async def close(self) -> None:
        await self._http.aclose()

    @property
    def is_closed(self) -> bool:
        return self._http.is_closed


def _options(limits: ConnectionLimits) -> dict[str, Any]:
    """The options of both clients of httpx."""
    most = limits.max_connections
    return {
        "verify": _trusted_authorities(),
        "limits": httpx.Limits(max_connections=most, max_keepalive_connections=most),
        "headers": {"user-agent": USER_AGENT},
        # It takes no cookie: one would be sent with the next identity's request.
        "cookies": CookieJar(DefaultCookiePolicy(allowed_domains=[])),
    }


def _arguments(request: OutgoingRequest, timeouts: Timeouts, files: ExitStack) -> dict[str, Any]:
    """The arguments of httpx for this request; `files` closes what is opened to be sent."""
    upload = request.upload
    silence = timeouts.upload if upload else timeouts.read
    return {
        "method": request.method,
        "url": request.url,
        "headers": [(name.encode(), value.encode()) for name, value in request.headers.items()],
        "json": request.json,
        "data": request.form or None,
        "files": {"file": _part(upload, files)} if upload else None,
        "timeout": httpx.Timeout(silence, connect=timeouts.connect, pool=timeouts.connect),
        "follow_redirects": False,
    }


def _part(upload: Upload, files: ExitStack) -> tuple[str, Any, str]:
    content = upload.content
    source = content if isinstance(content, bytes) else files.enter_context(content.open("rb"))
    return upload.filename, source, upload.mime_type


class _Body:
    """The body of an answer while it arrives, until it is too large or takes too long."""

    def __init__(self, response: httpx.Response, limits: ConnectionLimits) -> None:
        self._response = response
        self._limits = limits
        self._content = bytearray()
        self._began = time.monotonic()
        declared = response.headers.get("content-length", "")
        has_length = response.request.method != "HEAD" and declared.isdigit()
        self._failure = self._too_large() if has_length and int(declared) > limits.max_bytes else None

    @property
    def is_wanted(self) -> bool:
        """Whether to read on."""
        return self._failure is None

    def add(self, piece: bytes) -> None:
        """Add what has arrived."""
        self._content += piece
        if len(self._content) > self._limits.max_bytes:
            self._failure = self._too_large()
        elif time.monotonic() - self._began > self._limits.timeouts.whole:
            self._failure = TransportFailure("timed out", "The answer did not arrive whole in time.")

    def outcome(self) -> Outcome:
        """The answer, or why there is none."""
        headers = Headers({name.lower(): value for name, value in self._response.headers.items()})
        return self._failure or Answer(self._response.status_code, headers, bytes(self._content))

    def _too_large(self) -> TransportFailure:
        return TransportFailure("too large", f"The answer is larger than {self._limits.max_bytes} bytes.")
