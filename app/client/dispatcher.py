"""The line to one deployment: what every call of a client shares, whoever makes it."""

import logging
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, TypeVar

from app.client.calls import CallLog, CallRecord, OnCall
from app.client.credentials import Credentials
from app.client.errors import (
    Answer,
    ApiError,
    ReplyTooLarge,
    TimedOut,
    UnexpectedReply,
    Unreachable,
    Unsendable,
)
from app.client.etags import RememberedBodies
from app.client.redaction import Headers
from app.client.reply import concluded
from app.client.request import Call, Outgoing, prepared
from app.client.retry import Lost, Outcome, Retries, Tries
from app.client.send import Connection

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
class Line:
    """Address, connections, patience, remembered bodies and the record of calls."""

    base_url: str
    connection: Connection
    retries: Retries
    bodies: RememberedBodies
    calls: CallLog
    on_call: OnCall | None = None
    chance: Callable[[], float] = random.random

    def ask(self, call: Call[Result], credentials: Credentials) -> Result:
        """Makes `call` as `credentials` and returns what it promises. ApiError otherwise."""
        request = prepared(call, self.base_url, credentials)
        known = self._known(call, request, credentials)
        if known:
            request = replace(
                request, headers=Headers({**request.headers, "if-none-match": known.headers["etag"]})
            )
        tries = Tries.of(request, self.retries, self.chance, call.also_good)
        started_at, began = datetime.now(UTC), time.monotonic()
        outcome = self.connection.exchange(request, tries)
        seconds = time.monotonic() - began
        error: ApiError | None = None
        try:
            return self._result(call, request, outcome, known, credentials, tries.made)
        except ApiError as raised:
            error = raised
            raise
        finally:
            self._record(call, request, outcome, error, credentials, started_at, seconds, tries.made)

    def _known(self, call: Call[Any], request: Outgoing, credentials: Credentials) -> Answer | None:
        return self.bodies.recall((credentials.fingerprint, request.url)) if call.remembers else None

    def _result(
        self,
        call: Call[Result],
        request: Outgoing,
        outcome: Outcome,
        known: Answer | None,
        credentials: Credentials,
        tries: int,
    ) -> Result:
        if isinstance(outcome, Lost):
            raise ERRORS_BY_KIND[outcome.kind](
                outcome.reason,
                method=request.method,
                path=request.path,
                request_id=request.headers["x-request-id"],
                tries=tries,
            )
        if known and outcome.status == 304:
            return concluded(call, request, known, credentials, tries)
        result = concluded(call, request, outcome, credentials, tries)
        if call.remembers:
            self.bodies.remember((credentials.fingerprint, request.url), outcome)
        return result

    def _record(
        self,
        call: Call[Any],
        request: Outgoing,
        outcome: Outcome,
        error: ApiError | None,
        credentials: Credentials,
        started_at: datetime,
        seconds: float,
        tries: int,
    ) -> None:
        answer = outcome if isinstance(outcome, Answer) else None
        made = CallRecord(
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
            made.method,
            made.path,
            made.status or made.error,
            made.seconds * 1000,
            made.tries,
            made.request_id,
        )
        self.calls.add(credentials.fingerprint, made)
        if self.on_call:
            self.on_call(made)
