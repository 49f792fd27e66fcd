"""Sends one signed request and returns its result. Nothing that an endpoint does raises."""

import os
import ssl
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import ClassVar

import aiohttp
from yarl import URL

from app.contract.version import VERSION
from app.outgoing.addresses import Network
from app.outgoing.guarded_connections import RefusedAddress, find_status, guarded_session
from app.service.webhooks.attempt_result import AttemptResult, EndpointResponse, Outcome, interpret_response
from app.service.webhooks.sending_limits import TimeLimit
from app.service.webhooks.signing import Signer
from app.storable_text import decode_storable

TIMEOUT_SECONDS = 15.0
"""For the whole attempt: look-up, connection, answer and its body."""

STORED_BODY_BYTES = 16 * 1024
USER_AGENT = f"Parley-Webhooks/{VERSION}"


@dataclass(frozen=True, slots=True)
class Message:
    """What is delivered: `id` is the event's, the same at each attempt."""

    id: str
    body: bytes
    test: bool


@dataclass(frozen=True, slots=True)
class Exchange:
    """One attempt: the request's headers, the response, if any, and the result."""

    started_at: datetime
    duration_ms: int
    request_headers: dict[str, str]
    response: EndpointResponse | None
    result: AttemptResult


class _Request(aiohttp.ClientRequest):
    """Sends no Accept headers: a response is only shown, never parsed."""

    DEFAULT_HEADERS: ClassVar[dict[str, str]] = {}  # pyrefly: ignore[bad-override]


class Sender:
    """One session for all endpoints. To be made and closed in the event loop that sends."""

    def __init__(self, *, allow: Sequence[Network], timeout: float = TIMEOUT_SECONDS) -> None:
        self._limit = TimeLimit(timeout)
        self._session = guarded_session(
            allow,
            timeout=None,
            connections={"ttl_dns_cache": 30, "keepalive_timeout": 20},
            request_class=_Request,
            auto_decompress=False,
        )

    async def close(self) -> None:
        await self._session.close()

    async def send(self, url: URL, message: Message, signer: Signer, *, now: datetime) -> Exchange:
        """Signs for `now` and posts. At most 16 KiB of the answer are read, the rest is never awaited."""
        timestamp = int(now.timestamp())
        headers = {
            "content-type": "application/json",
            "user-agent": USER_AGENT,
            "webhook-id": message.id,
            "webhook-timestamp": str(timestamp),
            "webhook-signature": signer.sign(message_id=message.id, timestamp=timestamp, body=message.body),
        }
        if message.test:
            headers["webhook-test"] = "true"
        began = time.perf_counter()
        answer: EndpointResponse | None = None
        try:
            with self._limit:
                async with self._session.post(
                    url, data=message.body, headers=headers, allow_redirects=False
                ) as response:
                    answered = {name.lower(): _plain(value) for name, value in response.headers.items()}
                    answer = EndpointResponse(response.status, answered, b"")
                    answer = EndpointResponse(response.status, answered, await _read_beginning(response))
            result = interpret_response(answer, now=_add_since(now, began))
        except Exception as error:
            status = find_status(error) if isinstance(error, aiohttp.ClientResponseError) else None
            if status is None:
                result = interpret_failure(error, self._limit.seconds)
            else:
                answer = EndpointResponse(status, {}, b"")
                result = interpret_response(answer, now=_add_since(now, began))
        duration = round((time.perf_counter() - began) * 1000)
        headers["host"] = url.authority
        headers["content-length"] = str(len(message.body))
        return Exchange(now, duration, headers, answer, result)


def _add_since(now: datetime, began: float) -> datetime:
    return now + timedelta(seconds=time.perf_counter() - began)


def _plain(value: str) -> str:
    """A header's value as it can be stored: lone surrogates stand for its bytes outside UTF-8."""
    return decode_storable(value.encode("utf-8", "surrogateescape"))


async def _read_beginning(response: aiohttp.ClientResponse) -> bytes:
    """The body's first 16 KiB. A longer one ends the connection, since what is left of it is in the way."""
    body = await response.content.read(STORED_BODY_BYTES)
    while len(body) < STORED_BODY_BYTES:
        more = await response.content.read(STORED_BODY_BYTES - len(body))
        if not more:
            return body
        body += more
    response.close()
    return body


def interpret_failure(error: Exception, timeout: float = TIMEOUT_SECONDS) -> AttemptResult:
    """What an attempt without a complete answer means."""
    match error:
        case TimeoutError():
            return AttemptResult(
                Outcome.TIMED_OUT, f"No complete answer within {timeout:g} seconds.", overloaded=True
            )
        case aiohttp.ClientConnectorDNSError():
            return AttemptResult(Outcome.NAME_NOT_FOUND, "The host name cannot be resolved.")
        case aiohttp.ClientConnectorCertificateError():
            return AttemptResult(Outcome.TLS_FAILED, f"The certificate is not valid: {_reason(error)}.")
        case aiohttp.ClientConnectorSSLError() | aiohttp.ClientSSLError() | ssl.SSLError():
            return AttemptResult(Outcome.TLS_FAILED, "No secure connection could be agreed on.")
        case aiohttp.ClientConnectorError():
            return _no_connection(error.os_error)
        case aiohttp.ServerDisconnectedError() | aiohttp.ClientPayloadError() | aiohttp.ClientOSError():
            return AttemptResult(Outcome.DISCONNECTED, "The connection ended before the answer did.")
        case aiohttp.ClientResponseError():
            return AttemptResult(Outcome.MALFORMED, "The answer is not valid HTTP.")
        case aiohttp.InvalidURL():
            return AttemptResult(Outcome.INVALID, "The address is not a valid URL.")
        case RefusedAddress() | OSError():
            return _no_connection(error)
        case _:
            return AttemptResult(Outcome.INVALID, f"The request could not be sent ({type(error).__name__}).")


def _no_connection(error: OSError) -> AttemptResult:
    if isinstance(error, RefusedAddress):
        return AttemptResult(
            Outcome.ADDRESS_REFUSED,
            f"{error.address} is {error.reason}, which is not called. A deployment can allow a range.",
        )
    reason = os.strerror(error.errno).lower() if error.errno else "the host did not answer"
    return AttemptResult(Outcome.UNREACHABLE, f"No connection: {reason}.")


def _reason(error: aiohttp.ClientConnectorCertificateError) -> str:
    cause = error.certificate_error
    return cause.verify_message if isinstance(cause, ssl.SSLCertVerificationError) else "see the host"
