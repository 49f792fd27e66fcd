"""One call from its request to its result, without I/O: a dispatcher sends and waits."""

import logging
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Generic, TypeVar

from .calls import CallLog, CallRecord, OnCall
from .credentials import Credentials
from .errors import Answer, ApiError, ReplyTooLarge, TimedOut, UnexpectedReply, Unreachable, Unsendable
from .etags import BodyCache
from .redaction import Headers
from .reply import read_reply
from .request import Call, build_request
from .retry import Outcome, Retries, TransportFailure, Tries

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
class ClientState:
    """What all identities of a client share besides connections: the address of the deployment, the cache of
    answers and the record of calls."""

    base_url: str
    retries: Retries = field(default_factory=Retries)
    bodies: BodyCache = field(default_factory=BodyCache)
    calls: CallLog = field(default_factory=CallLog)
    on_call: OnCall | None = None
    jitter: Callable[[], float] = random.random


class Exchange(Generic[Result]):
    """A call that is being made: send `request`, and send it again after each `pause_after` its outcome.
    Where there is no pause the outcome is final, and `result` reads it."""

    def __init__(self, call: Call[Result], credentials: Credentials, state: ClientState) -> None:
        request = build_request(call, state.base_url, credentials)
        self._call = call
        self._credentials = credentials
        self._state = state
        self._cache_key = (credentials.fingerprint, request.url)
        self._cached = state.bodies.get(self._cache_key) if call.caches_body else None
        if self._cached:
            confirming = {**request.headers, "if-none-match": self._cached.headers["etag"]}
            request = replace(request, headers=Headers(confirming))
        self.request = request
        self._tries = Tries(state.retries, request.method, state.jitter, call.accepted_statuses)
        self._started_at, self._began = datetime.now(UTC), time.monotonic()

    def pause_after(self, outcome: Outcome) -> float | None:
        """The seconds to wait before the request is sent again; None when `outcome` is final."""
        return self._tries.pause_after(outcome)

    def result(self, outcome: Outcome) -> Result:
        """The result that the final outcome stands for, and a record of the call. ApiError when it failed."""
        seconds = time.monotonic() - self._began
        error: ApiError | None = None
        try:
            return self._read(outcome)
        except ApiError as raised:
            error = raised
            raise
        finally:
            self._record(outcome, error, seconds)

    def _read(self, outcome: Outcome) -> Result:
        call, request, tries = self._call, self.request, self._tries.count
        if isinstance(outcome, TransportFailure):
            raise ERRORS_BY_KIND[outcome.kind](
                outcome.reason,
                method=request.method,
                path=request.path,
                request_id=request.headers["x-request-id"],
                tries=tries,
            )
        if self._cached and outcome.status == 304:
            return read_reply(call, request, self._cached, self._credentials, tries)
        result = read_reply(call, request, outcome, self._credentials, tries)
        if call.caches_body:
            self._state.bodies.store(self._cache_key, outcome)
        return result

    def _record(self, outcome: Outcome, error: ApiError | None, seconds: float) -> None:
        request = self.request
        answer = outcome if isinstance(outcome, Answer) else None
        record = CallRecord(
            method=request.method,
            template=self._call.template,
            path=request.path,
            status=answer.status if answer else None,
            error=type(error).__name__ if error else None,
            started_at=self._started_at,
            seconds=seconds,
            tries=self._tries.count,
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
        self._state.calls.add(self._credentials.fingerprint, record)
        if self._state.on_call:
            self._state.on_call(record)
