"""When a request is sent again, and after which wait. No I/O: time and jitter are arguments.

A try is repeated only when that cannot do a thing twice:

| what happened                             | GET, HEAD, PUT, DELETE | POST         | PATCH |
|-------------------------------------------|------------------------|--------------|-------|
| no connection was made                    | again                  | again        | again |
| 429                                       | again                  | again        | again |
| 502, 503, 504                             | again                  | with its key | no    |
| connection lost, no answer in time        | again                  | with its key | no    |
| 409 with Retry-After, or after a lost try | no                     | with its key | no    |
| anything else, 500 and other 409 among it | no                     | no           | no    |

Every POST carries an idempotency key, the same for all tries of a call, so that a service that honours it
does the thing once. A 500 is a fault of the service that repeats on each try. A 409 that names a wait, or
that follows a try whose answer was lost, says that the earlier try is still running: a later one gets its
stored answer.

A DELETE whose first answer was lost may end in NotFound, because the first try did the work.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Literal

from .errors import Answer
from .request import Method

_LONGEST_WAIT = 999_999_999.0
"""The seconds that a `Retry-After` counts for at most: about thirty years."""
_GATEWAY_STATUSES = frozenset({502, 503, 504})


@dataclass(frozen=True, slots=True)
class TransportFailure:
    """A try without an answer. `sent` is False when the service cannot have received the request."""

    kind: Literal["unreachable", "timed out", "too large", "unreadable", "unsendable"]
    reason: str
    sent: bool = True


Outcome = Answer | TransportFailure


@dataclass(frozen=True, slots=True)
class Retries:
    """How often a request is sent (`tries` includes the first) and how many seconds the client waits between.

    The client waits as long as the service asks with `Retry-After`, except that a call fails at once for more
    than `longest_retry_after`. `keyed_posts=False` is for a deployment that does not honour idempotency keys.
    """

    tries: int = 3
    first_wait: float = 0.5
    longest_wait: float = 8.0
    longest_retry_after: float = 20.0
    keyed_posts: bool = True

    def __post_init__(self) -> None:
        if self.tries < 1:
            raise ValueError("a call needs at least one try")


@dataclass(slots=True)
class Tries:
    """The tries of one call so far, and whether there is another.

    `jitter` gives a number from 0 to 1; `accepted_statuses` are answers of this call and no failures.
    """

    retries: Retries
    method: Method
    jitter: Callable[[], float]
    accepted_statuses: frozenset[int] = frozenset()
    count: int = field(default=0, init=False)
    _answer_lost: bool = field(default=False, init=False)

    def pause_after(self, outcome: Outcome) -> float | None:
        """Return the seconds to wait before the next try; None when there is none and `outcome` is final."""
        self.count += 1
        may_retry = self.count < self.retries.tries and self._is_safe_after(outcome)
        self._answer_lost |= isinstance(outcome, TransportFailure) and outcome.sent
        if not may_retry:
            return None
        retry_after = parse_retry_after(outcome.headers) if isinstance(outcome, Answer) else None
        if retry_after is None:
            return self.jitter() * min(
                self.retries.longest_wait, self.retries.first_wait * 2 ** (self.count - 1)
            )
        if retry_after > self.retries.longest_retry_after:
            return None
        # A little more than asked for, so that callers with the same wait do not return at the same moment.
        return retry_after + self.jitter() * self.retries.first_wait

    def _is_safe_after(self, outcome: Outcome) -> bool:
        keyed = self.method == "POST" and self.retries.keyed_posts
        repeatable = keyed or self.method in ("GET", "HEAD", "PUT", "DELETE")
        if isinstance(outcome, TransportFailure):
            if outcome.kind not in ("unreachable", "timed out"):
                return False
            return repeatable or not outcome.sent
        if outcome.status in self.accepted_statuses:
            return False
        if outcome.status == 409:
            return keyed and (self._answer_lost or "retry-after" in outcome.headers)
        return outcome.status == 429 or (repeatable and outcome.status in _GATEWAY_STATUSES)


def parse_retry_after(headers: Mapping[str, str], clock: Callable[[], float] = time.time) -> float | None:
    """The seconds of `Retry-After` in either form (RFC 9110, 10.2.3), at least 0; None without one.

    A date is compared with the answer's own `Date` where it has one, because clocks differ.
    """
    text = headers.get("retry-after", "").strip()
    if text.isascii() and text.isdigit():
        return min(float(text), _LONGEST_WAIT)
    moment = _moment(text)
    if moment is None:
        return None
    now = _moment(headers.get("date", ""))
    return max(0.0, moment - (clock() if now is None else now))


def _moment(text: str) -> float | None:
    try:
        return parsedate_to_datetime(text).timestamp()
    except (ValueError, OverflowError):
        return None
