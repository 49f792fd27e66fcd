"""The only file that touches the network, and the only one that imports httpx."""

import ssl
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType
from typing import Any

import httpx

from app.client.errors import Answer
from app.client.redaction import Headers
from app.client.request import Outgoing, Upload
from app.client.retry import Lost, Outcome, Tries

Transport = httpx.BaseTransport
"""What carries a request: pass one to swap the network in a test, or for TLS settings of your own."""


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds. `read` is the longest silence, `whole` the longest time that an answer may take to arrive once
    it began; `upload` replaces `read` (and counts for each piece written) when a file is sent."""

    connect: float = 5.0
    read: float = 30.0
    upload: float = 120.0
    whole: float = 300.0


# Every exception of httpx that sending can raise, by whether the service may have seen the request.
FAULTS: Mapping[type[Exception], Lost] = MappingProxyType(
    {
        httpx.ConnectTimeout: Lost("timed out", "No connection was made in time.", sent=False),
        httpx.PoolTimeout: Lost("timed out", "All connections of this client are in use.", sent=False),
        httpx.ReadTimeout: Lost("timed out", "The service did not answer in time."),
        httpx.WriteTimeout: Lost("timed out", "The service did not take the request in time."),
        httpx.TimeoutException: Lost("timed out", "The service did not answer in time."),
        httpx.ConnectError: Lost("unreachable", "The service cannot be reached.", sent=False),
        httpx.ProxyError: Lost("unreachable", "The proxy refused the connection.", sent=False),
        httpx.ReadError: Lost("unreachable", "The connection was lost before the answer was complete."),
        httpx.WriteError: Lost("unreachable", "The connection was lost while the request was sent."),
        httpx.CloseError: Lost("unreachable", "The connection was lost."),
        httpx.NetworkError: Lost("unreachable", "The connection was lost."),
        httpx.RemoteProtocolError: Lost("unreachable", "The connection ended without a whole answer."),
        httpx.ProtocolError: Lost("unreachable", "The connection ended without a whole answer."),
        httpx.LocalProtocolError: Lost("unsendable", "The request breaks HTTP.", sent=False),
        httpx.UnsupportedProtocol: Lost("unsendable", "Only http and https are spoken.", sent=False),
        httpx.TransportError: Lost("unreachable", "The service cannot be reached."),
        httpx.DecodingError: Lost("unreadable", "The answer's content encoding is broken."),
        httpx.TooManyRedirects: Lost("unreadable", "The service redirects without end."),
        httpx.RequestError: Lost("unreachable", "The service cannot be reached."),
        httpx.InvalidURL: Lost("unsendable", "The address is none.", sent=False),
    }
)


def lost_by(error: httpx.RequestError | httpx.InvalidURL) -> Lost:
    """What `error` means for the try that it ended."""
    lost = next(FAULTS[kind] for kind in type(error).__mro__ if kind in FAULTS)
    # Only here is the foreign text of use (no such host, a bad certificate), and it holds no header values.
    return replace(lost, reason=f"{lost.reason} {error}") if type(error) is httpx.ConnectError else lost


@cache
def _trusted_authorities() -> ssl.SSLContext:
    """Reading the certificates takes longer than a call: once in a process is enough."""
    return httpx.create_ssl_context()


class Connection:
    """A pool of connections to one deployment, safe to share between threads and identities.

    It holds no credential and no cookie: each request brings all that it says.
    """

    def __init__(
        self,
        timeouts: Timeouts,
        *,
        transport: Transport | None,
        most_connections: int,
        most_bytes: int,
        sleep: Callable[[float], None],
    ) -> None:
        self._timeouts = timeouts
        self._most_bytes = most_bytes
        self._sleep = sleep
        limits = httpx.Limits(max_connections=most_connections, max_keepalive_connections=most_connections)
        self._http = httpx.Client(
            transport=transport,
            verify=_trusted_authorities(),
            limits=limits,
            follow_redirects=False,
            headers={"user-agent": "parley-client"},
        )

    def exchange(self, request: Outgoing, tries: Tries) -> Outcome:
        """Sends `request` until an outcome stands, pausing between tries."""
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

    def _try(self, request: Outgoing) -> Outcome:
        try:
            with ExitStack() as stack:
                return self._send(request, stack)
        except (httpx.RequestError, httpx.InvalidURL) as error:
            return lost_by(error)

    def _send(self, request: Outgoing, stack: ExitStack) -> Outcome:
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
        # What the service set would otherwise travel with the next identity's request.
        self._http.cookies.clear()
        body = self._body(response)
        return body if isinstance(body, Lost) else Answer(response.status_code, headers, body)

    def _body(self, response: httpx.Response) -> bytes | Lost:
        too_large = Lost("too large", f"The answer is larger than {self._most_bytes} bytes.")
        declared = response.headers.get("content-length", "")
        if response.request.method != "HEAD" and declared.isdigit() and int(declared) > self._most_bytes:
            return too_large
        began = time.monotonic()
        body = bytearray()
        for piece in response.iter_bytes():
            body += piece
            if len(body) > self._most_bytes:
                return too_large
            if time.monotonic() - began > self._timeouts.whole:
                return Lost("timed out", "The answer did not arrive whole in time.")
        return bytes(body)


def _part(upload: Upload, stack: ExitStack) -> tuple[str, Any, str]:
    content = upload.content
    source = content if isinstance(content, bytes) else stack.enter_context(content.open("rb"))
    return upload.filename, source, upload.mime_type
