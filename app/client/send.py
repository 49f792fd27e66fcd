"""Sends requests: the only file that uses the network, and the only one that imports httpx."""

import ssl
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType
from typing import Any

import httpx

from ..contract.version import VERSION
from .errors import Answer
from .redaction import Headers
from .request import OutgoingRequest, Upload
from .retry import Outcome, TransportFailure, Tries

USER_AGENT = f"parley-client/{VERSION}"
Transport = httpx.BaseTransport
"""What carries requests: pass one to replace the network in a test, or for other TLS settings."""


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
    # Only here is the text of httpx useful (no such host, a bad certificate), and it holds no header values.
    return (
        replace(failure, reason=f"{failure.reason} {error}") if type(error) is httpx.ConnectError else failure
    )


@cache
def _trusted_authorities() -> ssl.SSLContext:
    """The system's certificates, read once in a process because reading them takes longer than a call."""
    return httpx.create_ssl_context()


class Connection:
    """A pool of connections to one deployment, safe to share between threads and identities.

    It holds no credential and no cookie: each request carries its own.
    """

    def __init__(
        self,
        timeouts: Timeouts,
        *,
        transport: Transport | None,
        max_connections: int,
        max_bytes: int,
        sleep: Callable[[float], None],
    ) -> None:
        self._timeouts = timeouts
        self._max_bytes = max_bytes
        self._sleep = sleep
        limits = httpx.Limits(max_connections=max_connections, max_keepalive_connections=max_connections)
        self._http = httpx.Client(
            transport=transport,
            verify=_trusted_authorities(),
            limits=limits,
            follow_redirects=False,
            headers={"user-agent": USER_AGENT},
        )

    def exchange(self, request: OutgoingRequest, tries: Tries) -> Outcome:
        """Send the request, with waits between tries, until `tries` accepts an outcome."""
        while True:
            outcome = self._try(request)
            pause = tries.pause_after(outcome)
            if pause is None:
                return outcome
            self._sleep(pause)

    def close(self) -> None:
        self._http.close()

    @property
    def is_closed(self) -> bool:
        return self._http.is_closed

    def _try(self, request: OutgoingRequest) -> Outcome:
        try:
            with ExitStack() as stack:
                return self._send(request, stack)
        except (httpx.RequestError, httpx.InvalidURL) as error:
            return describe_failure(error)

    def _send(self, request: OutgoingRequest, stack: ExitStack) -> Outcome:
        upload = request.upload
        silence = self._timeouts.upload if upload else self._timeouts.read
        response = stack.enter_context(
            self._http.stream(
                request.method,
                request.url,
                headers=[(name.encode(), value.encode()) for name, value in request.headers.items()],
                json=request.json,
                data=request.form or None,
                files={"file": _part(upload, stack)} if upload else None,
                timeout=httpx.Timeout(silence, connect=self._timeouts.connect, pool=self._timeouts.connect),
            )
        )
        headers = Headers({name.lower(): value for name, value in response.headers.items()})
        # Cookies would otherwise be sent with the next identity's request.
        self._http.cookies.clear()
        body = self._body(response)
        return body if isinstance(body, TransportFailure) else Answer(response.status_code, headers, body)

    def _body(self, response: httpx.Response) -> bytes | TransportFailure:
        too_large = TransportFailure("too large", f"The answer is larger than {self._max_bytes} bytes.")
        declared = response.headers.get("content-length", "")
        if response.request.method != "HEAD" and declared.isdigit() and int(declared) > self._max_bytes:
            return too_large
        began = time.monotonic()
        body = bytearray()
        for piece in response.iter_bytes():
            body += piece
            if len(body) > self._max_bytes:
                return too_large
            if time.monotonic() - began > self._timeouts.whole:
                return TransportFailure("timed out", "The answer did not arrive whole in time.")
        return bytes(body)


def _part(upload: Upload, stack: ExitStack) -> tuple[str, Any, str]:
    content = upload.content
    source = content if isinstance(content, bytes) else stack.enter_context(content.open("rb"))
    return upload.filename, source, upload.mime_type
