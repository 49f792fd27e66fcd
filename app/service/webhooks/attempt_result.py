"""The result of a delivery attempt: its outcome as one word, what follows from it, and when an event is sent
again. The schedule is data (a setting): the seconds before each attempt. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from enum import StrEnum
from http import HTTPStatus


class Outcome(StrEnum):
    SUCCEEDED = "succeeded"
    REDIRECTED = "redirected"
    REJECTED = "rejected"
    GONE = "gone"
    THROTTLED = "throttled"
    SERVER_ERROR = "server_error"
    MALFORMED = "malformed"
    TIMED_OUT = "timed_out"
    UNREACHABLE = "unreachable"
    DISCONNECTED = "disconnected"
    NAME_NOT_FOUND = "name_not_found"
    ADDRESS_REFUSED = "address_refused"
    TLS_FAILED = "tls_failed"
    INVALID = "invalid"


@dataclass(frozen=True, slots=True)
class EndpointResponse:
    """An HTTP answer: its headers in lower case and at most the first 16 KiB of its body."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class AttemptResult:
    """What an attempt means for its delivery and for its webhook.

    `final`: this event is not sent again. `turn_off`: why the webhook is turned off, else None. `slow`: the
    endpoint is overloaded and gets less at once. `retry_after`: the seconds it asked to be left alone.
    """

    outcome: Outcome
    detail: str | None = None
    final: bool = False
    disable_reason: str | None = None
    overloaded: bool = False
    retry_after: float | None = None

    @property
    def succeeded(self) -> bool:
        return self.outcome is Outcome.SUCCEEDED


SUCCESS = AttemptResult(Outcome.SUCCEEDED, final=True)

OVERLOAD_STATUSES = frozenset({429, 502, 504})
"""Standard Webhooks 1.0 asks a sender to slow down for these."""

LONGEST_WAIT = 999_999_999.0
"""The seconds that a `Retry-After` counts for at most: about thirty years."""

DIRECTIVE = "webhook-delivery"
"""The header by which an answer of any status steers us: `disable` or `abort-message`."""


def interpret_response(answer: EndpointResponse, *, now: datetime) -> AttemptResult:
    """What an answer means, read from its status and headers."""
    if 200 <= answer.status < 300 and DIRECTIVE not in answer.headers:
        return SUCCESS
    outcome = _outcome_of(answer.status)
    directive = answer.headers.get(DIRECTIVE, "").strip().lower()
    turn_off = None
    if answer.status == HTTPStatus.GONE:
        turn_off = "The endpoint answered 410 Gone."
    elif directive == "disable":
        turn_off = "The endpoint asked for it (webhook-delivery: disable)."
    return AttemptResult(
        outcome,
        detail=None if outcome is Outcome.SUCCEEDED else _describe(answer),
        final=outcome is Outcome.SUCCEEDED or turn_off is not None or directive == "abort-message",
        disable_reason=turn_off,
        overloaded=answer.status in OVERLOAD_STATUSES,
        retry_after=None
        if outcome is Outcome.SUCCEEDED
        else parse_retry_after(answer.headers.get("retry-after"), now),
    )


def _outcome_of(status: int) -> Outcome:
    if 200 <= status < 300:
        return Outcome.SUCCEEDED
    if 300 <= status < 400:
        return Outcome.REDIRECTED
    if status == HTTPStatus.GONE:
        return Outcome.GONE
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return Outcome.THROTTLED
    if 400 <= status < 500:
        return Outcome.REJECTED
    if 500 <= status < 600:
        return Outcome.SERVER_ERROR
    return Outcome.MALFORMED


def _describe(answer: EndpointResponse) -> str:
    try:
        phrase = f"{answer.status} {HTTPStatus(answer.status).phrase}"
    except ValueError:
        phrase = str(answer.status)
    if 300 <= answer.status < 400:
        return f"{phrase}: redirects are not followed; register the final address."
    return phrase


def parse_retry_after(value: str | None, now: datetime) -> float | None:
    """The seconds that a `Retry-After` asks for, in either of its forms (RFC 9110, 10.2.3); None when it
    cannot be read."""
    if value is None:
        return None
    value = value.strip()
    if value.isascii() and value.isdecimal():
        return min(float(value), LONGEST_WAIT)
    try:
        moment = parsedate_to_datetime(value)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return max(0.0, (moment - now).total_seconds())
    except (ValueError, OverflowError):
        return None


MAX_JITTER = 0.1
"""Each wait is up to a tenth shorter or longer, so that what failed together does not come back together."""

MAX_RETRY_AFTER_SECONDS = 24 * 60 * 60.0


def compute_next_attempt(
    schedule: Sequence[float],
    *,
    tried: int,
    now: datetime,
    jitter: float,
    retry_after: float | None = None,
) -> datetime | None:
    """When the attempt after `tried` attempts is due, or None when the schedule is at its end. `jitter` is
    from 0 to 1; `retry_after` is what the endpoint asked for in seconds: it can delay, never hasten."""
    if tried >= len(schedule):
        return None
    delay = schedule[tried] * (1 + MAX_JITTER * (2 * jitter - 1))
    if retry_after is not None:
        delay = max(delay, min(retry_after, MAX_RETRY_AFTER_SECONDS))
    return now + timedelta(seconds=delay)
