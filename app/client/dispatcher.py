"""Makes calls to one deployment, with what all identities share: connections, retries, cache and record of
calls."""

import logging
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, TypeVar

from .calls import CallLog, CallRecord, OnCall
from .credentials import Credentials
from .errors import (
    Answer,
    ApiError,
    ReplyTooLarge,
    TimedOut,
    UnexpectedReply,
    Unreachable,
    Unsendable,
)
from .etags import BodyCache
from .redaction import Headers
from .reply import read_reply
from .request import Call, OutgoingRequest, build_request
from .retry import Outcome, Retries, TransportFailure, Tries
from .send import Connection

Result = TypeVar("Result")

log = logging.getLogger("parley.client")

ERRORS_BY_KIND: dict[str, type[ApiError]] = {
    "unreachable": Unreachable,
    "timed out": TimedOut,
    "too large": ReplyTooLarge,
    "unreadable": UnexpectedReply,
    "unsendable": Unsendable,
}


@dataclass(frozen=True)
class Dispatcher:
    """Makes the calls of a client to the deployment at `base_url`."""

    base_url: str
    connection: Connection
    retries: Retries
    bodies: BodyCache
    calls: CallLog
    on_call: OnCall | None = None
    jitter: Callable[[], float] = random.random

    def send(self, call: Call[Result], credentials: Credentials) -> Result:
        """Make a call as this identity and return its result. ApiError when it fails."""
        request = build_request(call, self.base_url, credentials)
        cached = self._cached_answer(call, request, credentials)
        if cached:
            request = replace(
                request, headers=Headers({**request.headers, "if-none-match": cached.headers["etag"]})
            )
        tries = Tries.of(request, self.retries, self.jitter, call.accepted_statuses)
        started_at, began = datetime.now(UTC), time.monotonic()
        outcome = self.connection.exchange(request, tries)
        seconds = time.monotonic() - began
        error: ApiError | None = None
        try:
            return self._read_outcome(call, request, outcome, cached, credentials, tries.count)
        except ApiError as raised:
            error = raised
            raise
        finally:
            self._record(call, request, outcome, error, credentials, started_at, seconds, tries.count)

    def _cached_answer(
        self, call: Call[Any], request: OutgoingRequest, credentials: Credentials
    ) -> Answer | None:
        return self.bodies.get((credentials.fingerprint, request.url)) if call.caches_body else None

    def _read_outcome(
        self,
        call: Call[Result],
        request: OutgoingRequest,
        outcome: Outcome,
        cached: Answer | None,
        credentials: Credentials,
        tries: int,
    ) -> Result:
        if isinstance(outcome, TransportFailure):
            raise ERRORS_BY_KIND[outcome.kind](
                outcome.reason,
                method=request.method,
                path=request.path,
                request_id=request.headers["x-request-id"],
                tries=tries,
            )
        if cached and outcome.status == 304:
            return read_reply(call, request, cached, credentials, tries)
        result = read_reply(call, request, outcome, credentials, tries)
        if call.caches_body:
            self.bodies.store((credentials.fingerprint, request.url), outcome)
        return result

    def _record(
        self,
        call: Call[Any],
        request: OutgoingRequest,
        outcome: Outcome,
        error: ApiError | None,
        credentials: Credentials,
        started_at: datetime,
        seconds: float,
        tries: int,
    ) -> None:
        answer = outcome if isinstance(outcome, Answer) else None
        record = CallRecord(
            method=call.method,
            template=call.template,
            path=request.path,
            status=answer.status if answer else None,
            error=type(error).__name__ if error else None,
            started_at=started_at,
            seconds=seconds,
            tries=tries,
            bytes=len(answer.body) if answer else 0,
            unchanged=answer is not None and answer.status == 304,
            request_id=(answer.headers.get("x-request-id") if answer else None)
            or request.headers["x-request-id"],
        )
        log.log(
            logging.INFO if error else logging.DEBUG,
            "%s %s -> %s in %.0f ms, %d tries, request %s",
            record.method,
            record.path,
            record.status or record.error,
            record.seconds * 1000,
            record.tries,
            record.request_id,
        )
        self.calls.add(credentials.fingerprint, record)
        if self.on_call:
            self.on_call(record)
